"""An extractor for pipelines of datatrove, which need it installed (``pip install datatrove``)::

from gristmill.datatrove import GristmillExtractor

pipeline = [WarcReader("data"), GristmillExtractor(), JsonlWriter("texts")]
"""

from __future__ import annotations

from typing import Any

from ._extract import extract
from ._gristmill import NoPage

try:
    from datatrove.data import DocumentsPipeline
    from datatrove.pipeline.extractors.base import BaseExtractor
    from datatrove.utils.typeshelper import StatHints
except ImportError as error:
    raise ImportError("gristmill.datatrove needs datatrove: pip install datatrove") from error


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
