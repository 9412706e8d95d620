"""Kills the first process that has read a part of an archive, as a machine that dies does. Python runs this at its start.

``GRISTMILL_DIE_ONCE`` names the file that shows that one has died.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from typing import Any


def die_once(pages: int) -> None:
    """Ends this process if it has read some pages and none has died."""
    if pages < 257:
        return
    try:
        os.close(os.open(os.environ["GRISTMILL_DIE_ONCE"], os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        return
    os.kill(os.getpid(), signal.SIGKILL)


def install() -> None:
    import gristmill
    from gristmill import _archive

    read_archive, pages = _archive.read_archive, _archive.Archive.__iter__

    def dying_read(source: Any, **keywords: Any) -> Any:
        if keywords.get("format") == "arrow":
            keywords["progress"] = die_once
        return read_archive(source, **keywords)

    def dying_pages(archive: Any) -> Iterator[Any]:
        for number, page in enumerate(pages(archive), 1):
            die_once(number)
            yield page

    gristmill.read_archive = dying_read
    _archive.Archive.__iter__ = dying_pages  # type: ignore[method-assign]


if "GRISTMILL_DIE_ONCE" in os.environ:
    install()
