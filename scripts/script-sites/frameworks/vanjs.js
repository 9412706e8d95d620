import van from "vanjs-core";
import { built } from "../tree.js";

export function mount(slot, tree) {
    van.add(
        slot,
        built(tree, (tag, attributes, children) => van.tags[tag](attributes, ...children)),
    );
}
