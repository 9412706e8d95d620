"""The parts for LangChain and LlamaIndex, over a real server with a real corpus."""

from __future__ import annotations

import functools
import http.server
import os
import re
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

PROGRAM = os.environ.get("GRISTMILL_PROGRAM", "")

needs_program = pytest.mark.skipif(not PROGRAM, reason="GRISTMILL_PROGRAM names no program")

TEXT = "<p>The stones of this mill are of {stone}, and the miller dresses them twice a year with a bill of hard steel.</p>"


class Quiet(http.server.SimpleHTTPRequestHandler):
    extensions_map = {"": "text/html"}

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where a server has the three pages of a site."""
    folder = tmp_path_factory.mktemp("site")
    links = "".join(f"<a href=/{stone}.html>{stone}</a>" for stone in ["granite", "burr", "basalt"])
    (folder / "index.html").write_text(f"<title>Mills</title>{links}", "utf-8")
    for stone in ["granite", "burr", "basalt"]:
        page = f"<title>Mill of {stone}</title><h1>Mill of {stone}</h1>" + TEXT.format(stone=stone) * 3
        (folder / f"{stone}.html").write_text(page, "utf-8")
    site = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=folder))
    threading.Thread(target=site.serve_forever, daemon=True).start()
    data = tmp_path_factory.mktemp("data")
    settings = {f"GRISTMILL__FRONTIER__POLITENESS__{name}": "0s" for name in ["MIN_DELAY", "IP_DELAY"]}
    environment = {**os.environ, **settings}
    start = f"http://127.0.0.1:{site.server_port}/"
    crawl = [PROGRAM, "--data", str(data), "crawl", "--allow-private", start]
    subprocess.run(crawl, check=True, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    config = Path(data, "tokens.toml")
    config.write_text('[[searcher.tokens]]\ntoken = "of-the-test"\nscopes = ["search"]\n', "utf-8")
    serve = [PROGRAM, "--config", str(config), "--data", str(data), "serve", "--listen", "127.0.0.1:0"]
    with subprocess.Popen(serve, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
        assert server.stdout
        found = re.search(r"http://[^/\s]+", server.stdout.readline())
        assert found
        yield found[0]
        server.kill()
    site.shutdown()


@needs_program
def test_langchain_loads_and_retrieves_documents(address: str) -> None:
    pytest.importorskip("langchain_core")
    from gristmill.integrations.langchain import CorpusError, GristmillLoader, GristmillRetriever

    loader = GristmillLoader("mill", address=address, token="of-the-test")
    documents = loader.load()
    assert {document.metadata["title"] for document in documents} >= {f"Mill of {s}" for s in ["granite", "burr", "basalt"]}
    (granite,) = GristmillRetriever(address=address, token="of-the-test", k=1).invoke("granite")
    assert "stones of this mill are of granite" in granite.page_content
    assert granite.metadata["source"].endswith("/granite.html") and granite.id == granite.metadata["key"]
    limited = GristmillLoader("mill", address=address, token="of-the-test", limit=2, filters={"language": "en"}).load()
    assert len(limited) == 2
    with pytest.raises(CorpusError, match="token"):
        GristmillLoader(address=address).load()
    with pytest.raises(CorpusError, match="no parameter"):
        GristmillLoader(address=address, token="of-the-test", filters={"colour": "red"}).load()


@needs_program
def test_llama_index_reads_documents(address: str) -> None:
    pytest.importorskip("llama_index.core")
    from gristmill.integrations.llama_index import GristmillReader

    reader = GristmillReader(address, token="of-the-test")
    (burr,) = reader.load_data(query="burr", limit=1)
    assert "stones of this mill are of burr" in burr.text and burr.metadata["source"].endswith("/burr.html")
    assert burr.id_ == burr.metadata["key"]
    assert len(reader.load_data(query="mill")) >= 3
