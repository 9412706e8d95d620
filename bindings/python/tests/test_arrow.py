"""Pages and archives as Arrow record batches, taken over by the libraries that people use."""

from __future__ import annotations

import io
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gristmill
import pytest
from archives import record

pyarrow = pytest.importorskip("pyarrow")

PAGE = "<title>Rye</title><h1>Rye</h1><p>Rye is a grass, and mills grind its grain day and night, in every season.</p>"
HTML = "text/html; charset=utf-8"


def table(batches: gristmill.RecordBatches) -> Any:
    return pyarrow.RecordBatchReader.from_stream(batches).read_all()


@pytest.fixture
def archive(tmp_path: Path, story: str, mill: str) -> Path:
    parts = [
        record("https://a.example/gone", b"gone", status="404 Not Found"),
        record("https://a.example/story", story.encode(), kind=HTML),
        record("https://shop.b.example/mill", mill.encode(), kind=HTML),
        record("https://a.example/empty", b"<p></p>", kind=HTML),
        *[record(f"https://c.example/{n}", PAGE.replace("Rye", f"Rye {n}").encode(), kind=HTML) for n in range(600)],
    ]
    path = tmp_path / "a.warc.gz"
    path.write_bytes(b"".join(parts))
    return path


def test_an_archive_gives_typed_rows_in_its_order(archive: Path) -> None:
    batches = gristmill.read_archive(archive, format="arrow", threads=3)
    found = table(batches)
    assert batches.counts == {"pages": 602, "status": 1, "no text": 1} and batches.damages == []
    assert found.column("url").to_pylist()[:3] == [
        "https://a.example/story",
        "https://shop.b.example/mill",
        "https://c.example/0",
    ]
    first = found.slice(0, 1).to_pylist()[0]
    assert first["published_at"].isoformat() == "2024-05-02T08:00:00+00:00" and first["author"] == "Ann Lee"
    assert first["languages"][0]["language"] == "en" and first["file_path"] == str(archive)
    assert first["metadata"]["WARC-Target-URI"] == "https://a.example/story" and first["domain"] == "a.example"
    product = found.slice(1, 1).to_pylist()[0]
    assert product["price_amount"] == 49.0 and first["records"] is None
    assert product["records"][0]["price"] == {"amount": 49.0, "currency": product["price_currency"]}
    assert found.schema.field("simhash").type == pyarrow.uint64() and len(found.column("text").chunks) > 1


def test_variants_are_columns_behind_the_others(archive: Path, story: str) -> None:
    found = table(gristmill.read_archive(archive, format="arrow", columns=["url", "text"], variants=True))
    assert found.column_names == ["url", "text", "text_precision", "text_recall", "variant_agreement"]
    pages = table(gristmill.extract_many([(story, None)], format="arrow", columns=["text"], variants=True))
    assert found.slice(0, 1).to_pylist()[0]["text_recall"] == pages.to_pylist()[0]["text_recall"] != None  # noqa: E711
    assert 0 < pages.to_pylist()[0]["variant_agreement"] <= 1


def test_threads_do_not_change_rows_and_columns_are_chosen(archive: Path) -> None:
    names = ["url", "text", "language_score"]
    one = table(gristmill.read_archive(archive, format="arrow", columns=names, threads=1))
    many = table(gristmill.read_archive(archive, format="arrow", columns=names, threads=4))
    assert one.column_names == names and one.equals(many)
    fineweb = table(gristmill.read_archive(archive, format="arrow", layout="fineweb"))
    assert fineweb.column_names[:5] == ["text", "id", "dump", "url", "date"]


def test_an_archive_gives_what_the_program_writes(archive: Path, tmp_path: Path) -> None:
    program = os.environ.get("GRISTMILL_PROGRAM")
    if not program:
        pytest.skip("GRISTMILL_PROGRAM names no program")
    out = tmp_path / "out"
    command = [program, "dataset", str(archive), "--out", str(out), "--data", str(tmp_path / "data")]
    subprocess.run(command, check=True, capture_output=True)
    written = pytest.importorskip("pyarrow.parquet").read_table(out / "data/part-00000.parquet")
    given = table(gristmill.read_archive(archive, format="arrow"))
    assert given.schema.equals(written.schema)
    assert given.combine_chunks().equals(written.combine_chunks())


def test_libraries_take_the_stream_over(archive: Path) -> None:
    def batches() -> gristmill.RecordBatches:
        return gristmill.read_archive(archive, format="arrow")

    polars = pytest.importorskip("polars")
    frame = polars.DataFrame(batches())
    assert frame.height == 602 and frame["price_amount"].sum() == 49.0
    duckdb = pytest.importorskip("duckdb")
    stream = batches()  # noqa: F841  # DuckDB finds it by its name
    found = duckdb.sql("select domain, count(*) from stream group by domain order by domain").fetchall()
    assert found == [("a.example", 1), ("b.example", 1), ("c.example", 600)]
    pandas = pytest.importorskip("pandas")
    assert len(table(batches()).to_pandas()) == 602 and pandas


def test_pages_give_a_row_each_with_the_reason_where_there_is_no_text() -> None:
    html = PAGE.encode()
    more: list[gristmill.Page] = [b"%PDF-1.7", "", bytearray(html), io.BytesIO(html), "\ud800 " + PAGE]
    pages: list[gristmill.Page | tuple[gristmill.Page, str | None]] = [(PAGE, "https://a.example/1"), *more]
    seen: list[int] = []
    columns = ["url", "domain", "text", "reason"]
    batches = gristmill.extract_many(pages, format="arrow", columns=columns, progress=seen.append)
    rows = table(batches).to_pylist()
    assert [bool(row["text"]) for row in rows] == [True, False, False, True, True, True]
    assert rows[0]["url"] == "https://a.example/1" and rows[0]["domain"] == "a.example" and rows[0]["reason"] is None
    assert "PDF" in rows[1]["reason"] and "no text" in rows[2]["reason"]
    assert seen == [6] and batches.counts == {"pages": 6}


def test_errors_are_rows_or_end_the_stream() -> None:
    def pages() -> Iterator[Any]:
        yield PAGE
        yield None
        yield PAGE
        raise ValueError("the disk is gone")

    columns = ["text", "reason"]
    rows = table(gristmill.extract_many(pages(), format="arrow", columns=columns, errors="return")).to_pylist()
    assert [bool(row["text"]) for row in rows] == [True, False, True, False]
    assert "TypeError" in rows[1]["reason"] and rows[3]["reason"] == "ValueError: the disk is gone"
    with pytest.raises(Exception, match="TypeError"):
        table(gristmill.extract_many(pages(), format="arrow"))


def test_a_stream_is_taken_once_and_may_be_left_alone() -> None:
    batches = gristmill.extract_many([PAGE], format="arrow")
    assert pyarrow.schema(batches).names[:3] == ["url", "title", "text"]
    capsule = batches.__arrow_c_stream__()
    assert capsule is not None
    with pytest.raises(gristmill.GristmillError, match="already"):
        batches.__arrow_c_stream__()
    del capsule, batches
    assert table(gristmill.extract_many([], format="arrow")).num_rows == 0


def test_pages_are_asked_for_batch_by_batch() -> None:
    asked = 0

    def endless() -> Iterator[str]:
        nonlocal asked
        while True:
            asked += 1
            yield "<p>Rye is a grass, and mills grind its grain.</p>"

    reader = pyarrow.RecordBatchReader.from_stream(gristmill.extract_many(endless(), format="arrow", columns=["text"]))
    assert reader.read_next_batch().num_rows == 256 and asked == 256


def test_wrong_keywords_raise_at_once(archive: Path) -> None:
    with pytest.raises(gristmill.InvalidOption, match="no column `colour`"):
        gristmill.read_archive(archive, format="arrow", columns=["colour"])
    with pytest.raises(gristmill.InvalidOption, match="unknown layout"):
        gristmill.extract_many([], format="arrow", layout="common")  # type: ignore[call-overload]
    with pytest.raises(gristmill.UnknownFormat):
        gristmill.read_archive(archive, format="csv")  # type: ignore[call-overload]
    with pytest.raises(TypeError):
        gristmill.read_archive(archive, columns=["text"])  # type: ignore[call-overload]
    with pytest.raises(TypeError):
        gristmill.extract_many([], columns=["text"])
    with pytest.raises(FileNotFoundError):
        gristmill.read_archive(archive.with_name("missing.warc"), format="arrow")


def test_an_open_file_is_an_archive(archive: Path) -> None:
    with archive.open("rb") as file:
        pages = gristmill.read_archive(file)
        first = next(iter(pages))
        assert first.url == "https://a.example/story" and pages.offset > 0
    in_memory = io.BytesIO(archive.read_bytes())
    assert table(gristmill.read_archive(in_memory, format="arrow", columns=["url"])).num_rows == 602
    with pytest.raises(TypeError, match="a file of bytes"):
        list(gristmill.read_archive(io.StringIO("WARC/1.1")))  # type: ignore[call-overload]


def test_an_error_of_the_file_ends_the_reading(archive: Path) -> None:
    class Broken(io.BytesIO):
        def read(self, size: int | None = -1, /) -> bytes:
            if self.tell() > 4_000:
                raise OSError("the disk is gone")
            return super().read(min(size or 0, 1_000))

    with pytest.raises(OSError, match="the disk is gone"):
        list(gristmill.read_archive(Broken(archive.read_bytes())))
    with pytest.raises(Exception, match="the disk is gone"):
        table(gristmill.read_archive(Broken(archive.read_bytes()), format="arrow"))
