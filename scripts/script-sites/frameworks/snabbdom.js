import { attributesModule, h, init } from "snabbdom";
import { built } from "../tree.js";

export function mount(slot, tree) {
    const patch = init([attributesModule]);
    patch(
        slot.appendChild(document.createElement("div")),
        built(tree, (tag, attrs, children) => h(tag, { attrs }, children)),
    );
}
