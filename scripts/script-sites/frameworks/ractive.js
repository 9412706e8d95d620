import Ractive from "ractive";
import { markup } from "../tree.js";

export function mount(target, tree) {
    new Ractive({ target, template: "{{#each parts}}<div>{{{this}}}</div>{{/each}}", data: { parts: tree[2].map(markup) } });
}
