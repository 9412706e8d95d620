import nunjucks from "nunjucks/browser/nunjucks.js";
import { markup } from "../tree.js";

export function mount(slot, tree) {
    slot.innerHTML = nunjucks.renderString("{% for part in parts %}{{ part | safe }}{% endfor %}", {
        parts: tree[2].map(markup),
    });
}
