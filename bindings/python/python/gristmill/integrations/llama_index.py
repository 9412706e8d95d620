"""For LlamaIndex: a reader of documents. Needs `llama-index-core`.

The documents are those that the server of `gristmill serve` has; `source` in their metadata is the address of the page.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from llama_index.core.readers.base import BaseReader
from llama_index.core.schema import Document

from gristmill.integrations._corpus import Corpus, CorpusError

__all__ = ["CorpusError", "GristmillReader"]

#: For the index that is built, and not for the model that embeds.
APART = ["key", "score", "fetched_at", "domain"]


class GristmillReader(BaseReader):
    """Reads what a search finds; everything that can be reached if the query is empty."""

    def __init__(self, address: str = "http://127.0.0.1:8080", token: str | None = None) -> None:
        self._corpus = Corpus(address, token)

    def lazy_load_data(self, query: str = "", limit: int | None = None, **filters: Any) -> Iterable[Document]:
        """One document after the other; `filters` are the parameters of `/api/v1/search`."""
        for text, about in self._corpus.documents(query, limit, **filters):
            yield Document(
                text=text, metadata=about, id_=about["key"], excluded_embed_metadata_keys=APART, excluded_llm_metadata_keys=APART
            )
