import { markup } from "../tree.js";

class PagePart extends HTMLElement {
    connectedCallback() {
        this.attachShadow({ mode: "open" }).innerHTML = this.markup;
    }
}
customElements.define("page-part", PagePart);

export function mount(slot, tree) {
    for (const part of tree[2]) {
        slot.append(Object.assign(document.createElement("page-part"), { markup: markup(part) }));
    }
}
