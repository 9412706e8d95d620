// A part of a page is [tag, attributes, children]; a child is a part or a text.

/** The part as a framework makes it: `draw(tag, attributes, children)` for elements, `text` for what stands between them. */
export function built(part, draw, text = (words) => words) {
    if (typeof part === "string") {
        return text(part);
    }
    const [tag, attributes, children] = part;
    return draw(
        tag,
        { ...attributes },
        children.map((child) => built(child, draw, text)),
    );
}

/** The part as HTML. */
export function markup(part) {
    if (typeof part === "string") {
        return escaped(part);
    }
    const [tag, attributes, children] = part;
    const pairs = Object.entries(attributes).map(([name, value]) => ` ${name}="${escaped(String(value))}"`);
    const start = `<${tag}${pairs.join("")}>`;
    return ["img", "br", "input", "hr"].includes(tag) ? start : `${start}${children.map(markup).join("")}</${tag}>`;
}

/** Attributes by the names that React has for them. */
export function camel(attributes) {
    const names = { class: "className", colspan: "colSpan", for: "htmlFor", datetime: "dateTime", itemprop: "itemProp" };
    return Object.fromEntries(Object.entries(attributes).map(([name, value]) => [names[name] ?? name, value]));
}

function escaped(text) {
    return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
