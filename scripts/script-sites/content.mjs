// What pages say: articles, documentation and threads of real texts, and made-up products.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { between, pick } from "./choice.mjs";

const part = (tag, attributes, ...children) => [tag, attributes, children];

/** Title and lines of the gold texts of a test package, longer ones first cut to what a page has. */
export function texts(folder) {
    const names = readdirSync(join(folder, "pages"))
        .filter((name) => name.endsWith(".json"))
        .sort();
    return names.flatMap((name) => {
        const about = JSON.parse(readFileSync(join(folder, "pages", name)));
        const lines = readFileSync(join(folder, "pages", name.replace(/json$/, "txt")), "utf8").split("\n");
        const clean = lines.map((line) => line.replace(/\s+/g, " ").trim()).filter((line) => /\w/.test(line));
        return about.title && clean.length >= 5 && about.page_type !== "product"
            ? [{ title: about.title, lines: clean.slice(0, 60) }]
            : [];
    });
}

/** Labels and values of products, by language: made up, none of a real shop. */
const WORDS = {
    en: {
        specs: "Specifications",
        add: "Add to basket",
        names: ["Kettle", "Desk lamp", "Rucksack", "Drill"],
        rows: {
            Brand: ["Fennbrook", "Ostley"],
            Material: ["Steel", "Oak", "Linen"],
            Weight: ["1.2 kg", "840 g"],
            Height: ["32 cm", "1.1 m"],
            Voltage: ["230 V", "18 V"],
            Warranty: ["2 years", "5 years"],
            Colour: ["Blue", "Sand"],
        },
    },
    de: {
        specs: "Technische Daten",
        add: "In den Warenkorb",
        names: ["Wasserkocher", "Leuchte", "Rucksack"],
        rows: {
            Marke: ["Fennbrook", "Ostley"],
            Material: ["Stahl", "Eiche"],
            Gewicht: ["1,2 kg", "840 g"],
            Höhe: ["32 cm", "1,1 m"],
            Spannung: ["230 V"],
            Garantie: ["2 Jahre"],
            Farbe: ["Blau", "Sand"],
        },
    },
    fr: {
        specs: "Caractéristiques",
        add: "Ajouter au panier",
        names: ["Bouilloire", "Lampe", "Perceuse"],
        rows: {
            Marque: ["Fennbrook"],
            Matière: ["Acier", "Chêne"],
            Poids: ["1,2 kg"],
            Hauteur: ["32 cm"],
            Tension: ["230 V"],
            Garantie: ["2 ans"],
            Couleur: ["Bleu"],
        },
    },
    et: {
        specs: "Tehnilised andmed",
        add: "Lisa ostukorvi",
        names: ["Veekeetja", "Laualamp"],
        rows: {
            Tootja: ["Fennbrook"],
            Materjal: ["Teras", "Tamm"],
            Kaal: ["1,2 kg"],
            Kõrgus: ["32 cm"],
            Pinge: ["230 V"],
            Garantii: ["2 aastat"],
            Värv: ["Sinine"],
        },
    },
    zh: {
        specs: "商品参数",
        add: "加入购物车",
        names: ["电热水壶", "台灯", "双肩包"],
        rows: {
            品牌: ["石磨坊", "松间"],
            材质: ["不锈钢", "橡木"],
            重量: ["1.2kg", "840g"],
            高度: ["32厘米"],
            电压: ["220V"],
            产地: ["浙江"],
            颜色: ["蓝色"],
        },
    },
};

function product(random, lines) {
    const words = WORDS[pick(random, Object.keys(WORDS))];
    const title = `${pick(random, words.names)} ${pick(random, ["Rook", "Heron", "Wren", "Ouzel"])} ${between(random, 100, 990)}`;
    const price = `${between(random, 9, 400)}.${pick(random, ["00", "50", "99"])} €`;
    const rows = Object.entries(words.rows)
        .filter(() => random() < 0.85)
        .map(([name, values]) => [name, pick(random, values)]);
    const table = {
        table: () =>
            part(
                "table",
                { class: "specs" },
                part("tbody", {}, ...rows.map(([name, value]) => part("tr", {}, part("th", {}, name), part("td", {}, value)))),
            ),
        dl: () => part("dl", {}, ...rows.flatMap(([name, value]) => [part("dt", {}, name), part("dd", {}, value)])),
        ul: () =>
            part(
                "ul",
                { class: "params" },
                ...rows.map(([name, value]) => part("li", {}, part("span", {}, name), part("span", {}, value))),
            ),
    }[pick(random, ["table", "dl", "ul"])]();
    const about = lines.slice(0, between(random, 0, 3)).map((line) => part("p", {}, line.slice(0, 400)));
    const facts = part(
        "div",
        { class: "buy" },
        part("p", { class: "price" }, price),
        part("button", { type: "button" }, words.add),
    );
    return { title, about, late: [facts, part("section", {}, part("h2", {}, words.specs), table)], price };
}

function prose(random, lines, most) {
    const part_of = (line, at) => (at % 6 === 3 && line.length < 90 ? part("h2", {}, line) : part("p", {}, line));
    return lines.slice(0, between(random, 4, most)).map(part_of);
}

function listing(random, others) {
    const card = ({ title, lines }) =>
        part(
            "div",
            { class: "card" },
            part("a", { href: `/read/${title.length}` }, title),
            part("p", {}, lines[0].slice(0, between(random, 30, 160))),
        );
    return [part("div", { class: "grid" }, ...others.map(card))];
}

function thread(random, lines) {
    const post = (line, at) =>
        part(
            "div",
            { class: "post" },
            part("div", { class: "user" }, `reader${at + 3}`),
            part("time", { datetime: "2026-03-04" }, "4 March 2026"),
            part("p", {}, line),
        );
    return lines.slice(0, between(random, 3, 20)).map(post);
}

function documentation(random, lines) {
    const code = () => part("pre", {}, part("code", {}, `mill run --port ${between(random, 1000, 9000)}\nmill stop`));
    return lines
        .slice(0, between(random, 4, 40))
        .flatMap((line, at) => (at % 5 === 2 ? [part("p", {}, line), code()] : [part("p", {}, line)]));
}

/** Title and parts of a page of this kind; `late` parts are those that shops load after the rest. */
export function content(kind, random, texts) {
    const text = pick(random, texts);
    const head = (title) => part("h1", {}, title);
    if (kind === "product") {
        const { title, about, late, price } = product(random, text.lines);
        return { title, parts: [head(title), ...about], late, price, text };
    }
    const others = Array.from({ length: between(random, 4, 24) }, () => pick(random, texts));
    const make = {
        article: () => prose(random, text.lines, 60),
        docs: () => documentation(random, text.lines),
        listing: () => listing(random, others),
        thread: () => thread(random, text.lines),
    };
    return { title: text.title, parts: [head(text.title), ...make[kind]()], late: [], text };
}
