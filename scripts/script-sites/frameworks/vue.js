import { createApp, h } from "vue";
import { built } from "../tree.js";

export function mount(slot, tree) {
    createApp({ render: () => built(tree, h) }).mount(slot);
}
