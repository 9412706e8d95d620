"""The forms in which pages are given, and errors as results."""

from __future__ import annotations

import io
from collections.abc import Iterator

import gristmill
import pytest

RYE = "<title>Rye</title><h1>Rye</h1><p>Rye is a grass, and mills grind its grain day and night, all year.</p>"
TEXT = "Rye\nRye is a grass, and mills grind its grain day and night, all year."


@pytest.mark.parametrize("given", [RYE, RYE.encode(), bytearray(RYE.encode()), memoryview(RYE.encode())])
def test_bytes_of_all_kinds_are_pages(given: gristmill.Page) -> None:
    assert gristmill.extract(given) == TEXT
    assert gristmill.extract_metadata(given).title == "Rye"


class Slow(io.RawIOBase):
    """A file that gives a few bytes at a time."""

    def __init__(self, content: bytes) -> None:
        self.content = content

    def read(self, size: int = -1, /) -> bytes:
        piece, self.content = self.content[:7], self.content[7:]
        return piece


def test_open_files_are_pages() -> None:
    for file in (io.BytesIO(RYE.encode()), io.StringIO(RYE), Slow(RYE.encode())):
        assert gristmill.extract(file) == TEXT
    assert gristmill.extract(io.BytesIO(b"")) is None


def test_errors_may_be_results_and_end_nothing() -> None:
    def pages() -> Iterator[object]:
        yield from (RYE, b"%PDF-1.7", "", 5, io.StringIO(RYE), (RYE, "https://mill.example/"), (RYE, "a", "b"))
        raise OSError("the disk is gone")

    found = list(gristmill.extract_many(pages(), errors="return", threads=2))  # type: ignore[call-overload]
    kinds = [type(result).__name__ for result in found]
    assert kinds == ["str", "NoPage", "NoneType", "TypeError", "str", "str", "ValueError", "OSError"]
    with pytest.raises(gristmill.InvalidOption):
        gristmill.extract_many([], errors="ignore")  # type: ignore[call-overload]
