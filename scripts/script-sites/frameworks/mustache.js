import Mustache from "mustache";
import { markup } from "../tree.js";

export function mount(slot, tree) {
    slot.innerHTML = Mustache.render("{{#parts}}<section>{{{.}}}</section>{{/parts}}", { parts: tree[2].map(markup) });
}
