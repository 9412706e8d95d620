"""Rows of pages as Arrow record batches."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Literal, Union

from . import _gristmill
from ._gristmill import RecordBatches

Layout = Literal["gristmill", "fineweb", "fineweb-2", "dclm"]
Progress = Callable[[int], object]
"""Is called with the number of pages that were read so far."""
HowBatches = tuple[_gristmill.Options, str, Union[list[str], None], int, Union[Progress, None]]


def how_batches(
    options: _gristmill.Options,
    layout: Layout,
    columns: Sequence[str] | None,
    threads: int | None,
    progress: Progress | None,
) -> HowBatches:
    """Checks what batches are made by, but for the names of layout and columns, which the native part checks."""
    return options, layout, None if columns is None else list(columns), thread_count(threads), progress


def thread_count(threads: int | None) -> int:
    """So many threads; by default one for each core."""
    if threads is not None and threads < 1:
        raise _gristmill.InvalidOption(f"`threads` is at least 1, not `{threads}`")
    return threads or os.cpu_count() or 1


__all__ = ["Layout", "Progress", "RecordBatches", "how_batches", "thread_count"]
