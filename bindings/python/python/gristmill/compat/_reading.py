"""What a call of trafilatura asks for, and the page read in that way."""

from __future__ import annotations

import json
import warnings
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from .. import NoPage, UnknownFormat, _gristmill
from .._options import options
from . import _forms
from ._document import Document, describe
from ._settings import shortest, use_config
from ._tree import paragraphs, tree
from ._unsupported import Unsupported, ignore, refuse

_FORMATS = {"csv", "html", "json", "markdown", "python", "txt", "xml"}
# The formats in which links, images and bold words have a form.
_RICH = {"html", "markdown", "xml"}


# The fields of `Wanted` and the keywords that they stand for.
_KEYWORDS = {
    "format": "output_format",
    "comments": "include_comments",
    "tables": "include_tables",
    "images": "include_images",
    "links": "include_links",
    "formatting": "include_formatting",
    "language": "target_language",
    "metadata": "with_metadata",
    "only_with_metadata": "only_with_metadata",
    "url": "url",
    "record_id": "record_id",
    "url_blacklist": "url_blacklist",
    "author_blacklist": "author_blacklist",
}

# Keywords that are refused, or that change nothing, and why.
_REFUSED = {
    "max_tree_size": "pages are bounded by built-in limits",
    "prune_xpath": "remove these parts before the call",
    "options": "pass keywords, or `config`",
    "tei_validation": "there is no TEI",
}
_IGNORED = {
    "favor_precision": "there is one balance of precision and recall",
    "favor_recall": "there is one balance of precision and recall",
    "deduplicate": "pages are read one by one, and nothing is remembered",
    "date_extraction_params": "dates are found in one way",
}
# From `_check` up to who called: itself, `Wanted.of`, the function of trafilatura, its caller.
_CALLER = 4


@dataclass(frozen=True)
class Wanted:
    """The keywords of a call, those that have a counterpart."""

    format: str = "txt"
    comments: bool = True
    tables: bool = True
    images: bool = False
    links: bool = False
    formatting: bool | None = None
    language: str | None = None
    metadata: bool = False
    only_with_metadata: bool = False
    url: str | None = None
    record_id: str | None = None
    url_blacklist: Collection[str] | None = None
    author_blacklist: Collection[str] | None = None
    shortest: tuple[int, int] = (1, 1)

    @classmethod
    def of(cls, given: Mapping[str, Any], **fixed: Any) -> Wanted:
        """What a function was given: its local variables, at its beginning. ``fixed`` goes over them.

        Raises ``Unsupported`` for a keyword that has no counterpart, and warns of one that changes nothing.
        """
        _check(given)
        asked = {name: given[keyword] for name, keyword in _KEYWORDS.items() if keyword in given}
        config = use_config(given.get("settingsfile"), None if given.get("settingsfile") else given.get("config"))
        return cls(**{**asked, **fixed}, shortest=shortest(config))

    def __post_init__(self) -> None:
        if self.format == "xmltei":
            raise Unsupported("`output_format='xmltei'` has no counterpart here: use `xml`")
        if self.format not in _FORMATS:
            raise UnknownFormat(f"no format `{self.format}`; there are {', '.join(sorted(_FORMATS))}")
        if self.format in ("html", "markdown") and self.formatting is False:
            refuse("HTML and Markdown show bold words as such; use `output_format='txt'`", include_formatting=True)
        if self.form is None:
            use = "in this format it has no form; use `markdown`, `html` or `xml`"
            refuse(use, include_links=self.links, include_images=self.images)

    @property
    def form(self) -> str | None:
        """The form of the main text that is needed besides plain text."""
        if self.format in ("html", "xml"):
            return "html"
        if self.format == "markdown" or (self.formatting and self.format != "json"):
            return "markdown"
        return None

    @property
    def with_metadata(self) -> bool:
        """Whether metadata is a part of the result."""
        return bool(self.metadata or self.only_with_metadata or self.url_blacklist or self.author_blacklist)


def source(content: Any) -> str | bytes:
    """The page in what trafilatura takes: text, bytes, the answer of an HTTP client, or a tree of lxml.

    Raises ``TypeError`` for anything else.
    """
    if isinstance(content, (str, bytes)):
        return content
    data = getattr(content, "data", None)
    if isinstance(data, (str, bytes)):
        return data
    if type(content).__module__.startswith("lxml."):
        from lxml import html

        return str(html.tostring(content, encoding="unicode"))
    raise TypeError(f"a page is `str` or `bytes`, not `{type(content).__name__}`")


def _check(given: Mapping[str, Any]) -> None:
    """Refuses, and warns of, what has no counterpart, and what trafilatura itself calls deprecated."""
    for name, use in (("no_fallback", '"fast"'), ("as_dict", "the .as_dict() method")):
        if given.get(name):
            message = f'"{name}" is deprecated, use {use} instead'
            warnings.warn(message, DeprecationWarning, stacklevel=_CALLER)
    for name, reason in _REFUSED.items():
        refuse(reason, **{name: given.get(name)})
    for name, reason in _IGNORED.items():
        ignore(reason, _CALLER, **{name: given.get(name)})


def read(content: Any, wanted: Wanted) -> Document | None:
    """The page as a document with its text in the format that is wanted; None where trafilatura gives None."""
    if content is None:
        return None
    how = options(title=False, tables=wanted.tables, links=wanted.links, images=wanted.images)
    try:
        page = json.loads(_gristmill.document(source(content), wanted.url, wanted.form, how))
    except NoPage:
        return None
    document = Document()
    if wanted.with_metadata:
        describe(document, page, wanted.url, wanted.author_blacklist or ())
    if not page["text"] or _unwanted(page, document, wanted):
        return None
    document.id = wanted.record_id
    document.language = page["language"] if wanted.language else None
    document.fingerprint = page["simhash"] if wanted.format != "python" else None
    document.raw_text = page["text"]
    comments = [comment["text"] for comment in page.get("comments", [])] if wanted.comments else []
    least_text, least_comments = wanted.shortest
    if len(page["text"]) < least_text and sum(map(len, comments)) < least_comments:
        return None
    document.comments, document.commentsbody = "\n".join(comments), paragraphs(comments)
    document.text = _form(page, document, wanted)
    return document


def _unwanted(page: dict[str, Any], document: Document, wanted: Wanted) -> bool:
    """Whether the caller wants nothing of pages like this. A page of unknown language may be in any."""
    if wanted.language and page["language"] and page["language"] != wanted.language:
        return True
    if wanted.only_with_metadata and not (document.date and document.title and document.url):
        return True
    return document.url in (wanted.url_blacklist or ())


def _form(page: dict[str, Any], document: Document, wanted: Wanted) -> str:
    main = page[wanted.form or "text"]
    if wanted.format == "json":
        return _forms.as_json(document, main, wanted.with_metadata)
    if wanted.format == "csv":
        return _forms.as_csv(document, main)
    if wanted.format == "html":
        return _forms.as_html(document, main, wanted.with_metadata)
    if wanted.format == "xml":
        return _forms.as_xml(document, tree(main, bool(wanted.formatting)), document.commentsbody)
    if wanted.format == "python":
        document.body = paragraphs(page["text"].split("\n"))
        return str(main)
    return _forms.text(document, main, wanted.with_metadata)
