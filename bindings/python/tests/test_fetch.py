"""``fetch_url`` and ``fetch_response``, from a server on this machine."""

from __future__ import annotations

import gzip
import threading
from collections.abc import Iterator
from configparser import ConfigParser
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import gristmill.compat.trafilatura as trafilatura
import pytest
from gristmill.compat.trafilatura.downloads import Response
from gristmill.compat.trafilatura.settings import use_config

PAGE = "<meta charset=gb2312><title>石磨</title><p>石磨把麦子磨成面粉。".encode("gb2312")


class Site(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        body, fields = PAGE, {}
        if self.path == "/packed":
            body, fields = gzip.compress(PAGE), {"Content-Encoding": "gzip"}
        if self.path == "/bomb":
            body, fields = gzip.compress(bytes(30_000_000)), {"Content-Encoding": "gzip"}
        if self.path == "/damaged":
            body, fields = b"\x1f\x8bnothing", {"Content-Encoding": "gzip"}
        if self.path == "/agent":
            body = f"{self.headers['User-Agent']} {self.headers['Cookie']}".encode()
        if self.path.startswith("/hop"):
            fields = {"Location": "/page" if self.path == "/hop1" else f"/hop{int(self.path[4:]) - 1}"}
        self.send_response(404 if self.path == "/none" else 302 if "Location" in fields else 200)
        for name, value in {"Content-Type": "text/html", **fields}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Site)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.fixture
def config() -> ConfigParser:
    config = use_config()
    config.set("DEFAULT", "SSRF_PROTECTION", "off")
    return config


@pytest.mark.parametrize("path", ["/page", "/packed", "/hop1", "/hop2"])
def test_a_page_comes_as_text(site: str, config: ConfigParser, path: str) -> None:
    assert trafilatura.fetch_url(site + path, config=config) == PAGE.decode("gb2312")


def test_an_answer_has_its_parts(site: str, config: ConfigParser) -> None:
    answer = trafilatura.fetch_response(site + "/hop1", config=config)
    assert isinstance(answer, Response) and answer and (answer.status, answer.url) == (200, site + "/page")
    assert answer.data == PAGE and answer.html is None and answer.as_dict()["headers"]["content-type"] == "text/html"
    assert "石磨" in str(answer) and trafilatura.extract(answer) == trafilatura.extract(PAGE)
    missing = trafilatura.fetch_response(site + "/none", decode=True, config=config)
    assert missing and missing.status == 404 and missing.html == PAGE.decode("gb2312")


@pytest.mark.parametrize("path", ["/none", "/bomb", "/damaged", "/hop9"])
def test_what_is_no_page_is_none(site: str, config: ConfigParser, path: str, caplog: pytest.LogCaptureFixture) -> None:
    assert trafilatura.fetch_url(site + path, config=config) is None
    assert path in caplog.text


@pytest.mark.parametrize("url", ["", "ftp://a.example/", "file:///etc/passwd", "http://", "http://[", "http://nowhere.invalid/"])
def test_what_is_no_address_is_none(url: str) -> None:
    assert trafilatura.fetch_url(url) is None


def test_private_addresses_are_refused(site: str, caplog: pytest.LogCaptureFixture) -> None:
    assert trafilatura.fetch_url(site + "/page") is None
    assert "SSRF_PROTECTION" in caplog.text


def test_settings_of_downloads_hold(site: str, config: ConfigParser) -> None:
    config.set("DEFAULT", "USER_AGENTS", "\nmy-agent\nother")
    config.set("DEFAULT", "COOKIE", "a=b")
    assert trafilatura.fetch_url(site + "/agent", config=config) == "my-agent a=b"
    config.set("DEFAULT", "MAX_FILE_SIZE", "10")
    assert trafilatura.fetch_url(site + "/page", config=config) is None
    config.set("DEFAULT", "MAX_FILE_SIZE", "20000000")
    config.set("DEFAULT", "MIN_FILE_SIZE", "1000")
    assert trafilatura.fetch_url(site + "/page", config=config) is None
