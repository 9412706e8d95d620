"""Pages of web archives."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from . import _gristmill
from ._extract import extract

_CHARSET = re.compile(r"charset\s*=\s*[\"']?([\w.:-]+)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ArchivedPage:
    """A page as it was fetched, without transfer and content codings."""

    url: str
    """The address, as the archive has it; may be empty."""
    fetched_at: str
    """When it was fetched, as the archive has it."""
    record_id: str
    """The ID of its record, without angle brackets."""
    content_type: str | None
    """What the server called it."""
    body: bytes
    """At most 16 MiB."""
    fields: dict[str, str]
    """The fields of the record's header."""
    is_cut: bool
    """Whether the body is not whole: the archive is damaged there, or the page is longer than 16 MiB."""

    @property
    def charset(self) -> str | None:
        """The charset that the server named."""
        found = _CHARSET.search(self.content_type or "")
        return found.group(1) if found else None

    @property
    def html(self) -> str:
        """The body as text, in the charset that the server, the page or its bytes show."""
        return _gristmill.decode(self.body, self.content_type)

    def extract(self, **keywords: Any) -> str | None:
        """``gristmill.extract`` of this page, with its address and charset. None for what is no page at all."""
        try:
            return extract(self.body, self.url, **{"charset": self.charset, **keywords})
        except _gristmill.UnknownCharset:
            return extract(self.body, self.url, **{**keywords, "charset": None})
        except _gristmill.NoPage:
            return None


class Archive:
    """The pages of one archive, to be gone through once. ``counts`` and ``damages`` grow on the way."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._native = _gristmill.Archive(os.fspath(path))

    def __iter__(self) -> Iterator[ArchivedPage]:
        while (page := self._native.next_page()) is not None:
            url, fetched_at, record_id, content_type, body, fields, is_cut = page
            yield ArchivedPage(url, fetched_at, record_id, content_type, body, dict(fields), is_cut)

    @property
    def counts(self) -> dict[str, int]:
        """How many records were ``pages``, ``damaged``, or passed over for a reason such as ``status``."""
        return self._native.counts()

    @property
    def damages(self) -> list[str]:
        """What was wrong, with offset and reason; at most 1,000."""
        return self._native.damages()


def read_archive(path: str | os.PathLike[str]) -> Archive:
    """The pages of a web archive: WARC 1.0 or 1.1, plain, gzip or zstd.

    A page is a response with status 200, or a resource, of type HTML or of no type. Damage costs the records that it
    touches. ``OSError`` for a file that cannot be read.

    >>> for page in read_archive("crawl.warc.gz"):  # doctest: +SKIP
    ...     print(page.url, page.extract())
    """
    return Archive(path)
