"""The error for what another library can do and this one cannot."""

from __future__ import annotations

from .. import GristmillError


class Unsupported(GristmillError, NotImplementedError):
    """A function or keyword of the other library has no counterpart here. None is ignored silently."""


def refuse(reason: str, **keywords: object) -> None:
    """Raises for the first keyword that says something."""
    for name, value in keywords.items():
        if value:
            raise Unsupported(f"`{name}` has no counterpart here: {reason}")
