import jQuery from "jquery";
import { markup } from "../tree.js";

export function mount(slot, tree) {
    jQuery(() => tree[2].forEach((part) => jQuery(slot).append(jQuery(markup(part)))));
}
