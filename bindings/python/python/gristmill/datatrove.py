"""A reader of web archives and an extractor for pipelines of datatrove (``pip install datatrove``)::

from gristmill.datatrove import GristmillExtractor, WarcReader

pipeline = [WarcReader("archives"), GristmillExtractor(), JsonlWriter("texts")]
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ._archive import read_archive
from ._extract import extract
from ._gristmill import NoPage

try:
    from datatrove.data import DocumentsPipeline
    from datatrove.pipeline.extractors.base import BaseExtractor
    from datatrove.pipeline.readers.base import BaseDiskReader
    from datatrove.utils.typeshelper import StatHints
except ImportError as error:
    raise ImportError("gristmill.datatrove needs datatrove: pip install datatrove") from error


class WarcReader(BaseDiskReader):  # type: ignore[misc]  # datatrove has no types
    """The pages of web archives as documents: WARC 1.0 or 1.1, plain, gzip or zstd.

    The arguments are those of datatrove's readers of folders. ``text`` is the HTML, ``id`` the ID of the record, and
    ``metadata`` has ``url``, ``date`` and ``is_cut``. ``read_archive`` says what a page is. What is none is counted in
    the statistics by its reason, such as ``status``. Damage costs the records that it touches, and is counted as
    ``damaged``. An archive that is not on this machine is copied into a temporary file first.
    """

    name = "⚙ Gristmill WARC"

    def read_file(self, filepath: str) -> DocumentsPipeline:
        """Goes through the pages of one archive."""
        with self._on_disk(filepath) as path:
            archive = read_archive(path)
            try:
                for number, page in enumerate(archive):
                    with self.track_time():
                        fields = {"url": page.url, "date": page.fetched_at, "is_cut": page.is_cut}
                        data = {self.text_key: page.html, self.id_key: page.record_id, **fields}
                        document = self.get_document_from_dict(data, filepath, number)
                    if document:
                        yield document
            finally:
                # Also when a limit ended the reading.
                for what, count in archive.counts.items():
                    self.stat_update(what, value=count)

    @contextmanager
    def _on_disk(self, filepath: str) -> Iterator[str]:
        if self.data_folder.is_local():
            yield self.data_folder.resolve_paths(filepath)
            return
        with tempfile.NamedTemporaryFile(suffix=".warc") as copy:
            self.data_folder.get_file(filepath, copy.name)
            yield copy.name


class GristmillExtractor(BaseExtractor):  # type: ignore[misc]  # datatrove has no types
    """Replaces the HTML of each document by its main text, and drops documents without one.

    The keywords are those of ``gristmill.extract``. One has another default, ``title=False``: the title is no part of
    the main text. The address of a page is taken from ``metadata["url"]``, where readers of archives put it.

    Pages are read in this process, without a time-out: time and memory are bounded for any page, so no page is lost
    because the machine was busy, and a second run gives the same documents. What is no page (a PDF, a picture) is
    dropped and counted as ``no_page``.
    """

    name = "⚙ Gristmill"

    def __init__(self, **keywords: Any) -> None:
        # The time-out of the base class is for its sandbox, which is not used here.
        super().__init__(timeout=1)
        self.keywords = {"title": False, **keywords}
        self.extract("")  # raises here, and not in each process, when a keyword is wrong

    def extract(self, text: str, url: str | None = None) -> str:
        """The main text of a page, empty where there is none."""
        return extract(text, url, **self.keywords) or ""

    def run(self, data: DocumentsPipeline, rank: int = 0, world_size: int = 1) -> DocumentsPipeline:
        """Goes through the documents."""
        for doc in data:
            self.stat_update(StatHints.total)
            with self.track_time():
                try:
                    doc.text = self.extract(doc.text, doc.metadata.get("url"))
                except NoPage:
                    doc.text = ""
                    self.stat_update("no_page")
            if not doc.text:
                self.stat_update(StatHints.dropped)
                continue
            self.stat_update(StatHints.forwarded)
            self.update_doc_stats(doc)
            yield doc
