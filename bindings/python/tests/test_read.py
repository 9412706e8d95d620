"""All that is known of a page, as one object."""

from __future__ import annotations

import pickle
from datetime import date, datetime, timezone

import gristmill
import pytest


def test_a_document_has_what_the_single_functions_give(gate: list[tuple[bytes, str]]) -> None:
    for html, url in gate[::7]:
        page = gristmill.read(html, url)
        assert page.text == gristmill.extract(html, url, title=False)
        assert page.markdown == gristmill.extract(html, url, format="markdown")
        assert page.metadata == gristmill.extract_metadata(html, url)
        assert list(page.records) == gristmill.extract_records(html, url)
        assert (page.text is None) == (page.reason is not None) and page.url is not None


def test_a_page_without_text_says_why() -> None:
    page = gristmill.read("<p>")
    assert (page.text, page.markdown, page.reason) == (None, None, "no text on the page")
    unsure = gristmill.read("<p>Rye is a grass, and mills grind its grain day and night.", min_confidence=1.0)
    assert (unsure.text, unsure.reason) == (None, "the confidence is too low")
    with pytest.raises(gristmill.NoPage):
        gristmill.read(b"%PDF-1.7 ")
    with pytest.raises(TypeError):
        gristmill.read("<p>", format="text")


def test_dates_are_dates(story: str, url: str) -> None:
    page = gristmill.read(story, url)
    assert page.metadata.published_at == datetime(2024, 5, 2, 8, tzinfo=timezone.utc)
    assert page.metadata.published_on == date(2024, 5, 2)
    day = gristmill.read("<meta property=article:published_time content=2024-05-02><h1>Rye</h1><p>Rye is a grass.</p>")
    assert (day.metadata.published_at, day.metadata.published_on) == (None, date(2024, 5, 2))
    assert gristmill.read("<p>Rye").metadata.published_on is None


def test_rights_and_fingerprint_are_typed(story: str) -> None:
    page = gristmill.read("<meta name=robots content=noai><link rel=license href=https://creativecommons.org/licenses/by/4.0/>" + story)
    assert page.rights.robots == ("noai",) and page.rights.licence == "cc-by-4.0"
    assert 0 < page.simhash < 1 << 64 and page == pickle.loads(pickle.dumps(page))


def test_variants_are_given_where_they_are_asked_for(gate: list[tuple[bytes, str]]) -> None:
    agreements = []
    for html, url in gate[::7]:
        page, plain = gristmill.read(html, url, variants=True), gristmill.read(html, url)
        assert plain.variants is None and (plain.text, plain.confidence) == (page.text, page.confidence)
        if page.variants is not None:
            agreements.append(page.variants.agreement)
            assert len(page.variants.precision.split()) <= len(page.variants.recall.split())
    assert len(agreements) > 10 and all(0 <= agreement <= 1 for agreement in agreements) and min(agreements) < 1
    assert gristmill.read(gate[0][0], method="vsse", variants=True).variants is None
    with pytest.raises(TypeError):
        gristmill.extract_many([], variants=True)
