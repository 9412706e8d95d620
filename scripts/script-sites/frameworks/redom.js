import { el, mount as put } from "redom";
import { built } from "../tree.js";

export function mount(slot, tree) {
    put(slot, built(tree, el));
}
