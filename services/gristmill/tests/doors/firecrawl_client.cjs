// Asks Gristmill with Firecrawl's own client for JavaScript: firecrawl_client.cjs SITE ADDRESS TOKEN.
const assert = require("node:assert");
const { default: Firecrawl } = require("@mendable/firecrawl-js");

async function main() {
  const [site, apiUrl, apiKey] = process.argv.slice(2);
  const app = new Firecrawl({ apiUrl, apiKey });
  const page = await app.scrape(`${site}guide`, { formats: ["markdown", "links"], onlyMainContent: true });
  assert(page.markdown.includes("## Dressing"), page.markdown);
  assert.equal(page.metadata.statusCode, 200);
  const map = await app.map(site);
  assert(map.links.some((link) => link.url === `${site}stones`), JSON.stringify(map));
  const crawl = await app.crawl(site, { limit: 40, pollInterval: 1, timeout: 120, scrapeOptions: { formats: ["markdown"] } });
  assert.equal(crawl.status, "completed");
  assert(crawl.data.some((document) => document.metadata.sourceURL === `${site}stones`));
  const batch = await app.batchScrape([`${site}guide`], { pollInterval: 1, timeout: 120, options: { formats: ["html"] } });
  assert(batch.data[0].html.includes("<h2"), JSON.stringify(batch.data));
  await app.search("granite", { limit: 2 });
  await assert.rejects(app.scrape(site, { formats: ["summary"] }), /not made here/);
  console.log("ok");
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
