"""The module with the functions of trafilatura."""

from __future__ import annotations

import csv
import inspect
import io
import json
import warnings
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree

import gristmill
import gristmill.compat.trafilatura as trafilatura
import pytest
from gristmill.compat import Ignored, Unsupported
from gristmill.compat.trafilatura.settings import DEFAULT_CONFIG, use_config

FUNCTIONS = (
    "extract bare_extraction extract_with_metadata extract_metadata fetch_url fetch_response html2txt baseline".split()
)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_signatures_are_those_of_trafilatura(name: str) -> None:
    theirs = pytest.importorskip("trafilatura")

    def parameters(function: Any) -> list[tuple[str, Any, Any]]:
        found = inspect.signature(function).parameters.values()
        # The default of `config` is an object of trafilatura.
        return [(one.name, one.kind, None if one.name == "config" else one.default) for one in found]

    assert parameters(getattr(trafilatura, name)) == parameters(getattr(theirs, name))


def test_documents_have_the_fields_of_trafilatura(story: str, url: str) -> None:
    theirs = pytest.importorskip("trafilatura")
    ours = trafilatura.bare_extraction(story, url=url, with_metadata=True)
    other = theirs.bare_extraction(story, url=url, with_metadata=True)
    assert isinstance(ours, trafilatura.Document) and list(ours.as_dict()) == list(other.as_dict())
    for field in ("title", "author", "url", "sitename", "date", "hostname"):
        assert getattr(ours, field) == getattr(other, field), field
    for format in ("json", "xml"):
        keywords: dict[str, Any] = {"url": url, "output_format": format, "with_metadata": True, "record_id": "7"}
        one, two = trafilatura.extract(story, **keywords), theirs.extract(story, **keywords)
        if format == "json":
            assert json.loads(one or "").keys() == json.loads(two).keys()
        else:
            assert [part.tag for part in ElementTree.fromstring(one or "")] == [
                part.tag for part in ElementTree.fromstring(two)
            ]


def test_text_has_comments_below_unless_they_are_not_wanted(story: str) -> None:
    text = trafilatura.extract(story) or ""
    assert text.startswith("The clock stands still\n") and text.index("four minutes") < text.index("forty years")
    assert "forty years" not in (trafilatura.extract(story, include_comments=False) or "")
    assert "Minutes late" not in (trafilatura.extract(story, include_tables=False) or "")
    assert "**old station**" in (trafilatura.extract(story, include_formatting=True) or "")


def test_each_format_has_its_shape(story: str, url: str) -> None:
    def get(format: str, **keywords: Any) -> str:
        return trafilatura.extract(story, url=url, output_format=format, **keywords) or ""

    assert json.loads(get("json")).keys() == {"text", "comments"}
    about = json.loads(get("json", with_metadata=True, record_id="7"))
    assert (about["id"], about["source-hostname"], about["tags"]) == ("7", "Valley News", "clock;station")
    (row,) = csv.reader(io.StringIO(get("csv", with_metadata=True)), delimiter="\t")
    assert row[0] == "https://www.valley.example/clock" and row[4] == "The clock stands still" and "forty" in row[8]
    doc = ElementTree.fromstring(get("xml", with_metadata=True, include_links=True, include_images=True))
    assert (
        doc.attrib["author"] == "Ann Lee" and doc.find(".//ref[@target='https://www.valley.example/town']") is not None
    )
    assert [cell.text for cell in doc.findall(".//row[2]/cell")] == ["Monday", "14"]
    assert doc.find("main/head") is not None and len(doc.findall("comments/p")) == 2
    assert "".join(doc.find("main/p").itertext()).startswith("The clock of the old station has")  # type: ignore[union-attr]
    page = get("html", with_metadata=True)
    assert page.startswith("<html>") and '<meta name="author" content="Ann Lee">' in page and "<table>" in page
    header, text = get("markdown", with_metadata=True).removeprefix("---\n").split("---\n", 1)
    assert "title: The clock stands still\n" in header and 'date: "2024-05-02"\n' in header and "**old" in text


def test_pages_that_are_not_wanted_give_none(story: str, url: str) -> None:
    assert trafilatura.extract(story, target_language="de") is None and trafilatura.extract(story, target_language="en")
    assert trafilatura.extract(story, url=url, only_with_metadata=True)
    assert trafilatura.extract("<p>Rye is a grass, and mills grind it.</p>", url=url, only_with_metadata=True) is None
    assert trafilatura.extract(story, url=url, url_blacklist={"https://www.valley.example/clock"}) is None
    document = trafilatura.bare_extraction(story, author_blacklist={"ann lee"})
    assert isinstance(document, trafilatura.Document) and document.author is None
    for nothing in (None, "", b"%PDF-1.7"):
        assert trafilatura.extract(nothing) is None and trafilatura.bare_extraction(nothing) is None


def test_what_trafilatura_takes_for_a_page_is_taken(story: str) -> None:
    text = trafilatura.extract(story)
    assert trafilatura.extract(story.encode()) == text
    assert trafilatura.extract(SimpleNamespace(data=story.encode(), status=200)) == text
    with pytest.raises(TypeError):
        trafilatura.extract(5)
    lxml = pytest.importorskip("lxml.html")
    assert trafilatura.extract(lxml.fromstring(story)) == text
    foreign = "<meta charset=gb18030><p>Straße, Bäume, Flüsse: all of it is text of a page.</p>"
    assert "Straße" in (trafilatura.extract(lxml.fromstring(foreign)) or "")


REFUSED: list[dict[str, Any]] = [
    {"prune_xpath": "//aside"},
    {"options": SimpleNamespace()},
    {"tei_validation": True},
    {"max_tree_size": 100},
    {"output_format": "xmltei"},
    {"include_links": True},
    {"include_images": True, "output_format": "json"},
    {"include_formatting": False, "output_format": "markdown"},
]


@pytest.mark.parametrize("keywords", REFUSED, ids=lambda keywords: ",".join(keywords))
def test_what_has_no_counterpart_raises_and_names_the_keyword(story: str, keywords: dict[str, Any]) -> None:
    with pytest.raises(Unsupported, match=next(iter(keywords))) as raised:
        trafilatura.extract(story, **keywords)
    assert isinstance(raised.value, gristmill.GristmillError) and isinstance(raised.value, NotImplementedError)


@pytest.mark.parametrize(
    "keywords",
    [
        {"favor_precision": True},
        {"favor_recall": True},
        {"deduplicate": True},
        {"date_extraction_params": {"original_date": False}},
    ],
    ids=lambda keywords: ",".join(keywords),
)
def test_a_wish_that_changes_nothing_is_told_where_it_was_made(story: str, keywords: dict[str, Any]) -> None:
    with pytest.warns(Ignored, match=next(iter(keywords))) as caught:
        assert trafilatura.extract(story, **keywords) == trafilatura.extract(story)
    assert caught[0].filename == __file__
    with pytest.warns(Ignored, match="date_config"):
        trafilatura.extract_metadata(story, date_config={"original_date": False})


def test_what_has_no_counterpart_says_so() -> None:
    with pytest.raises(Unsupported):
        trafilatura.load_html("<p>Rye")
    with pytest.raises(gristmill.UnknownFormat):
        trafilatura.extract("<p>Rye", output_format="docx")


def test_settings_of_trafilatura_hold_where_they_mean_something(story: str, tmp_path: Path) -> None:
    config = use_config()
    config.set("DEFAULT", "EXTRACTION_TIMEOUT", "0")
    assert trafilatura.extract(story, config=config) == trafilatura.extract(story)
    config.set("DEFAULT", "MIN_OUTPUT_SIZE", "100000")
    assert trafilatura.extract(story, config=config), "the comments are long enough"
    config.set("DEFAULT", "MIN_OUTPUT_COMM_SIZE", "100000")
    assert trafilatura.extract(story, config=config) is None
    file = tmp_path / "settings.cfg"
    file.write_text("[DEFAULT]\nMIN_OUTPUT_SIZE = 100000\nMIN_OUTPUT_COMM_SIZE = 100000\n")
    assert trafilatura.extract(story, settingsfile=str(file)) is None
    config = use_config()
    config.set("DEFAULT", "MAX_TREE_SIZE", "10")
    with pytest.raises(Unsupported, match="MAX_TREE_SIZE"):
        trafilatura.extract(story, config=config)
    with pytest.raises(TypeError, match="ConfigParser"):
        trafilatura.extract(story, config={"a": 1})
    with pytest.raises(FileNotFoundError, match="nowhere"):
        trafilatura.extract(story, settingsfile="nowhere")
    theirs = pytest.importorskip("trafilatura.settings")
    assert trafilatura.extract(story, config=theirs.use_config()) == trafilatura.extract(story)
    unequal = {key for key, value in theirs.DEFAULT_CONFIG.items("DEFAULT") if DEFAULT_CONFIG.get("DEFAULT", key) != value}
    assert unequal == {"insecure_ssl_fallback"}


def test_deprecated_keywords_warn_and_fast_changes_nothing(story: str) -> None:
    assert trafilatura.extract(story, fast=True) == trafilatura.extract(story)
    with pytest.warns(DeprecationWarning, match="no_fallback"):
        trafilatura.extract(story, no_fallback=True)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        document = trafilatura.bare_extraction(story, as_dict=True)
    assert isinstance(document, dict) and document["text"] and caught[0].filename == __file__


def test_small_functions_give_text(story: str, url: str) -> None:
    assert "Imprint" in trafilatura.html2txt(story) and "\n" not in trafilatura.html2txt(story)
    body, text, length = trafilatura.baseline(story)
    assert length == len(text) and [p.text for p in body] == text.split("\n")
    assert trafilatura.html2txt("") == "" and trafilatura.baseline(b"%PDF-1.7")[1:] == ("", 0)
    found = trafilatura.extract_metadata(story, url)
    assert (found.title, found.date, found.text) == ("The clock stands still", "2024-05-02", None)
    assert trafilatura.extract_metadata(b"%PDF-1.7").title is None
    with_metadata = trafilatura.extract_with_metadata(story, url, output_format="markdown")
    assert with_metadata and with_metadata.author == "Ann Lee" and "author: Ann Lee" in (with_metadata.text or "")


def test_all_pages_of_the_quality_gate_become_xml(gate: list[tuple[bytes, str]]) -> None:
    for html, url in gate[::3]:
        found = trafilatura.extract(
            html,
            url=url,
            output_format="xml",
            with_metadata=True,
            include_links=True,
            include_images=True,
            include_formatting=True,
        )
        if found is not None:
            assert ElementTree.fromstring(found).find("main") is not None
