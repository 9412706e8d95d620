// Serves each site on an address of its own, 127.2.N.M, N for its framework, and prints what to fetch: serve.mjs FOLDER [PORT]

import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { readFileSync } from "node:fs";
import { join, normalize } from "node:path";

const [folder, port = "8420"] = process.argv.slice(2);
const pages = readFileSync(join(folder, "pages.tsv"), "utf8")
    .trim()
    .split("\n")
    .map((line) => line.split("\t"));
const frameworks = [...new Set(pages.map(([, framework]) => framework))];
const sites = new Map(
    pages.map(([site, framework]) => [site, `127.2.${frameworks.indexOf(framework)}.${Number(site.split("-").pop()) + 1}`]),
);
const types = { js: "text/javascript", css: "text/css", json: "application/json" };

sites.forEach((address, site) => {
    const server = createServer(async (request, response) => {
        const path = normalize(new URL(request.url, "http://a.test").pathname);
        const body = await readFile(join(folder, "sites", site, path)).catch(() => null);
        const type = types[path.split(".").pop()] ?? "text/html; charset=utf-8";
        response.writeHead(body === null ? 404 : 200, { "content-type": type });
        response.end(body ?? "");
    });
    server.listen(Number(port), address);
});
for (const [site, , path] of pages) {
    console.log(`http://${sites.get(site)}:${port}${path}`);
}
