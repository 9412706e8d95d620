"""The loaders of LangChain and LlamaIndex that speak to Firecrawl, over `gristmill serve --firecrawl`."""

from __future__ import annotations

import functools
import http.server
import importlib.util
import os
import re
import subprocess
import threading
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

PROGRAM = os.environ.get("GRISTMILL_PROGRAM", "")
MODES = ["scrape", "crawl", "map"]

pytestmark = pytest.mark.skipif(not PROGRAM, reason="GRISTMILL_PROGRAM names no program")


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("site")
    text = "<p>The stones of this mill are of {0}, and the miller dresses them twice a year with a bill of hard steel.</p>"
    for stone in ["granite", "burr"]:
        page = "<title>Mill of {0}</title><h1>Mill of {0}</h1>" + text
        (folder / f"{stone}.html").write_text(page.format(stone), "utf-8")
    links = "<a href=/granite.html>granite</a> <a href=/burr.html>burr</a>"
    (folder / "index.html").write_text(f"<title>Mills</title>{links}", "utf-8")
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()


@pytest.fixture(scope="module")
def door(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """What a client of Firecrawl is told: its address and key."""
    data = tmp_path_factory.mktemp("data")
    pauses = {f"GRISTMILL__FRONTIER__POLITENESS__{name}": "0s" for name in ["MIN_DELAY", "IP_DELAY"]}
    command = [PROGRAM, "--data", str(data), "serve", "--firecrawl", "--allow-private", "--listen", "127.0.0.1:0"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env={**os.environ, **pauses}
    ) as server:
        assert server.stdout
        found = re.search(r"http://[^/\s]+", server.stdout.readline())
        assert found
        yield {"api_url": found[0], "api_key": Path(data, "doors.token").read_text("utf-8").strip()}
        server.kill()


def check(mode: str, texts: list[str], site: str) -> None:
    if mode == "map":
        assert sorted(texts) == [site, f"{site}burr.html", f"{site}granite.html"]
    else:
        stones = ["granite"] if mode == "scrape" else ["burr", "granite"]
        for stone in stones:
            assert any(text.startswith(f"# Mill of {stone}") and f"are of {stone}" in text for text in texts), texts


@pytest.mark.parametrize("mode", MODES)
def test_langchain_loads(site: str, door: dict[str, str], mode: Any) -> None:
    pytest.importorskip("firecrawl")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        loaders = pytest.importorskip("langchain_community.document_loaders.firecrawl")
    url = site if mode != "scrape" else f"{site}granite.html"
    documents = loaders.FireCrawlLoader(url=url, mode=mode, **door).load()
    check(mode, [document.page_content for document in documents], site)


@pytest.mark.parametrize("mode", MODES)
def test_llama_index_loads(site: str, door: dict[str, str], mode: Any) -> None:
    pytest.importorskip("firecrawl")
    readers = importlib.util.find_spec("llama_index.readers") if importlib.util.find_spec("llama_index") else None
    folders = (readers.submodule_search_locations if readers else None) or []
    # Its package imports every reader of the web, with the browsers that they drive.
    files = [file for folder in folders if (file := Path(folder, "web/firecrawl_web/base.py")).exists()]
    if not files:
        pytest.skip("no llama-index-readers-web")
    spec = importlib.util.spec_from_file_location("firecrawl_web", files[0])
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    url = site if mode != "scrape" else f"{site}granite.html"
    documents = module.FireCrawlWebReader(mode=mode, **door).load_data(url=url)
    check(mode, [document.metadata["url"] if mode == "map" else document.text for document in documents], site)
