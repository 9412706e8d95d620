"""Whatever bytes come in, nothing but results and errors with names comes out."""

from __future__ import annotations

import gzip
import json
import os
import random
from pathlib import Path

import gristmill
import gristmill.compat.trafilatura as trafilatura
import pytest

PIECES = [
    b"<table>",
    b"</p>",
    b"<script>",
    b"<!--",
    b"&#x110000;",
    b"\xff",
    b"\xed\xa0\x80",
    b"\x1b$B",
    b"\0",
    b"<svg>",
]


def read_in_all_ways(html: bytes, url: str | None = None) -> None:
    """Raises what is no `NoPage`; a panic is none."""
    for page in (html, html.decode("utf-8", "surrogateescape")):
        try:
            json.loads(gristmill.extract(page, url, format="json") or "{}")
            gristmill.extract(page, url, format="markdown", images=True, comments=True)
            gristmill.extract(page, url, format="html", tables=False)
            gristmill.extract_records(page, url)
            gristmill.extract_metadata(page, url)
            trafilatura.extract(page, url, output_format="xml", with_metadata=True, include_formatting=True)
        except gristmill.NoPage:
            pass


def damaged(page: bytes, chance: random.Random) -> bytes:
    """Pieces of a page in another order, some of them cut, and others between them."""
    cuts = sorted(chance.randrange(len(page) + 1) for _ in range(chance.randrange(2, 9)))
    pieces = [page[start:end] for start, end in zip([0, *cuts], [*cuts, len(page)], strict=True)]
    chance.shuffle(pieces)
    return b"".join(piece + chance.choice(PIECES) * chance.choice((1, 1, 1, 300)) for piece in pieces)


def test_damaged_pages_are_read(gate: list[tuple[bytes, str]]) -> None:
    chance = random.Random(7)
    for html, url in gate[::4]:
        read_in_all_ways(damaged(html[:60_000], chance), url)


def test_random_bytes_are_read() -> None:
    chance = random.Random(8)
    for n in range(200):
        read_in_all_ways(chance.randbytes(n * 5))
        read_in_all_ways(b"<" + chance.randbytes(n * 5))


def test_pages_of_the_data_packages_are_read(root: Path) -> None:
    data = Path(os.environ.get("GRISTMILL_DATA", root.parent / "shared" / "data"))
    files = [file for folder in sorted(data.glob("*/*/pages")) for file in sorted(folder.glob("*.html*"))[::80]]
    if not files:
        pytest.skip("no data packages; GRISTMILL_DATA names their folder")
    for file in files:
        page = file.read_bytes()
        read_in_all_ways(gzip.decompress(page) if file.suffix == ".gz" else page)
