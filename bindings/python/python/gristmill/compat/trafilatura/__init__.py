"""The functions of trafilatura 2, done by Gristmill::

    import gristmill.compat.trafilatura as trafilatura

Signatures and shapes of results are those of trafilatura. The texts are not: they are what Gristmill finds. A keyword
that has no counterpart raises ``Unsupported``, and one that changes nothing warns (``Ignored``). Where keywords are
accepted but mean less, this is said below.

* ``fast``, ``no_fallback``, ``extensive``: there is one way to read a page, so they change nothing.
* ``include_comments``: the comments that Gristmill finds go where trafilatura's go, after the main text or beside it.
* ``include_formatting``: gives Markdown in ``txt``, ``csv`` and ``python``. HTML and Markdown always have it.
* ``include_links``, ``include_images``: in Markdown, HTML and XML, and wherever ``include_formatting`` gives Markdown.
* ``target_language``: compared with the language of the main text. A page of unknown language is kept.
* ``config``, ``settingsfile``: ``MIN_OUTPUT_SIZE`` and ``MIN_OUTPUT_COMM_SIZE`` hold, and what is about downloads.
* ``fetch_url``, ``fetch_response``: the standard library fetches. ``no_ssl`` alone does without the check of certificates.
* ``hostname`` is the host without ``www.``, not its registrable domain.
"""

from __future__ import annotations

import json
from typing import Any
from xml.etree.ElementTree import Element

from ... import NoPage, _gristmill
from ... import extract as _extract
from ..._options import options as _options
from .._document import Document, describe
from .._fetch import fetch_response, fetch_url
from .._reading import Wanted, read, source
from .._settings import DEFAULT_CONFIG
from .._tree import paragraphs
from .._unsupported import Ignored, Unsupported, ignore

__all__ = [
    "Document",
    "Ignored",
    "Unsupported",
    "bare_extraction",
    "baseline",
    "extract",
    "extract_metadata",
    "extract_with_metadata",
    "fetch_response",
    "fetch_url",
    "html2txt",
    "load_html",
]


def extract(
    filecontent: Any,
    url: str | None = None,
    record_id: str | None = None,
    fast: bool = False,
    no_fallback: bool = False,
    favor_precision: bool = False,
    favor_recall: bool = False,
    include_comments: bool = True,
    output_format: str = "txt",
    tei_validation: bool = False,
    target_language: str | None = None,
    include_tables: bool = True,
    include_images: bool = False,
    include_formatting: bool | None = None,
    include_links: bool = False,
    deduplicate: bool = False,
    date_extraction_params: dict[str, Any] | None = None,
    with_metadata: bool = False,
    only_with_metadata: bool = False,
    max_tree_size: int | None = None,
    url_blacklist: set[str] | None = None,
    author_blacklist: set[str] | None = None,
    settingsfile: str | None = None,
    prune_xpath: str | list[str] | None = None,
    config: Any = DEFAULT_CONFIG,
    options: Any = None,
) -> str | None:
    """The main text as csv, html, json, markdown, txt or xml; None where there is none, or the page is not wanted."""
    document = _formatted(filecontent, Wanted.of(locals()))
    return document.text if document else None


def extract_with_metadata(
    filecontent: Any,
    url: str | None = None,
    record_id: str | None = None,
    fast: bool = False,
    favor_precision: bool = False,
    favor_recall: bool = False,
    include_comments: bool = True,
    output_format: str = "txt",
    tei_validation: bool = False,
    target_language: str | None = None,
    include_tables: bool = True,
    include_images: bool = False,
    include_formatting: bool | None = None,
    include_links: bool = False,
    deduplicate: bool = False,
    date_extraction_params: dict[str, Any] | None = None,
    url_blacklist: set[str] | None = None,
    author_blacklist: set[str] | None = None,
    settingsfile: str | None = None,
    prune_xpath: str | list[str] | None = None,
    config: Any = DEFAULT_CONFIG,
    options: Any = None,
) -> Document | None:
    """As ``extract``, as a document: its ``text`` is in the format, its other fields are the metadata."""
    return _formatted(filecontent, Wanted.of(locals(), metadata=True))


def _formatted(content: Any, wanted: Wanted) -> Document | None:
    if wanted.format == "python":
        raise ValueError("the format `python` is for bare_extraction()")
    return read(content, wanted)


def bare_extraction(
    filecontent: Any,
    url: str | None = None,
    fast: bool = False,
    no_fallback: bool = False,
    favor_precision: bool = False,
    favor_recall: bool = False,
    include_comments: bool = True,
    output_format: str = "python",
    target_language: str | None = None,
    include_tables: bool = True,
    include_images: bool = False,
    include_formatting: bool | None = None,
    include_links: bool = False,
    deduplicate: bool = False,
    date_extraction_params: dict[str, Any] | None = None,
    with_metadata: bool = False,
    only_with_metadata: bool = False,
    max_tree_size: int | None = None,
    url_blacklist: set[str] | None = None,
    author_blacklist: set[str] | None = None,
    as_dict: bool = False,
    prune_xpath: str | list[str] | None = None,
    config: Any = DEFAULT_CONFIG,
    options: Any = None,
) -> Document | dict[str, Any] | None:
    """The main text as a document with plain text; the metadata too when it is asked for.

    ``output_format`` is ``python``: other formats are those of ``extract`` and ``extract_with_metadata``. ``body`` has
    one paragraph for each line of the text.
    """
    wanted = Wanted.of(locals())
    if wanted.format != "python":
        raise Unsupported("here `bare_extraction` has the format `python` only: use `extract_with_metadata`")
    document = read(filecontent, wanted)
    return document.as_dict() if document and as_dict else document


def extract_metadata(
    filecontent: Any,
    default_url: str | None = None,
    date_config: dict[str, Any] | None = None,
    extensive: bool = True,
    author_blacklist: set[str] | None = None,
) -> Document:
    """The metadata as a document without a text. Of what is no page nothing is known."""
    ignore("dates are found in one way", 2, date_config=date_config)
    document = Document()
    try:
        page = json.loads(_gristmill.metadata(source(filecontent), default_url, _options()))
    except NoPage:
        return document
    describe(document, page, default_url, author_blacklist or ())
    return document


def html2txt(content: Any, clean: bool = True) -> str:
    """All text that a reader of the page sees, on one line."""
    if not clean:
        raise Unsupported("`clean=False` has no counterpart here: scripts and styles are no text")
    return " ".join(_plain(content).split())


def baseline(filecontent: Any) -> tuple[Element, str, int]:
    """The main text, or all text where there is none: a ``body`` of paragraphs, the text, and its length."""
    try:
        found = _extract(source(filecontent), title=False)
    except NoPage:
        found = None
    text = found or _plain(filecontent)
    return paragraphs(text.split("\n") if text else []), text, len(text)


def _plain(content: Any) -> str:
    try:
        return _extract(source(content), method="plain", comments=True, title=False) or ""
    except NoPage:
        return ""


def load_html(htmlobject: Any) -> Any:
    """Raises ``Unsupported``: pages have no tree of lxml here."""
    raise Unsupported("pages have no tree of lxml here: pass their text or bytes to `extract`")

