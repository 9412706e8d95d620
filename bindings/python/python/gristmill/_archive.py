"""Pages of web archives."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, BinaryIO, Literal, Union, overload

from . import _gristmill
from ._batches import Layout, Progress, RecordBatches, how_batches
from ._extract import extract
from ._options import options

ArchiveSource = Union[str, "os.PathLike[str]", BinaryIO]
"""A path, or a file that is open for reading bytes."""

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

    def __init__(self, source: ArchiveSource) -> None:
        self._native = _gristmill.Archive(source)

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

    @property
    def offset(self) -> int:
        """How far the reading is, in bytes of the archive."""
        return self._native.offset()


@overload
def read_archive(source: ArchiveSource) -> Archive: ...


@overload
def read_archive(
    source: ArchiveSource,
    *,
    format: Literal["arrow"],
    layout: Layout = "gristmill",
    columns: Sequence[str] | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
    variants: bool = False,
    **keywords: Any,
) -> RecordBatches: ...


def read_archive(
    source: ArchiveSource,
    *,
    format: Literal["arrow"] | None = None,
    layout: Layout = "gristmill",
    columns: Sequence[str] | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
    variants: bool = False,
    **keywords: Any,
) -> Archive | RecordBatches:
    """The pages of a web archive: WARC 1.0 or 1.1, plain, gzip or zstd. ``source`` is a path, or an open file of bytes.

    A page is a response with status 200, or a resource, of type HTML or of no type. Damage costs the records that it
    touches. ``OSError`` for a file that cannot be read.

    With ``format="arrow"`` the documents as record batches, as ``gristmill dataset`` writes them into Parquet: a row a
    page that has text or products. ``layout`` and ``columns`` choose columns, ``variants`` adds the text at other working
    points (``text_precision``, ``text_recall``, ``variant_agreement``), ``threads`` is by default one for each
    core, ``progress`` is called with the number of pages so far, the keywords are those of ``extract``. Any
    library takes them that knows Arrow's C stream: ``pyarrow.RecordBatchReader.from_stream``, ``polars.DataFrame``,
    DuckDB.

    >>> for page in read_archive("crawl.warc.gz"):  # doctest: +SKIP
    ...     print(page.url, page.extract())
    """
    if format is None:
        _refuse(layout != "gristmill", columns, threads, progress, variants, keywords)
        return Archive(source)
    if format != "arrow":
        raise _gristmill.UnknownFormat(f"no format `{format}`; an archive has `arrow`")
    how = how_batches(options(variants=variants, **keywords), layout, columns, threads, progress)
    return _gristmill.RecordBatches.of_archive(source, how)


def _refuse(*given: Any) -> None:
    if any(value not in (None, False, {}) for value in given):
        raise TypeError('these keywords go with `format="arrow"`')
