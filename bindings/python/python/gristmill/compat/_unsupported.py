"""What another library can do and this one cannot."""

from __future__ import annotations

import warnings

from .. import GristmillError


class Unsupported(GristmillError, NotImplementedError):
    """A function or keyword of the other library has no counterpart here, and the result would have another meaning."""


class Ignored(UserWarning):
    """A keyword of the other library changes nothing here: a wish that is met as far as one way to read pages can."""


def refuse(reason: str, **keywords: object) -> None:
    """Raises for the first keyword that says something."""
    for name, value in keywords.items():
        if value:
            raise Unsupported(f"`{name}` has no counterpart here: {reason}")


def ignore(reason: str, stacklevel: int, **keywords: object) -> None:
    """Warns of each keyword that says something."""
    for name, value in keywords.items():
        if value:
            warnings.warn(f"`{name}` changes nothing here: {reason}", Ignored, stacklevel=stacklevel + 1)
