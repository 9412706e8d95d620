import { LitElement, html } from "lit";
import { unsafeHTML } from "lit/directives/unsafe-html.js";
import { markup } from "../tree.js";

class PageView extends LitElement {
    static properties = { tree: { attribute: false } };

    render() {
        return this.tree ? html`<slot></slot>${unsafeHTML(markup(this.tree))}` : html`<p>…</p>`;
    }
}
customElements.define("page-view", PageView);

export function mount(slot, tree) {
    slot.append(Object.assign(document.createElement("page-view"), { tree }));
}
