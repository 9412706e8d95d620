"""Scrapy with trafilatura doing the work of `gristmill crawl`: fetch, robots.txt, links, main text, one record a page.

    scrapy runspider spider.py -a seeds="http://a.test:8088/ http://b.test:8088/" -O pages.jsonl

Differences that remain: the records go to a JSON lines file, not to a search index, and nothing survives a crash.
"""

from urllib.parse import urlsplit

import scrapy
import trafilatura
from scrapy.linkextractors import LinkExtractor
from scrapy.resolver import dnscache


class DocsSpider(scrapy.Spider):
    """Follows links within the seeds' hosts (`allowed_domains`) and extracts the main text of every HTML page."""

    name = "docs"
    custom_settings = {
        "ROBOTSTXT_OBEY": True,
        "DOWNLOAD_DELAY": 0,
        "CONCURRENT_REQUESTS": 16,
        "CONCURRENT_REQUESTS_PER_DOMAIN": 8,
        "USER_AGENT": "scrapy-baseline",
        "LOG_LEVEL": "INFO",
        "TELNETCONSOLE_ENABLED": False,
    }

    def __init__(self, seeds="", **kwargs):
        super().__init__(**kwargs)
        self.start_urls = seeds.split()
        self.allowed_domains = [urlsplit(url).hostname for url in self.start_urls]
        # The names exist nowhere: what Scrapy believes to have looked up already, it does not ask for.
        for domain in self.allowed_domains:
            dnscache[domain] = "127.0.0.1"
        self.links = LinkExtractor(tags=("a", "area"), attrs=("href",))

    def parse(self, response):
        if not isinstance(response, scrapy.http.HtmlResponse):
            return
        for link in self.links.extract_links(response):
            if not link.nofollow:
                yield response.follow(link, callback=self.parse)
        document = trafilatura.bare_extraction(response.text, url=response.url, with_metadata=True)
        yield {
            "url": response.url,
            "title": document and document.title,
            "author": document and document.author,
            "date": document and document.date,
            "text": document and document.text,
        }
