"""Asks Gristmill with Firecrawl's own client for Python: firecrawl_client.py SITE ADDRESS TOKEN."""

import sys

from firecrawl import Firecrawl
from firecrawl.v2.types import PaginationConfig, ScrapeOptions

site, address, token = sys.argv[1:4]
app = Firecrawl(api_key=token, api_url=address)


def refused(words, ask):
    try:
        ask()
    except Exception as error:
        assert words in str(error), f"{words}: {error}"
        return
    raise AssertionError(f"not refused: {words}")


def scrape():
    page = app.scrape(f"{site}guide", formats=["markdown", "html", "rawHtml", "links", "changeTracking"])
    assert "## Dressing" in page.markdown and "Imprint" not in page.markdown, page.markdown
    assert "<h2" in page.html and "<nav" not in page.html and "<nav" in page.raw_html
    assert f"{site}stones" in page.links, page.links
    assert page.metadata.status_code == 200 and page.metadata.source_url == f"{site}guide", page.metadata
    assert page.metadata.title == "Guide" and page.metadata.language == "en", page.metadata
    assert page.change_tracking["changeStatus"] == "new", page.change_tracking
    whole = app.scrape(f"{site}guide", only_main_content=False)
    assert "Imprint" in whole.markdown, whole.markdown
    part = app.scrape(f"{site}guide", include_tags=["#feeding"])
    assert "Feed the stones" in part.markdown and "Dress" not in part.markdown, part.markdown
    less = app.scrape(f"{site}guide", exclude_tags=["#feeding"])
    assert "Dressing" in less.markdown and "Feed the stones" not in less.markdown, less.markdown
    headed = app.scrape(f"{site}headers", headers={"X-Mill": "of-the-client"})
    assert "of-the-client" in headed.markdown, headed.markdown
    product = app.scrape(f"{site}hand-mill", formats=[{"type": "json", "prompt": "the product"}])
    assert product.json["records"][0]["price"]["amount"] == "49.00", product.json
    assert "no model follows" in product.warning, product.warning
    for age, state in [(0, "miss"), (60_000, "hit"), (0, "miss")]:
        again = app.scrape(f"{site}stones", max_age=age)
        assert again.metadata.cache_state == state and "granite" in again.markdown, (age, again.metadata)
    gone = app.scrape(f"{site}gone")
    assert gone.metadata.status_code == 404 and gone.markdown == "", gone
    for format in ["summary", "branding"]:
        refused(f"`{format}` is not made here", lambda: app.scrape(site, formats=[format]))
    refused("`actions` is not supported here", lambda: app.scrape(site, actions=[{"type": "wait", "milliseconds": 1}]))
    refused("robots.txt", lambda: app.scrape(f"{site}secret"))
    refused("exceeds", lambda: app.scrape(f"{site}huge"))
    refused("timeout", lambda: app.scrape(f"{site}slow", timeout=300))
    refused("exclude[0]", lambda: app.scrape(site, exclude_tags=["<<"]))


def map_site():
    links = {link.url: link.title for link in app.map(site).links}
    assert f"{site}guide" in links and links[f"{site}stones"] == "Stones", links
    assert f"{site}only-in-sitemap" in links, links
    found = app.map(site, search="stones", limit=1).links
    assert [link.url for link in found] == [f"{site}stones"], found
    only = {link.url for link in app.map(site, sitemap="only").links}
    assert f"{site}only-in-sitemap" in only and f"{site}stones" not in only, only


def crawl():
    options = ScrapeOptions(formats=["markdown", "links"])
    job = app.crawl(site, limit=40, poll_interval=1, timeout=120, scrape_options=options)
    assert job.status == "completed" and job.completed == len(job.data), (job.status, job.completed, len(job.data))
    by_url = {document.metadata.source_url: document for document in job.data}
    assert "granite" in by_url[f"{site}stones"].markdown, by_url.keys()
    assert f"{site}only-in-sitemap" in by_url and f"{site}secret" not in by_url, by_url.keys()
    assert by_url[f"{site}guide"].links, by_url[f"{site}guide"]
    first = app.get_crawl_status(job.id, pagination_config=PaginationConfig(auto_paginate=False))
    assert first.next is None and len(first.data) == len(job.data)
    errors = app.get_crawl_errors(job.id)
    assert errors.errors == [] or all("url" in error for error in errors.errors), errors
    assert app.cancel_crawl(job.id) is False, "it has ended"

    some = app.crawl(site, include_paths=["^/st"], sitemap="skip", poll_interval=1, timeout=120)
    assert {document.metadata.source_url for document in some.data} == {site, f"{site}stones"}, some.data

    long = app.start_crawl(f"{site}endless/0", limit=500, delay=1)
    assert any(active.id == long.id for active in app.get_active_crawls().crawls)
    assert app.cancel_crawl(long.id) is True
    assert app.get_crawl_status(long.id).status == "cancelled"
    refused("not found", lambda: app.get_crawl_status("00000000-0000-4000-8000-000000000000"))
    refused("`webhook` is not supported here", lambda: app.start_crawl(site, webhook="http://mill.example/"))


def batch():
    urls = [f"{site}guide", f"{site}stones", f"{site}gone"]
    job = app.batch_scrape(urls, formats=["markdown"], poll_interval=1, wait_timeout=120)
    assert job.status == "completed", job
    assert {document.metadata.source_url for document in job.data} == set(urls[:2]), job.data
    started = app.start_batch_scrape([f"{site}stones", "http://[mill"], ignore_invalid_urls=True)
    assert started.invalid_urls == ["http://[mill"], started


def search():
    found = app.search("granite", limit=3)
    assert found.web is None or all(hit.url for hit in found.web), found
    refused("`tbs`", lambda: app.search("granite", tbs="cdr:1"))


def raw():
    """What no client of theirs sends."""
    import requests

    ask = lambda path, body, key=token: requests.post(
        f"{address}/v2/{path}", json=body, headers={"Authorization": f"Bearer {key}"}, timeout=60
    )
    unknown = ask("scrape", {"url": site, "onlyMain": True})
    assert unknown.status_code == 400 and unknown.json()["code"] == "BAD_REQUEST", unknown.text
    assert unknown.json()["details"][0]["keys"] == ["onlyMain"] and unknown.json()["success"] is False
    inner = ask("crawl", {"url": site, "scrapeOptions": {"x": 1}})
    assert inner.json()["details"][0]["path"] == ["scrapeOptions"], inner.text
    assert ask("scrape", [1]).status_code == 400
    assert ask("scrape", {"url": site}, "wrong").status_code == 401
    assert ask("nothing", {}).status_code == 404
    many = [ask("crawl", {"url": f"{site}endless/{n}", "limit": 500}) for n in range(6)]
    refusals = [answer for answer in many if answer.status_code == 429]
    assert len(refusals) >= 4 and "`doors.max_crawls`" in refusals[0].text, [answer.text for answer in many]
    assert "Retry-After" in refusals[0].headers
    for answer in many:
        if answer.ok:
            requests.delete(f"{address}/v2/crawl/{answer.json()['id']}", headers={"Authorization": f"Bearer {token}"}, timeout=60)


for part in [scrape, map_site, crawl, batch, search, raw]:
    part()
print("ok")
