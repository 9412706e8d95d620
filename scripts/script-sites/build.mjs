// Writes the sites: build.mjs FOLDER TEXTS, with the frameworks in FOLDER/tools/node_modules.

import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { texts } from "./content.mjs";
import { page, site } from "./pages.mjs";

const [folder, source] = process.argv.slice(2);
const here = dirname(fileURLToPath(import.meta.url));
const tools = createRequire(join(folder, "tools", "package.json"));
const { build } = tools("esbuild");
const { compile } = tools("svelte/compiler");
const SITES = 2;
const PAGES = 18;

const svelte = {
    name: "svelte",
    setup: ({ onLoad }) =>
        onLoad({ filter: /\.svelte$/ }, async ({ path }) => {
            const { readFile } = await import("node:fs/promises");
            return { contents: compile(await readFile(path, "utf8"), { filename: path }).js.code };
        }),
};

/** The program of all sites of a framework. */
async function program(framework) {
    const contents = `import { start } from "./client.js"; import { mount } from "./frameworks/${framework}.js"; start(mount);`;
    const made = await build({
        stdin: { contents, resolveDir: here },
        bundle: true,
        minify: true,
        write: false,
        format: "iife",
        nodePaths: [join(folder, "tools", "node_modules")],
        plugins: [svelte],
        conditions: ["browser", "production"],
        mainFields: ["browser", "module", "main"],
        define: {
            "process.env.NODE_ENV": '"production"',
            __VUE_OPTIONS_API__: "true",
            __VUE_PROD_DEVTOOLS__: "false",
            __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: "false",
        },
        logLevel: "error",
    });
    return made.outputFiles[0].text;
}

function put(text, ...path) {
    const file = join(folder, "sites", ...path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
}

const words = texts(source);
const table = [];
for (const name of readdirSync(join(here, "frameworks"))
    .filter((name) => name.endsWith(".js"))
    .sort()) {
    const framework = name.replace(/\.js$/, "");
    const code = await program(framework);
    for (let n = 0; n < SITES; n += 1) {
        const of = site(framework, n);
        put(code, of.name, of.bundle);
        put("p { margin: 1em 0 } nav li { display: inline }", of.name, "site.css");
        for (let at = 0; at < PAGES; at += 1) {
            const { html, answer, mode, kind } = page(of, at, words);
            put(html, of.name, "p", `${at}`);
            if (answer !== undefined) {
                put(answer, of.name, "api", "p", `${at}.json`);
            }
            table.push([of.name, framework, `/p/${at}`, mode, kind].join("\t"));
        }
    }
}
writeFileSync(join(folder, "pages.tsv"), `${table.join("\n")}\n`);
