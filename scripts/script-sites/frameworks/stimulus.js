import { Application, Controller } from "@hotwired/stimulus";
import { markup } from "../tree.js";

export function mount(slot, tree) {
    const application = Application.start();
    application.register(
        "page",
        class extends Controller {
            connect() {
                this.element.innerHTML = markup(tree);
            }
        },
    );
    slot.innerHTML = `<div data-controller="page"></div>`;
}
