"""The corpus behind `gristmill serve`, by its JSON API."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any
from urllib.error import HTTPError
from urllib.parse import quote, urlencode
from urllib.request import ProxyHandler, Request, build_opener

#: Hits of one request, and the last that a search can reach.
PAGE, LAST = 100, 10_000

#: What is known of a document besides its text.
FIELDS = ["key", "url", "title", "author", "published", "language", "kind", "domain", "fetched_at", "description"]


class CorpusError(Exception):
    """The server refuses; the message is its own."""


class Corpus:
    """A server that is asked for documents.

    `address` is that of `gristmill serve`; `token` one of `searcher.tokens`, where it has some. A proxy of the environment is used
    for other machines only.
    """

    def __init__(self, address: str = "http://127.0.0.1:8080", token: str | None = None, timeout: float = 30.0) -> None:
        self.address, self.timeout = address.rstrip("/"), timeout
        self._fields = {"Accept": "application/json"}
        if token:
            self._fields["Authorization"] = f"Bearer {token}"
        local = self.address.split("://")[-1].startswith(("127.", "localhost", "[::1]"))
        self._opener = build_opener(ProxyHandler({})) if local else build_opener()

    def _get(self, path: str) -> Any:
        request = Request(f"{self.address}/api/v1/{path}", headers=self._fields)
        try:
            with self._opener.open(request, timeout=self.timeout) as answer:
                return json.load(answer)
        except HTTPError as error:
            raise CorpusError(_message(error)) from error

    def search(self, query: str, limit: int | None = None, **filters: str) -> Iterator[dict[str, Any]]:
        """The hits of a search, best first, as they come; all that can be reached without a `limit`."""
        left, offset = LAST if limit is None else limit, 0
        while left > 0 and offset <= LAST:
            parameters = {"q": query, "limit": min(left, PAGE), "offset": offset, **filters}
            answer = self._get(f"search?{urlencode(parameters)}")
            yield from answer["hits"]
            if not answer["more"] or not answer["hits"]:
                return
            left, offset = left - len(answer["hits"]), offset + len(answer["hits"])

    def document(self, key: str) -> dict[str, Any]:
        """A document by its key or address."""
        found: dict[str, Any] = self._get(f"document/{quote(key, safe='')}")
        return found

    def documents(self, query: str, limit: int | None = None, **filters: str) -> Iterator[tuple[str, dict[str, Any]]]:
        """The texts of the documents that a search finds, each with what is known of it."""
        for hit in self.search(query, limit, **filters):
            found = self.document(hit["key"])
            about = {name: found[name] for name in FIELDS if found.get(name) not in (None, "")}
            pairs = [[pair["name"], pair["value"]] for pair in found.get("attributes", [])]
            if pairs:
                about["attributes"] = json.dumps(pairs, ensure_ascii=False)
            yield found["text"], {"source": found["url"], "score": hit["score"], **about}


def _message(error: HTTPError) -> str:
    try:
        return str(json.load(error)["error"]["message"])
    except (ValueError, KeyError, TypeError):
        return f"status {error.code}"
