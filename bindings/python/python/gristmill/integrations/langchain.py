"""For LangChain: a loader of documents, and a retriever. Needs `langchain-core`.

The documents are those that the server of `gristmill serve` has; `source` in their metadata is the address of the page.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.document_loaders import BaseLoader
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever

from gristmill.integrations._corpus import Corpus, CorpusError

__all__ = ["CorpusError", "GristmillLoader", "GristmillRetriever"]


class GristmillLoader(BaseLoader):
    """Loads what a search finds; everything that can be reached if the query is empty.

    `filters` are the parameters of `/api/v1/search`: `site`, `kind`, `language`, `from`, `to`, `sort`, `collapse`.
    """

    def __init__(
        self,
        query: str = "",
        *,
        address: str = "http://127.0.0.1:8080",
        token: str | None = None,
        limit: int | None = None,
        filters: dict[str, str] | None = None,
    ) -> None:
        self.query, self.limit, self.filters = query, limit, filters or {}
        self._corpus = Corpus(address, token)

    def lazy_load(self) -> Iterator[Document]:
        """One document after the other."""
        for text, about in self._corpus.documents(self.query, self.limit, **self.filters):
            yield Document(page_content=text, metadata=about, id=about["key"])


class GristmillRetriever(BaseRetriever):
    """Finds documents for a question by the full-text search of the corpus."""

    address: str = "http://127.0.0.1:8080"
    token: str | None = None
    k: int = 5
    filters: dict[str, str] = {}

    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun, **more: Any
    ) -> list[Document]:
        corpus = Corpus(self.address, self.token)
        found = corpus.documents(query, int(more.get("k", self.k)), **self.filters)
        return [Document(page_content=text, metadata=about, id=about["key"]) for text, about in found]
