import m from "mithril";
import { built } from "../tree.js";

export function mount(slot, tree) {
    m.mount(slot, { view: () => built(tree, m) });
}
