import "zone.js";
import "@angular/compiler";
import { Component } from "@angular/core";
import { bootstrapApplication, DomSanitizer } from "@angular/platform-browser";
import { markup } from "../tree.js";

export function mount(slot, tree) {
    slot.innerHTML = "<page-root></page-root>";
    const Page = Component({
        selector: "page-root",
        standalone: true,
        template: `@for (part of parts; track $index) { <div [innerHTML]="part"></div> }`,
    })(
        class {
            parts = tree[2].map(markup);
        },
    );
    return bootstrapApplication(Page);
}
