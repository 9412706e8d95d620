"""What a page may be given as."""

from __future__ import annotations

from typing import Protocol, Union

# Longest page that is read; what is behind it has no effect.
_MOST = 16 << 20


class Readable(Protocol):
    """A file that is open for reading, of bytes or of text."""

    def read(self, size: int, /) -> str | bytes: ...


Page = Union[str, bytes, bytearray, memoryview, Readable]
"""A page: text, or bytes in any charset, or a file that is read from where it stands."""


def page_of(page: Page) -> str | bytes:
    """The page as the native part takes it. What is something else is left to it, which refuses it."""
    if isinstance(page, (str, bytes)):
        return page
    if isinstance(page, (bytearray, memoryview)):
        # A copy: it may change while it is read.
        return bytes(page)
    return _read(page) if callable(getattr(page, "read", None)) else page  # type: ignore[return-value]


def _read(file: Readable) -> str | bytes:
    """The content of a file, which may give less than it is asked for."""
    pieces: list[str | bytes] = []
    left = _MOST
    while left > 0 and (piece := file.read(left)):
        pieces.append(piece)
        left -= len(piece)
    empty: str | bytes = "" if pieces and isinstance(pieces[0], str) else b""
    return empty.join(pieces)  # type: ignore[arg-type]
