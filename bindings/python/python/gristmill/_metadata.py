"""What a page says of itself."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any, Literal, NamedTuple

from . import _gristmill
from ._options import options
from ._page import Page, page_of


class Source(NamedTuple):
    """Where a value was found."""

    source: str
    """Such as ``json-ld``, ``meta``, ``time-element``, ``heading``."""
    confidence: float
    """0 to 1: how often values from there are right on the test pages. It depends on the source alone."""


class Feed(NamedTuple):
    """An RSS or Atom feed that the page names."""

    url: str
    """Absolute when the address of the page was given."""
    title: str
    """Empty when it has none."""


@dataclass(frozen=True)
class LanguageShare:
    """A language of a page, and its share of the letters."""

    language: str
    share: float


@dataclass(frozen=True)
class Metadata:
    """What is known of a page besides its text. What is not known is None or empty."""

    title: str | None
    """The heading, or the part of the declared title that names the page and not its site."""
    author: str | None
    """Names, separated by commas."""
    published: str | None
    """Of publication: RFC 3339, with a zone when the page gives one, or ``YYYY-MM-DD`` when it gives no time."""
    site_name: str | None
    """The name of the site."""
    language: str | None
    """ISO 639-1: of the main text, or as the page declares it."""
    language_score: float | None
    """How probable that is, 0 to 1."""
    script: str | None
    """The script of most letters, ISO 15924."""
    languages: tuple[LanguageShare, ...]
    """The languages of the paragraphs, greatest share first."""
    description: str | None
    """The page's description of itself."""
    kind: Literal["article", "product", "listing", "other"]
    """What the page is."""
    kind_probability: float
    """How probable that is, 0 to 1."""
    canonical_url: str | None
    """The canonical address; absolute when the address of the page was given."""
    image: str | None
    """The address of the leading image, likewise."""
    keywords: tuple[str, ...]
    """In the order of the page."""
    feeds: tuple[Feed, ...]
    """RSS and Atom feeds."""
    noindex: bool
    """The page asks not to be indexed."""
    nofollow: bool
    """The page asks that its links not be followed."""
    sources: dict[str, Source] = field(hash=False)
    """Where ``title``, ``author`` and ``published`` were found, as far as they were."""

    @property
    def published_at(self) -> datetime | None:
        """``published`` where it has a time; with a zone when the page gives one."""
        has_time = self.published is not None and "T" in self.published
        return datetime.fromisoformat(_iso(self.published)) if self.published and has_time else None

    @property
    def published_on(self) -> date | None:
        """The day of ``published``, as a reader of the page sees it."""
        return date.fromisoformat(self.published[:10]) if self.published else None


def _iso(time: str) -> str:
    """A time as Python before 3.11 reads it."""
    return time.removesuffix("Z") + "+00:00" if time.endswith("Z") else time


def extract_metadata(html: Page, url: str | None = None, *, charset: str | None = None) -> Metadata:
    """What a page says of itself. It takes about as long as ``extract``.

    ``url`` is the address of the page. Addresses on the page are resolved against it, and it may tell the date.
    ``charset`` is what the server said of ``bytes``.

    Raises ``NoPage``, ``UnknownCharset``, and ``TypeError`` for a page of another type.

    >>> extract_metadata("<title>Rye - The Mill</title><h1>Rye</h1><meta name=author content='Ann Lee'>").author
    'Ann Lee'
    """
    return metadata_of(json.loads(_gristmill.metadata(page_of(html), url, options(charset=charset))))


def metadata_of(document: dict[str, Any]) -> Metadata:
    """The metadata within the JSON of a page."""
    return Metadata(
        title=document["title"],
        author=document["author"],
        published=document["published"],
        site_name=document["site_name"],
        language=document["language"],
        language_score=document["language_score"],
        script=document["script"],
        languages=tuple(LanguageShare(**part) for part in document["languages"]),
        description=document["description"],
        kind=document["kind"],
        kind_probability=document["kind_probability"],
        canonical_url=document["canonical_url"],
        image=document["image"],
        keywords=tuple(document["keywords"]),
        feeds=tuple(Feed(**feed) for feed in document["feeds"]),
        noindex=document["noindex"],
        nofollow=document["nofollow"],
        sources={name: Source(**found) for name, found in document["sources"].items() if found},
    )
