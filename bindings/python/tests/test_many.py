"""Many pages on several threads."""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Iterator
from typing import Any

import gristmill
import pytest


def page(n: int) -> str:
    return f"<p>This is page {n}, and mills grind its grain day and night.</p>"


def text(n: int) -> str:
    return f"This is page {n}, and mills grind its grain day and night."


@pytest.mark.parametrize("threads", [1, 2, 5, None])
def test_results_come_in_the_order_of_the_pages(threads: int | None) -> None:
    # Every seventh takes longer than those after it.
    pages = [page(n) if n % 7 else page(n) + "<div><p>The text goes on.</p></div>" * 5_000 for n in range(100)]
    found = list(gristmill.extract_many(pages, threads=threads))
    assert [(result or "").split("\n")[0] for result in found] == [text(n) for n in range(100)]


def test_pages_are_asked_for_as_results_are_taken() -> None:
    asked: list[int] = []

    def endless() -> Iterator[str]:
        for n in itertools.count():
            asked.append(n)
            yield page(n)

    results = gristmill.extract_many(endless(), threads=2)
    assert not asked
    for n in range(50):
        assert next(results) == text(n) and len(asked) <= n + 1 + 4
    results.close()  # type: ignore[attr-defined]
    time.sleep(0.1)
    assert len(asked) <= 54


def test_no_thread_is_left_when_the_results_are_taken_or_left() -> None:
    def running() -> int:
        return sum(thread.name.startswith("gristmill") for thread in threading.enumerate())

    list(gristmill.extract_many([page(1)] * 10, threads=4))
    results = gristmill.extract_many([page(1)] * 10, threads=4)
    next(results)
    del results
    until = time.monotonic() + 10
    while running() and time.monotonic() < until:
        time.sleep(0.01)
    assert running() == 0


def test_pages_with_addresses_and_options(story: str, url: str) -> None:
    results = gristmill.extract_many([(story, url), (story.encode(), None), story], format="markdown", tables=False)
    with_address, *others = list(results)
    assert "https://www.valley.example/town" in (with_address or "")
    assert others[0] == others[1] and "Minutes late" not in (others[0] or "")
    assert list(gristmill.extract_many([])) == []


def test_what_is_no_page_gives_none_and_the_rest_goes_on() -> None:
    assert list(gristmill.extract_many([page(1), b"%PDF-1.7", "", page(2)])) == [text(1), None, None, text(2)]


def test_with_errors_returned_each_page_has_a_result_and_no_text_is_not_no_page() -> None:
    def pages() -> Iterator[Any]:
        yield from [page(1), b"%PDF-1.7", "", None, bytearray(b"<p>"), (page(2), "https://mill.example/", 3), page(3)]
        raise OSError("the disk is gone")

    seen: list[int] = []
    found = list(gristmill.extract_many(pages(), errors="return", threads=2, progress=seen.append))
    kinds = [str, gristmill.NoPage, type(None), TypeError, type(None), ValueError, str, OSError]
    assert [type(result) for result in found] == kinds and found[6] == text(3)
    assert seen == list(range(1, 9))


def test_wrong_keywords_raise_at_once_and_wrong_pages_in_their_turn() -> None:
    wrong: list[tuple[type[Exception], dict[str, object]]] = [
        (gristmill.UnknownMethod, {"method": "magic"}),
        (gristmill.UnknownFormat, {"format": "docx"}),
        (gristmill.InvalidOption, {"threads": 0}),
        (TypeError, {"colour": "red"}),
    ]
    for error, keywords in wrong:
        with pytest.raises(error):
            gristmill.extract_many([], **keywords)  # type: ignore[call-overload]
    results = gristmill.extract_many([page(1), None], threads=1)  # type: ignore[list-item]
    assert next(results) == text(1)
    with pytest.raises(TypeError):
        next(results)


def test_many_pages_give_what_single_ones_give(gate: list[tuple[bytes, str]]) -> None:
    some = gate[::5]
    found = gristmill.extract_many(some, threads=3, format="markdown")
    assert list(found) == [gristmill.extract(html, url, format="markdown") for html, url in some]
