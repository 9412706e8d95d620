import ko from "knockout";
import { markup } from "../tree.js";

export function mount(slot, tree) {
    slot.innerHTML = `<div data-bind="foreach: parts"><div data-bind="html: $data"></div></div>`;
    ko.applyBindings({ parts: ko.observableArray(tree[2].map(markup)) }, slot);
}
