import { createElement } from "react";
import { createRoot } from "react-dom/client";
import { built, camel } from "../tree.js";

export function mount(slot, tree) {
    const draw = (tag, attributes, children) => createElement(tag, camel(attributes), ...children);
    createRoot(slot).render(built(tree, draw));
}
