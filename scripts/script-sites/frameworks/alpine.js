import Alpine from "alpinejs";
import { markup } from "../tree.js";

export function mount(slot, tree) {
    Alpine.data("page", () => ({ parts: tree[2].map(markup) }));
    slot.innerHTML = `<div x-data="page"><template x-for="part in parts"><div x-html="part"></div></template></div>`;
    Alpine.start();
}
