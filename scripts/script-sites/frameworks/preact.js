import { h, render } from "preact";
import { built } from "../tree.js";

export function mount(slot, tree) {
    slot.textContent = "";
    render(
        built(tree, (tag, attributes, children) => h(tag, attributes, ...children)),
        slot,
    );
}
