"""``read_archive`` over archives written here, whole and damaged."""

from pathlib import Path

import pytest

import gristmill
from archives import record

PAGE = "<title>Rye</title><h1>Rye</h1><p>Rye is a grass, and mills grind its grain day and night, in every season.</p>"


def test_pages_come_in_order_with_their_address_and_charset(tmp_path: Path) -> None:
    chinese = PAGE.replace("grass", "黑麦").encode("gbk")
    parts = [
        record("https://a.example/1", chinese),
        record("https://a.example/2", b"gone", status="404 Not Found"),
        record("https://a.example/3", b"\x89PNG", kind="image/png"),
        record("https://a.example/4", PAGE.encode(), kind="text/html; charset=no-such"),
    ]
    path = tmp_path / "a.warc.gz"
    path.write_bytes(b"".join(parts))
    archive = gristmill.read_archive(path)
    pages = list(archive)
    assert [page.url for page in pages] == ["https://a.example/1", "https://a.example/4"]
    assert pages[0].charset == "gbk" and pages[0].body == chinese and not pages[0].is_cut
    assert (pages[0].fetched_at, pages[0].record_id) == ("2026-01-02T03:04:05Z", "urn:x:https://a.example/1")
    assert "黑麦" in (pages[0].extract() or "")
    assert (pages[1].extract(format="markdown") or "").startswith("# Rye")
    assert archive.counts == {"pages": 2, "status": 1, "not html": 1}
    assert archive.damages == []


def test_damage_costs_its_record(tmp_path: Path) -> None:
    parts = [record(f"https://a.example/{n}", PAGE.encode()) for n in range(5)]
    whole = b"".join(parts)
    at = len(parts[0]) + len(parts[1]) + 12
    path = tmp_path / "a.warc.gz"
    path.write_bytes(whole[:at] + b"\xff" * 8 + whole[at + 8 :])
    archive = gristmill.read_archive(str(path))
    urls = [page.url for page in archive]
    assert {f"https://a.example/{n}" for n in (0, 1, 3, 4)} <= set(urls)
    assert archive.counts["damaged"] >= 1 and "offset" in archive.damages[0]


def test_what_is_no_file_or_no_archive(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        gristmill.read_archive(tmp_path / "missing.warc")
    (tmp_path / "page.html").write_text(PAGE)
    archive = gristmill.read_archive(tmp_path / "page.html")
    assert list(archive) == [] and archive.counts == {"damaged": 1}
    with pytest.raises(TypeError):
        gristmill.read_archive(None)  # type: ignore[call-overload]
