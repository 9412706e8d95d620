// A page as its server sends it, and what its scripts are told.

import { between, chance, pick, weighted } from "./choice.mjs";
import { content } from "./content.mjs";
import { markup } from "./tree.js";

/** What a site leaves to its scripts, and how often. */
const MODES = {
    all: 20, // An empty root, and nothing else.
    middle: 18, // All but what stands around it.
    rest: 4, // What follows the first part of it.
    late: 10, // Price and attributes.
    state: 7, // All, from state that the page carries.
    declared: 5, // All, but JSON-LD says it too.
    again: 14, // Nothing: they draw what is there once more.
    widget: 16, // A small box beside it.
};

const ROOTS = [
    "root",
    "app",
    "__next",
    "__nuxt",
    "svelte",
    "content",
    "page",
    "wrapper",
    "main-view",
    "site",
    "mount",
    "container",
];
const BUNDLES = [
    "/static/js/main.8c1f.js",
    "/assets/index-D3k9.js",
    "/_next/static/chunks/app-77a.js",
    "/_nuxt/entry.5b2.js",
    "/js/app.js",
    "/dist/site.min.js",
    "/bundle.js",
    "/build/client-2c.js",
];
const MENU = [
    "Home",
    "News",
    "Guides",
    "Shop",
    "Forum",
    "Help",
    "About us",
    "Contact",
    "Prices",
    "Team",
    "Support",
    "Blog",
    "Events",
    "Careers",
];

/** What all pages of a site share. */
export function site(framework, n) {
    const random = chance(`${framework} ${n}`);
    return {
        name: `${framework}-${n}`,
        root: pick(random, ROOTS),
        bundle: pick(random, BUNDLES),
        isModule: random() < 0.5,
        menu: between(random, 3, 40),
        teasers: pick(random, [0, 0, 3, 8, 14]),
        footer: pick(random, [0, 1, 3]),
        noscript: random() < 0.4,
        inline: pick(random, [0, 300, 2_000, 9_000]),
        trackers: between(random, 0, 4),
        spinner: random() < 0.4,
    };
}

function around(site, random, texts) {
    const items = Array.from({ length: site.menu }, (_, at) => `<li><a href="/${at}">${MENU[at % MENU.length]}</a></li>`);
    const teaser = () => {
        const { title, lines } = pick(random, texts);
        return `<li><a href="/t">${markup(title)}</a> ${markup(lines[1].slice(0, 120))}</li>`;
    };
    const teasers = Array.from({ length: site.teasers }, teaser);
    const footer = Array.from({ length: site.footer }, () => `<p>${markup(pick(random, texts).lines[0].slice(0, 200))}</p>`);
    return {
        before: `<header><a class="logo" href="/">${site.name}</a><nav><ul>${items.join("")}</ul></nav></header>`,
        after: `${teasers.length ? `<aside><h3>More</h3><ul>${teasers.join("")}</ul></aside>` : ""}<footer>${footer.join("")}<p>© ${site.name}</p></footer>`,
    };
}

function head(site, page, mode) {
    const ld = { "@context": "https://schema.org", "@type": "Article", headline: page.title };
    const words = page.parts
        .slice(1)
        .map((part) => part[2].filter((child) => typeof child === "string").join(" "))
        .join("\n");
    const declared =
        mode === "declared"
            ? `<script type="application/ld+json">${JSON.stringify({ ...ld, articleBody: words }).replaceAll("<", "\\u003c")}</script>`
            : "";
    const tracker = (at) => `<script async src="/tracker-${at}.js"></script>`;
    const trackers = Array.from({ length: site.trackers }, (_, at) => tracker(at)).join("");
    const inline = site.inline
        ? `<script>window.q=window.q||[];${"q.push(['view',1]);".repeat(site.inline / 20)}</script>`
        : "";
    return `<meta charset="utf-8"><title>${markup(page.title)} | ${site.name}</title><link rel="stylesheet" href="/site.css">${inline}${trackers}${declared}`;
}

/** One page: its HTML, and the answer of the API if its scripts ask for one. */
export function page(site, at, texts) {
    const random = chance(`${site.name}/${at}`);
    const mode = weighted(random, MODES);
    const kind =
        mode === "late"
            ? "product"
            : mode === "declared"
              ? "article"
              : pick(random, ["article", "product", "docs", "listing", "thread"]);
    const made = content(kind, random, texts);
    const { before, after } = around(site, random, texts);
    const all = [...made.parts, ...made.late];
    const cut = between(random, 1, Math.max(1, all.length - 1));
    const inRoot = {
        all: [],
        middle: [],
        state: [],
        declared: [],
        rest: all.slice(0, cut),
        late: made.parts,
        again: all,
        widget: all,
    }[mode];
    const drawn =
        { rest: all.slice(cut), late: made.late, widget: [["p", {}, [`${between(random, 2, 90)} readers today`]]] }[mode] ??
        all;
    const bare = mode === "all" || (mode === "state" && random() < 0.5);
    const whole = bare ? `<div>${before}<main>${drawn.map(markup).join("")}</main>${after}</div>` : "";
    const slot = ["rest", "late", "widget"].includes(mode) ? "#more" : `#${site.root}`;
    const wait = random() < 0.2 ? between(random, 50, 700) : 0;
    const data = {
        wait,
        slots: [{ slot, replace: true, ...(bare ? { body: whole } : { tree: ["div", { class: kind }, drawn] }) }],
    };
    const spinner = site.spinner && !inRoot.length ? `<div class="loading"><p>Loading…</p></div>` : "";
    const root = `<div id="${site.root}">${inRoot.map(markup).join("")}${spinner}</div>${slot === "#more" ? `<div id="more"></div>` : ""}`;
    const noscript = site.noscript ? "<noscript>You need to enable JavaScript to run this app.</noscript>" : "";
    const state =
        mode === "state"
            ? `<script id="__NEXT_DATA__" type="application/json">${JSON.stringify({ props: { pageProps: data } }).replaceAll("<", "\\u003c")}</script>`
            : "";
    const script = `<script ${site.isModule ? 'type="module"' : "defer"} src="${site.bundle}"></script>`;
    const body = bare ? root : `${before}<main>${root}</main>${after}`;
    return {
        mode,
        kind,
        html: `<!doctype html><html lang="en"><head>${head(site, made, mode)}</head><body>${noscript}${body}${state}${script}</body></html>`,
        answer: mode === "state" ? undefined : JSON.stringify(data),
    };
}
