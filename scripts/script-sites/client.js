/** Gets what a page shows, from its state or from the API of its site, and has `mount(slot, tree)` draw it. */
export async function start(mount) {
    const state = document.querySelector("script[type='application/json']");
    const data = state ? JSON.parse(state.textContent) : await answer(`/api${location.pathname}.json`);
    const page = data.props?.pageProps ?? data;
    if (page.wait) {
        await new Promise((resume) => setTimeout(resume, page.wait));
    }
    for (const { slot: selector, tree, body, replace } of page.slots) {
        const slot = document.querySelector(selector);
        if (replace) {
            slot.textContent = "";
        }
        await mount(slot, tree ?? parsed(body));
    }
}

async function answer(path) {
    return (await fetch(path)).json();
}

/** The tree of a text in HTML. */
function parsed(html) {
    const tree = (node) => {
        if (node.nodeType === Node.TEXT_NODE) {
            return node.data;
        }
        const attributes = Object.fromEntries([...node.attributes].map(({ name, value }) => [name, value]));
        return [node.localName, attributes, [...node.childNodes].map(tree)];
    };
    const template = document.createElement("template");
    template.innerHTML = `<div>${html}</div>`;
    return tree(template.content.firstChild);
}
