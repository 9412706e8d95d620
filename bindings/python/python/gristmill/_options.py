"""How a page is to be read: the keywords that functions share, with their defaults."""

from __future__ import annotations

from . import _gristmill


def options(
    *,
    method: str = "best",
    min_confidence: float | None = None,
    charset: str | None = None,
    comments: bool = False,
    title: bool = True,
    describe: bool = False,
    headings: bool = True,
    lists: bool = True,
    tables: bool = True,
    code: bool = True,
    quotes: bool = True,
    captions: bool = True,
    notes: bool = True,
    links: bool = True,
    images: bool = False,
    variants: bool = False,
) -> _gristmill.Options:
    """Checks the keywords of ``gristmill.extract``, which says what they mean, and ``variants`` of ``gristmill.read``."""
    return _gristmill.Options(
        method=method,
        min_confidence=min_confidence,
        charset=charset,
        comments=comments,
        title=title,
        describe=describe,
        headings=headings,
        lists=lists,
        tables=tables,
        code=code,
        quotes=quotes,
        captions=captions,
        notes=notes,
        links=links,
        images=images,
        variants=variants,
    )
