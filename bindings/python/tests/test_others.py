"""Programs that were written for trafilatura run on this package: they are installed from the Python Package Index."""

from __future__ import annotations

import importlib
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import gristmill.compat.trafilatura
import pytest


@pytest.fixture
def in_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever imports trafilatura gets ours, as if the import had been changed."""
    for name in ("", ".core", ".downloads", ".metadata", ".settings"):
        ours = importlib.import_module(f"gristmill.compat.trafilatura{name}")
        monkeypatch.setitem(sys.modules, f"trafilatura{name}", ours)


@pytest.mark.usefixtures("in_its_place")
def test_minet_extracts(story: str) -> None:
    """medialab/minet (GPL-3.0), as it is installed: what its command ``minet extract`` writes of a page."""
    pytest.importorskip("minet")
    minet: ModuleType = pytest.importorskip("minet.extraction")
    found = minet.extract(story)
    assert found.title == "The clock stands still" and found.author == "Ann Lee" and found.date == "2024-05-02"
    assert found.sitename == "Valley News" and "clock" in found.tags and "abbey" in found.content
    assert "forty years" in found.comments and "forty years" not in found.content
    assert minet.extract("<title>Nothing</title>") is None


@pytest.mark.usefixtures("in_its_place")
def test_fetch_url_package_extracts(story: str) -> None:
    """fetch-url-package (MIT), as it is installed: it asks for recall, and for no repetitions."""
    package: ModuleType = pytest.importorskip("fetch_url_package")
    with pytest.warns(gristmill.compat.Ignored, match="favor_recall"):
        text = package.extract_content(story, method="trafilatura", include_tables=True)
    assert "abbey" in text and "Minutes late" in text and "forty years" not in text


DATATROVE = """
import sys
{change}
from datatrove.data import Document
from datatrove.pipeline.extractors import Trafilatura

def main():
    pages = [Document(text=open(path, encoding="utf-8").read(), id=path) for path in sys.argv[1:]]
    # Its time-out, one second, is for a page and for the start of a process.
    for document in Trafilatura(timeout=60).run(iter(pages)):
        print(len(document.text) > 300, "abbey" in document.text, "forty years" in document.text)

if __name__ == "__main__":
    main()
"""
CHANGE = "import gristmill.compat.trafilatura; sys.modules['trafilatura'] = gristmill.compat.trafilatura"


@pytest.mark.parametrize("change", [CHANGE, ""], ids=["gristmill.compat.trafilatura", "trafilatura"])
def test_the_extractor_of_datatrove_itself_runs(tmp_path: Path, story: str, change: str) -> None:
    """huggingface/datatrove (Apache-2.0) as it is installed: it asks for precision, and for no repetitions."""
    pytest.importorskip("datatrove")
    pytest.importorskip("trafilatura")
    (tmp_path / "story.html").write_text(story, encoding="utf-8")
    (tmp_path / "empty.html").write_text("<title>Nothing</title>", encoding="utf-8")
    (tmp_path / "program.py").write_text(DATATROVE.format(change=change), encoding="utf-8")
    command = [sys.executable, "program.py", "story.html", "empty.html"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert done.stdout.split("\n")[:-1] == ["True True False"], done.stderr
