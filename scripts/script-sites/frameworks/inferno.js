import { render } from "inferno";
import { createElement } from "inferno-create-element";
import { built } from "../tree.js";

export function mount(slot, tree) {
    slot.textContent = "";
    render(
        built(tree, (tag, attributes, children) => createElement(tag, attributes, ...children)),
        slot,
    );
}
