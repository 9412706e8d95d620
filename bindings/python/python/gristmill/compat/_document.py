"""The object in which trafilatura returns a page."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from urllib.parse import urlsplit
from xml.etree.ElementTree import Element

# In the order of trafilatura's JSON.
_FIELDS = (
    "title",
    "author",
    "url",
    "hostname",
    "description",
    "sitename",
    "date",
    "categories",
    "tags",
    "fingerprint",
    "id",
    "license",
    "body",
    "comments",
    "commentsbody",
    "raw_text",
    "text",
    "language",
    "image",
    "pagetype",
    "filedate",
)


class Document:
    """Text and metadata of a page. What is not known, or was not asked for, is None.

    ``license`` and ``filedate`` are always None, ``categories`` is always empty. ``pagetype`` is what the model says
    of the page: article, product, listing or other. ``body`` and ``commentsbody`` are elements of
    ``xml.etree.ElementTree``, not of lxml.
    """

    __slots__ = _FIELDS

    def __init__(self) -> None:
        self.title: str | None = None
        self.author: str | None = None
        self.url: str | None = None
        self.hostname: str | None = None
        self.description: str | None = None
        self.sitename: str | None = None
        self.date: str | None = None
        self.categories: list[str] | None = None
        self.tags: list[str] | None = None
        self.fingerprint: str | None = None
        self.id: str | None = None
        self.license: str | None = None
        self.body: Element = Element("body")
        self.comments: str | None = None
        self.commentsbody: Element = Element("body")
        self.raw_text: str | None = None
        self.text: str | None = None
        self.language: str | None = None
        self.image: str | None = None
        self.pagetype: str | None = None
        self.filedate: str | None = None

    def as_dict(self) -> dict[str, Any]:
        """The fields by name."""
        return {name: getattr(self, name) for name in _FIELDS}


def describe(document: Document, page: dict[str, Any], url: str | None, author_blacklist: Iterable[str]) -> None:
    """Fills in the metadata from the JSON of a page."""
    canonical = page["canonical_url"]
    document.url = canonical if canonical and "://" in canonical else url
    host = _host(document.url or "")
    document.hostname = host.removeprefix("www.") if host else None
    document.title = page["title"]
    document.author = _authors(page["author"], author_blacklist)
    document.description = page["description"]
    document.sitename = page["site_name"] or document.hostname
    document.date = page["published"][:10] if page["published"] else None
    document.categories = []
    document.tags = list(page["keywords"])
    document.image = page["image"]
    document.pagetype = page["kind"]


def _host(url: str) -> str | None:
    try:
        return urlsplit(url).hostname
    except ValueError:
        return None


def _authors(names: str | None, blacklist: Iterable[str]) -> str | None:
    unwanted = {name.lower() for name in blacklist}
    kept = [name for name in (names or "").split(", ") if name and name.lower() not in unwanted]
    return "; ".join(kept) or None
