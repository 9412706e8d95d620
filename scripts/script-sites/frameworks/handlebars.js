import Handlebars from "handlebars/dist/handlebars.js";
import { markup } from "../tree.js";

export function mount(slot, tree) {
    slot.innerHTML = Handlebars.compile("{{#each parts}}<div>{{{this}}}</div>{{/each}}")({ parts: tree[2].map(markup) });
}
