"""Small programs, written for trafilatura, run with one import changed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

TO_MARKDOWN = """
import sys
from pathlib import Path
from {module} import extract

for path in sorted(Path(sys.argv[1]).glob("*.html")):
    result = extract(path.read_bytes(), output_format="markdown", include_comments=False, with_metadata=True)
    if result is None:
        print("nothing in", path.name, file=sys.stderr)
        continue
    path.with_suffix(".md").write_text(result, encoding="utf-8")
    print(path.name, len(result) > 100)
"""

TO_JSON_LINES = """
import json, sys
from pathlib import Path
import {module} as trafilatura

with open(Path(sys.argv[1]) / "corpus.jsonl", "w", encoding="utf-8") as out:
    for path in sorted(Path(sys.argv[1]).glob("*.html")):
        found = trafilatura.extract(
            path.read_text(encoding="utf-8"), url="https://valley.example/" + path.name, record_id=path.stem,
            output_format="json", with_metadata=True, target_language="en", fast=True,
        )
        if found:
            record = json.loads(found)
            out.write(json.dumps({{key: record[key] for key in ("id", "title", "date", "source", "text")}}) + "\\n")
            print(record["id"], record["title"], record["date"])
"""

METADATA_FIRST = """
import sys
from pathlib import Path
from {module} import bare_extraction, baseline, extract_metadata, html2txt

for path in sorted(Path(sys.argv[1]).glob("*.html")):
    html = path.read_text(encoding="utf-8")
    metadata = extract_metadata(html, default_url="https://valley.example/" + path.name)
    document = bare_extraction(html, with_metadata=True, include_tables=False)
    if document is None:
        _, text, length = baseline(html)
        print(path.name, "baseline", length == len(text), "clock" in html2txt(html))
    else:
        print(path.name, metadata.author, document.as_dict()["sitename"], "Minutes late" in document.text)
"""

PROGRAMS = {"markdown": TO_MARKDOWN, "json-lines": TO_JSON_LINES, "metadata": METADATA_FIRST}


def run(program: str, folder: Path) -> str:
    environment = {**os.environ, "PYTHONWARNINGS": "ignore"}
    done = subprocess.run([sys.executable, "-c", program, folder], capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def folder(tmp_path: Path, story: str) -> Path:
    (tmp_path / "clock.html").write_text(story, encoding="utf-8")
    (tmp_path / "empty.html").write_text("<title>Nothing</title><body></body>", encoding="utf-8")
    (tmp_path / "station.html").write_text(story.replace("clock", "station bell"), encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_prints_the_same_with_one_import_changed(folder: Path, name: str) -> None:
    ours = run(PROGRAMS[name].format(module="gristmill.compat.trafilatura"), folder)
    assert len(ours.splitlines()) >= 2
    if name == "json-lines":
        records = [json.loads(line) for line in (folder / "corpus.jsonl").read_text("utf-8").splitlines()]
        assert [record["id"] for record in records] == ["clock", "station"] and "abbey" in records[0]["text"]
    pytest.importorskip("trafilatura")
    assert ours == run(PROGRAMS[name].format(module="trafilatura"), folder)
