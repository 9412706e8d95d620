"""How open-source programs call trafilatura, with one import changed: datatrove itself, and the calls of others, written anew."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from types import ModuleType
from typing import Any

import gristmill.compat.trafilatura
import pytest

MODULES = ["gristmill.compat.trafilatura", "trafilatura"]


@pytest.fixture(params=MODULES)
def trafilatura(request: pytest.FixtureRequest) -> ModuleType:
    """Ours, and theirs where it is installed."""
    module: ModuleType = pytest.importorskip(request.param)
    return module


def test_storm_turns_pages_into_articles(trafilatura: ModuleType, story: str) -> None:
    """``WebPageHelper.urls_to_articles`` of stanford-oval/storm (MIT), ``knowledge_storm/utils.py``."""

    def article(page: bytes) -> str | None:
        found = trafilatura.extract(page, include_tables=False, include_comments=False, output_format="txt")
        return found if found is not None and len(found) > 150 else None

    with ThreadPoolExecutor(max_workers=4) as executor:
        first, second = executor.map(article, [story.encode(), b"<title>Nothing</title>"])
    assert first and "abbey" in first and "Minutes late" not in first and "forty years" not in first
    assert second is None


def test_llama_index_passes_every_switch(trafilatura: ModuleType, story: str) -> None:
    """``TrafilaturaWebReader.load_data`` of run-llama/llama_index (MIT). ``fetch_url`` is another client here."""

    def load(url: str, **keywords: Any) -> str:
        downloaded = urllib.request.urlopen(url).read()
        switches = {"include_comments": True, "output_format": "txt", "include_tables": True, "include_images": False}
        switches |= {"include_formatting": False, "include_links": False}
        return trafilatura.extract(downloaded, **switches, **keywords) or ""

    class Site(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(story.encode())

        def log_message(self, *_: object) -> None:
            pass

    site = HTTPServer(("127.0.0.1", 0), Site)
    threading.Thread(target=site.serve_forever, daemon=True).start()
    try:
        url = f"http://127.0.0.1:{site.server_port}/"
        text = load(url)
        assert "abbey" in text and "Imprint" not in text
        with_wish = load(url, favor_recall=True) if trafilatura.__name__ == "trafilatura" else None
        if with_wish is None:
            with pytest.warns(gristmill.compat.Ignored, match="favor_recall"):
                with_wish = load(url, favor_recall=True)
        assert "abbey" in with_wish
    finally:
        site.shutdown()
        site.server_close()


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


@pytest.mark.parametrize("change", [CHANGE, ""], ids=MODULES)
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


def test_articles_of_an_archive_become_json_lines(trafilatura: ModuleType, story: str, url: str) -> None:
    """Scripts that read CC-News with warcio ask for a dictionary, and pass over what is short."""
    lines = []
    for page in (story.encode(), b"<p>Short"):
        with pytest.warns(DeprecationWarning, match="as_dict"):
            data = trafilatura.bare_extraction(
                page, url=url, with_metadata=True, include_comments=False, include_tables=False, as_dict=True
            )
        text = ((data or {}).get("text") or "").strip()
        if len(text) >= 300:
            fields = {name: data.get(name) for name in ("hostname", "date", "title")}
            lines.append(json.dumps({"url": url, **fields, "n_chars": len(text), "text": text}))
    (line,) = [json.loads(line) for line in lines]
    assert (line["date"], line["title"]) == ("2024-05-02", "The clock stands still") and "abbey" in line["text"]
