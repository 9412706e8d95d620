"""All that is known of a page, as one object."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from . import _gristmill
from ._metadata import Metadata, metadata_of
from ._options import options
from ._page import Page, page_of
from ._records import Product


@dataclass(frozen=True)
class Rights:
    """What a page says of the use of its text. What it does not say is None or empty."""

    robots: tuple[str, ...]
    """Robots directives that limit a use, such as ``noai``."""
    tdm_reserved: bool | None
    """Whether text and data mining is reserved."""
    tdm_policy: str | None
    """Where the terms for mining stand."""
    licence: str | None
    """The short name of a licence, such as ``cc-by-4.0``, else its address or name."""
    licence_url: str | None
    copyright: str | None


@dataclass(frozen=True)
class Variants:
    """The main text at two more working points of the method ``best``."""

    precision: str
    """A word too much counts twice: less boilerplate."""
    recall: str
    """A word left out counts twice: less is missing."""
    agreement: float
    """How much the two have in common, 0 to 1."""


@dataclass(frozen=True)
class Document:
    """What ``read`` gives: text, metadata and products of a page."""

    url: str | None
    """The address that was given."""
    text: str | None
    """The main text, without a title put first; None where there is none, and then ``reason`` says why."""
    markdown: str | None
    """As ``extract`` with ``format="markdown"``."""
    reason: str | None
    """Why there is no text, as a sentence."""
    confidence: float | None
    """How good the text is expected to be, 0 to 1."""
    method: str
    """Which method found it."""
    simhash: int
    """The fingerprint for near duplicates, 64 bits."""
    metadata: Metadata
    records: tuple[Product, ...]
    """The products of the page."""
    rights: Rights
    variants: Variants | None
    """Where they were asked for, and ``best`` found the text."""


def read(html: Page, url: str | None = None, *, variants: bool = False, **keywords: Any) -> Document:
    """Text, Markdown, metadata, products and rights of a page, which is parsed once.

    ``variants`` gives the text at two more working points, too. The other keywords are those of ``extract`` without
    ``format``, and so are the errors.

    >>> page = read("<title>Rye</title><h1>Rye</h1><p>Rye is a grass, and mills grind its grain day and night.</p>")
    >>> page.markdown
    '# Rye\\n\\nRye is a grass, and mills grind its grain day and night.\\n'
    >>> read("<p>").reason
    'no text on the page'
    """
    how = options(variants=variants, **keywords)
    return _document(json.loads(_gristmill.read(page_of(html), url, how)))


def _document(page: dict[str, Any]) -> Document:
    rights = page["rights"]
    return Document(
        url=page["url"],
        text=page["text"] or None,
        markdown=page["markdown"] if page["text"] else None,
        reason=page["reason"],
        confidence=page["confidence"],
        method=page["method"],
        simhash=int(page["simhash"], 16),
        metadata=metadata_of(page),
        records=tuple(page["records"]),
        rights=Rights(**{**rights, "robots": tuple(rights["robots"])}),
        variants=Variants(**page["variants"]) if page.get("variants") else None,
    )
