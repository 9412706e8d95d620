"""Main text of one page: forms, options, errors, bounds."""

from __future__ import annotations

import json
import threading
import time

import gristmill
import pytest


def test_each_format_has_the_main_text_and_neither_menu_nor_footer(story: str, url: str) -> None:
    for format in ("text", "markdown", "html", "json"):
        found = gristmill.extract(story, url, format=format)
        assert found and "four minutes late" in found and "Imprint" not in found and "Home" not in found, format
    assert (gristmill.extract(story) or "").startswith("The clock stands still\nThe clock of the old station")
    assert "**old station**" in (gristmill.extract(story, format="markdown") or "")
    assert "<strong>old station</strong>" in (gristmill.extract(story, format="html") or "")
    page = json.loads(gristmill.extract(story, url, format="json") or "")
    assert (page["author"], page["url"], page["kind"], page["file"]) == ("Ann Lee", url, "article", None)


def test_switches_leave_parts_out_or_put_them_in(story: str, url: str) -> None:
    def markdown(**switches: bool) -> str:
        return gristmill.extract(story, url, format="markdown", **switches) or ""  # type: ignore[arg-type]

    assert "Minutes late" in markdown() and "Minutes late" not in markdown(tables=False)
    assert "](https://www.valley.example/town)" in markdown() and "](" not in markdown(links=False)
    assert "clock.jpg" not in markdown() and "clock.jpg" in markdown(images=True)
    assert "forty years" not in (gristmill.extract(story, method="plain") or "")
    assert "forty years" in (gristmill.extract(story, method="plain", comments=True) or "")
    assert markdown().startswith("# The clock") and "# The clock" not in markdown(headings=False)


def test_the_title_comes_first_unless_it_is_not_wanted() -> None:
    page = "<title>Rye</title><p>It is a grass, and mills grind its grain day and night.</p>"
    text = "It is a grass, and mills grind its grain day and night."
    assert gristmill.extract(page) == "Rye\n" + text and gristmill.extract(page, title=False) == text
    assert gristmill.extract(page, format="markdown") == "# Rye\n\n" + text
    assert gristmill.extract(page, format="markdown", title=False) == text


def test_a_page_without_text_gives_none(story: str) -> None:
    for nothing in ("", b"", " ", "<title>Rye</title>", "<script>var a = 1</script>"):
        for format in ("text", "markdown", "html", "json"):
            assert gristmill.extract(nothing, format=format) is None
    assert (
        gristmill.extract(story, min_confidence=1.0) is None and gristmill.extract(story, min_confidence=0) is not None
    )


def test_a_product_without_a_text_has_json_all_the_same(mill: str) -> None:
    assert gristmill.extract(mill) is None
    page = json.loads(gristmill.extract(mill, format="json") or "")
    assert page["text"] == "" and page["reason"] and page["records"][0]["title"] == "Hand mill"


def test_every_method_reads_a_page_and_takes_parameters(story: str) -> None:
    assert gristmill.methods()[0] == "best"
    for method in gristmill.methods():
        assert isinstance(gristmill.extract(story, method=method), str), method
    assert gristmill.extract(story, method="vsse(t1=0.3)")


@pytest.mark.parametrize("charset", ["utf-8", "gb18030", "shift_jis", "utf-16", "big5", "euc-jp"])
def test_bytes_are_decoded_as_they_say_or_as_the_server_says(charset: str) -> None:
    line = (
        "石磨豆腐的做法是把大豆磨成漿，再加石膏。"
        if charset in ("big5", "gb18030")
        else "石臼で大豆を挽いて豆腐を作ります。"
    )
    page = f"<title>豆腐</title><h1>豆腐</h1><p>{line * 3}</p>"
    declared = f"<meta charset={charset}>{page}"
    assert line in (gristmill.extract(declared.encode(charset)) or "")
    assert line in (gristmill.extract(page.encode(charset), charset=charset) or "")
    # What is decoded already is not decoded again.
    assert line in (gristmill.extract(f"<meta charset=iso-8859-1>{page}") or "")


def test_errors_have_names_and_say_what_is_wrong(story: str) -> None:
    wrong: list[tuple[type[Exception], dict[str, object], str]] = [
        (gristmill.UnknownMethod, {"method": "magic"}, "`magic`"),
        (gristmill.UnknownMethod, {"method": "vsse(t9=1)"}, "`t9`"),
        (gristmill.UnknownFormat, {"format": "docx"}, "`docx`"),
        (gristmill.UnknownCharset, {"charset": "klingon"}, "`klingon`"),
        (gristmill.InvalidOption, {"min_confidence": 1.5}, "`min_confidence`"),
        (gristmill.InvalidOption, {"min_confidence": float("nan")}, "`min_confidence`"),
    ]
    for error, keywords, message in wrong:
        with pytest.raises(error, match=message) as raised:
            gristmill.extract(story, **keywords)  # type: ignore[arg-type]
        assert isinstance(raised.value, gristmill.GristmillError) and isinstance(raised.value, ValueError)


@pytest.mark.parametrize("what", [b"%PDF-1.7", b"\x89PNG\r\n\x1a\n", b"PK\x03\x04", b"\x00\x01\x02", "%PDF-1.7"])
def test_what_is_no_page_is_refused_by_every_function(what: str | bytes) -> None:
    for read in (gristmill.extract, gristmill.extract_metadata, gristmill.extract_records):
        with pytest.raises(gristmill.NoPage, match="this is a"):
            read(what)


@pytest.mark.parametrize("what", [None, 5, 1.5, [], {}, object()])
def test_other_types_are_type_errors(what: object) -> None:
    for read in (gristmill.extract, gristmill.extract_metadata, gristmill.extract_records):
        with pytest.raises(TypeError, match="`str` or `bytes`"):
            read(what)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        gristmill.extract("<p>Rye", 5)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        gristmill.extract("<p>Rye", colour="red")  # type: ignore[call-arg]


def test_lone_surrogates_and_odd_addresses_are_read() -> None:
    text = "is a grass, and mills grind its grain day and night."
    assert gristmill.extract(f"<p>Rye \ud800{text}</p>") == f"Rye \ufffd\ufffd\ufffd{text}"
    for url in ("", "no address", "http://[", "\ud800", "javascript:alert(1)", "http://a/" + "b" * 100_000):
        assert gristmill.extract(f"<p>Rye {text}<a href=x>y</a></p>", url, format="json")


@pytest.mark.parametrize(
    "token", ["<p>The text goes on, day and night.</p>", "<div>", "<a b='c'>x", "<table><td>", "&amp", "{", "中"]
)
def test_a_page_of_ten_megabytes_takes_bounded_time(token: str) -> None:
    page = "<!doctype html>" + token * (10_000_000 // len(token.encode()))
    began = time.process_time()
    gristmill.extract(page, format="markdown")
    gristmill.extract_records(page)
    # Ten times what it takes here without optimisation.
    assert time.process_time() - began < 60


def test_other_threads_run_while_a_page_is_read() -> None:
    page = "<p>The text goes on, day and night, and <a href=x>nobody</a> reads it.</p>" * 100_000
    took: list[float] = []

    def read() -> None:
        began = time.monotonic()
        gristmill.extract(page, format="markdown")
        took.append(time.monotonic() - began)

    reader = threading.Thread(target=read)
    reader.start()
    longest, before = 0.0, time.monotonic()
    while not took:
        time.sleep(0.001)
        longest, before = max(longest, time.monotonic() - before), time.monotonic()
    reader.join()
    assert longest < took[0] / 2, f"nothing else ran for {longest:.3f} s of {took[0]:.3f} s"


def test_all_pages_of_the_quality_gate_are_read_alike_as_bytes_and_twice(gate: list[tuple[bytes, str]]) -> None:
    for html, url in gate:
        found = gristmill.extract(html, url, format="json")
        assert found == gristmill.extract(html, url, format="json")
        assert found is None or (page := json.loads(found))["text"] or page["records"]
