import { createApp } from "petite-vue";
import { markup } from "../tree.js";

export function mount(slot, tree) {
    slot.innerHTML = `<div v-for="part in parts" v-html="part"></div>`;
    createApp({ parts: tree[2].map(markup) }).mount(slot);
}
