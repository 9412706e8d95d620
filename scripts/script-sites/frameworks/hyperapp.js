import { app, h, text } from "hyperapp";
import { built } from "../tree.js";

export function mount(slot, tree) {
    const node = slot.appendChild(document.createElement("div"));
    app({ init: {}, view: () => built(tree, h, text), node });
}
