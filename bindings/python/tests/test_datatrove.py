"""The extractor for datatrove, in a pipeline of datatrove."""

from __future__ import annotations

import gzip
import json
import pickle
from pathlib import Path

import gristmill
import pytest
from archives import record

pytest.importorskip("datatrove")


def test_a_pipeline_writes_the_texts_of_its_pages(tmp_path: Path, story: str, url: str) -> None:
    from datatrove.executor import LocalPipelineExecutor
    from datatrove.pipeline.readers import JsonlReader
    from datatrove.pipeline.writers import JsonlWriter
    from gristmill.datatrove import GristmillExtractor

    pages = [
        {"text": story, "id": "1", "url": url},
        {"text": "%PDF-1.7", "id": "2"},
        {"text": "<title>Rye</title>", "id": "3"},
    ]
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "pages.jsonl").write_text("".join(json.dumps(page) + "\n" for page in pages), encoding="utf-8")
    LocalPipelineExecutor(
        pipeline=[
            JsonlReader(str(tmp_path / "in")),
            GristmillExtractor(format="markdown", tables=False),
            JsonlWriter(str(tmp_path / "out")),
        ],
        logging_dir=str(tmp_path / "logs"),
    ).run()
    (written,) = (tmp_path / "out").glob("*.jsonl.gz")
    (document,) = [json.loads(line) for line in gzip.open(written, "rt", encoding="utf-8")]
    assert document["id"] == "1"
    # The address is known, and the title stands in the text already.
    assert document["text"] == gristmill.extract(story, url, format="markdown", tables=False, title=False)
    stats = json.loads((tmp_path / "logs" / "stats.json").read_text("utf-8"))
    (step,) = [step["stats"] for step in stats if "Gristmill" in step["name"]]
    counts = {name: value["total"] if isinstance(value, dict) else value for name, value in step.items()}
    assert (counts["total"], counts["forwarded"], counts["dropped"], counts["no_page"]) == (3, 1, 2, 1)


def test_an_extractor_checks_its_keywords_and_can_be_sent_to_other_processes(story: str) -> None:
    from gristmill.datatrove import GristmillExtractor

    with pytest.raises(gristmill.UnknownMethod):
        GristmillExtractor(method="magic")
    with pytest.raises(gristmill.UnknownFormat):
        GristmillExtractor(format="docx")
    with pytest.raises(TypeError):
        GristmillExtractor(colour="red")
    extractor = pickle.loads(pickle.dumps(GristmillExtractor()))
    assert extractor.extract(story) == gristmill.extract(story, title=False) and extractor.extract("") == ""


def test_a_pipeline_reads_archives_and_counts_what_is_no_page(tmp_path: Path, story: str, url: str) -> None:
    from datatrove.executor import LocalPipelineExecutor
    from datatrove.pipeline.writers import JsonlWriter
    from gristmill.datatrove import GristmillExtractor, WarcReader

    chinese = "<title>石磨</title><p>石磨用来磨豆腐，也磨面粉，村里的人每天都用它，从早到晚都有人来。</p>".encode("gbk")
    records = [
        record(url, story.encode(), kind="text/html"),
        record("https://a.example/gone", b"gone", status="404 Not Found"),
        record("https://a.example/mill", chinese, kind="text/html; charset=gbk"),
        record("https://a.example/lost", story.encode()),
    ]
    records[3] = records[3][:40] + b"\xff" * 8 + records[3][48:]
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.warc.gz").write_bytes(b"".join(records))
    LocalPipelineExecutor(
        pipeline=[WarcReader(str(tmp_path / "in")), GristmillExtractor(), JsonlWriter(str(tmp_path / "out"))],
        logging_dir=str(tmp_path / "logs"),
    ).run()
    (written,) = (tmp_path / "out").glob("*.jsonl.gz")
    first, second, *_ = [json.loads(line) for line in gzip.open(written, "rt", encoding="utf-8")]
    assert first["text"] == gristmill.extract(story, url, title=False)
    assert (first["id"], first["metadata"]["url"]) == (f"urn:x:{url}", url)
    assert first["metadata"]["date"] == "2026-01-02T03:04:05Z"
    assert "石磨用来磨豆腐" in second["text"]
    stats = json.loads((tmp_path / "logs" / "stats.json").read_text("utf-8"))
    (step,) = [step["stats"] for step in stats if "Gristmill WARC" in step["name"]]
    counts = {name: value["total"] if isinstance(value, dict) else value for name, value in step.items()}
    assert counts["status"] == 1 and counts["damaged"] >= 1 and counts["pages"] >= 2


def test_a_limit_ends_a_reader_and_archives_elsewhere_are_copied(story: str) -> None:
    import fsspec
    from gristmill.datatrove import WarcReader

    files = fsspec.filesystem("memory")
    archive = b"".join(record(f"https://a.example/{n}", story.encode(), kind="text/html") for n in range(3))
    files.pipe_file("/archives/a.warc.gz", archive)
    reader = WarcReader("memory://archives", limit=2)
    documents = list(reader.run())
    assert [document.metadata["url"] for document in documents] == ["https://a.example/0", "https://a.example/1"]
    assert documents[0].text == story
