import { markup } from "../tree.js";

export function mount(slot, tree) {
    slot.insertAdjacentHTML("beforeend", markup(tree));
}
