import h from "solid-js/h";
import { render } from "solid-js/web";
import { built } from "../tree.js";

export function mount(slot, tree) {
    slot.textContent = "";
    render(() => built(tree, h), slot);
}
