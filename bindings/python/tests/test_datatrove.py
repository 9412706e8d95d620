"""The extractor for datatrove, in a pipeline of datatrove."""

from __future__ import annotations

import gzip
import json
import pickle
from pathlib import Path

import gristmill
import pytest

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
