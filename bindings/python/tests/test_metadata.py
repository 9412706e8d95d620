"""What a page says of itself."""

from __future__ import annotations

import copy
import pickle
from dataclasses import FrozenInstanceError

import gristmill
import pytest


def test_metadata_has_the_fields_of_the_page(story: str, url: str) -> None:
    page = gristmill.extract_metadata(story, url)
    assert page.title == "The clock stands still"
    assert (page.author, page.published, page.site_name) == ("Ann Lee", "2024-05-02T08:00:00Z", "Valley News")
    assert page.language_score is not None and page.language_score > 0.5
    assert (page.script, page.languages) == ("Latn", (gristmill.LanguageShare("en", 1.0),))
    assert (page.language, page.kind, page.keywords) == ("en", "article", ("clock", "station"))
    assert page.canonical_url == "https://www.valley.example/clock"
    assert 0.5 < page.kind_probability <= 1 and not page.noindex and not page.nofollow
    assert page.sources["author"].source == "meta" and 0 < page.sources["author"].confidence <= 1
    assert set(page.sources) == {"title", "author", "published"}


def test_what_a_page_does_not_say_is_none_or_empty() -> None:
    page = gristmill.extract_metadata("<p>Rye")
    assert (page.author, page.published, page.site_name, page.canonical_url, page.image) == (None,) * 5
    assert (page.keywords, page.feeds) == ((), ()) and page.sources.keys() <= {"title"}
    empty = gristmill.extract_metadata(b"")
    assert empty.title is None and empty.sources == {}


def test_feeds_have_addresses_and_titles(url: str) -> None:
    html = "<link rel=alternate type=application/rss+xml href=/feed title=News><p>Rye"
    assert gristmill.extract_metadata(html, url).feeds == (gristmill.Feed("https://www.valley.example/feed", "News"),)
    assert gristmill.extract_metadata("<meta name=robots content='noindex, nofollow'>").noindex


def test_metadata_is_frozen_and_can_be_compared_copied_and_pickled(story: str) -> None:
    page = gristmill.extract_metadata(story)
    assert page == pickle.loads(pickle.dumps(page)) == copy.deepcopy(page)
    assert len({page, copy.copy(page)}) == 1
    with pytest.raises(FrozenInstanceError):
        page.title = "other"  # type: ignore[misc]


def test_metadata_of_all_pages_of_the_quality_gate(gate: list[tuple[bytes, str]]) -> None:
    titled = sum(bool(gristmill.extract_metadata(html, url).title) for html, url in gate)
    assert titled > len(gate) * 0.95
