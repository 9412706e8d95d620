"""A page from its address, with the Python standard library."""

from __future__ import annotations

import http.client
import ipaddress
import logging
import socket
import ssl
import urllib.error
import urllib.request
import zlib
from configparser import ConfigParser
from typing import Any

from .. import __version__, _gristmill
from ._settings import DEFAULT_CONFIG, number, switch

_LOGGER = logging.getLogger(__name__)
_PIECE = 1 << 17


class Response:
    """The answer of a server: ``data`` is the body without its coding, ``html`` the same as text once it is decoded."""

    __slots__ = ["data", "headers", "html", "status", "url"]

    def __init__(self, data: bytes, status: int, url: str, headers: dict[str, str] | None = None) -> None:
        self.data = data
        self.headers = headers
        self.html: str | None = None
        self.status = status
        self.url = url

    def __bool__(self) -> bool:
        return self.data is not None

    def __str__(self) -> str:
        return self.html or _gristmill.decode(self.data, self._content_type)

    def decode_data(self, decode: bool) -> None:
        """Fills ``html`` in the charset that header, page or bytes show."""
        if decode and self.data:
            self.html = _gristmill.decode(self.data, self._content_type)

    @property
    def _content_type(self) -> str | None:
        return (self.headers or {}).get("content-type")

    def as_dict(self) -> dict[str, Any]:
        """The fields by name."""
        return {name: getattr(self, name) for name in self.__slots__}


def fetch_response(
    url: str,
    *,
    decode: bool = False,
    no_ssl: bool = False,
    with_headers: bool = False,
    config: ConfigParser = DEFAULT_CONFIG,
) -> Response | None:
    """The answer to a GET, redirects followed; None, and a line in the log, where there is none.

    Private addresses are refused unless ``SSRF_PROTECTION`` is off, or a proxy is set. ``no_ssl`` does without the check of
    certificates; nothing else does. robots.txt is not asked.
    """
    try:
        response = _get(url, no_ssl, config)
    except (OSError, http.client.HTTPException, zlib.error, ValueError) as error:
        _LOGGER.error("download error: %s %s", url, error)
        return None
    response.decode_data(decode)
    return response


def fetch_url(
    url: str, no_ssl: bool = False, config: ConfigParser = DEFAULT_CONFIG, options: Any = None
) -> str | None:
    """The page as text; None where there is none, or it is shorter or longer than the settings want."""
    config = options.config if options else config
    response = fetch_response(url, decode=True, no_ssl=no_ssl, config=config)
    if response is None or response.html is None:
        return None
    if response.status != 200:
        _LOGGER.error("not a 200 response: %s for URL %s", response.status, url)
        return None
    return response.html if len(response.html) >= number(config, "MIN_FILE_SIZE") else None


def _get(url: str, no_ssl: bool, config: ConfigParser) -> Response:
    if not url.startswith(("http://", "https://")):
        raise ValueError("no http(s) address")
    agents = config.get("DEFAULT", "USER_AGENTS", fallback="").split("\n")
    headers = {
        "User-Agent": next(filter(None, map(str.strip, agents)), f"gristmill/{__version__}"),
        "Accept-Encoding": "gzip, deflate",
    }
    if cookie := config.get("DEFAULT", "COOKIE", fallback=""):
        headers["Cookie"] = cookie
    request = urllib.request.Request(url, headers=headers)
    try:
        answer = _opener(no_ssl, config).open(request, timeout=number(config, "DOWNLOAD_TIMEOUT"))
    except urllib.error.HTTPError as error:
        answer = error
    with answer:
        data = _body(answer, number(config, "MAX_FILE_SIZE"))
        fields = {name.lower(): value for name, value in answer.headers.items()}
        return Response(data, answer.status, answer.url, fields)


def _body(answer: Any, most: int) -> bytes:
    """The body without its coding. Raises ``ValueError`` when it is longer than ``most`` bytes."""
    coding = (answer.headers.get("content-encoding") or "").strip().lower()
    unpack = zlib.decompressobj(wbits=47) if coding in ("gzip", "x-gzip", "deflate") else None
    body = bytearray()
    while piece := answer.read(_PIECE):
        body += unpack.decompress(piece, most + 1 - len(body)) if unpack else piece
        if len(body) > most or (unpack and unpack.unconsumed_tail):
            raise ValueError(f"more than MAX_FILE_SIZE ({most} bytes)")
    return bytes(body)


def _opener(no_ssl: bool, config: ConfigParser) -> urllib.request.OpenerDirector:
    context = ssl.create_default_context()
    if no_ssl:
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE

    class Redirects(urllib.request.HTTPRedirectHandler):
        max_redirections = number(config, "MAX_REDIRECTS")

    has_proxy = urllib.request.getproxies().keys() & {"http", "https", "all"}
    if has_proxy or not switch(config, "SSRF_PROTECTION"):
        return urllib.request.build_opener(Redirects, urllib.request.HTTPSHandler(context=context))
    return urllib.request.build_opener(Redirects, _GuardedHTTP(), _GuardedHTTPS(context=context))


class _Guarded(http.client.HTTPConnection):
    """Refuses servers with a private address after it was resolved and connected, so that no name can lead astray."""

    def connect(self) -> None:
        self._create_connection = _public_connection
        super().connect()


class _GuardedTLS(http.client.HTTPSConnection):
    def connect(self) -> None:
        self._create_connection = _public_connection
        super().connect()


def _public_connection(*arguments: Any, **keywords: Any) -> socket.socket:
    connection = socket.create_connection(*arguments, **keywords)
    peer = ipaddress.ip_address(connection.getpeername()[0].split("%")[0])
    if not (getattr(peer, "ipv4_mapped", None) or peer).is_global:
        connection.close()
        raise OSError(f"refused to ask the private address {peer}; SSRF_PROTECTION = off allows it")
    return connection


class _GuardedHTTP(urllib.request.HTTPHandler):
    def http_open(self, request: urllib.request.Request) -> http.client.HTTPResponse:
        return self.do_open(_Guarded, request)


class _GuardedHTTPS(urllib.request.HTTPSHandler):
    def __init__(self, context: ssl.SSLContext) -> None:
        super().__init__(context=context)
        self._tls = context

    def https_open(self, request: urllib.request.Request) -> http.client.HTTPResponse:
        return self.do_open(_GuardedTLS, request, context=self._tls)
