"""Archives written by hand."""

from __future__ import annotations

import gzip


def record(url: str, body: bytes, status: str = "200 OK", kind: str = "text/html; charset=gbk") -> bytes:
    block = f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\n\r\n".encode() + body
    head = (
        f"WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nWARC-Date: 2026-01-02T03:04:05Z\r\n"
        f"WARC-Record-ID: <urn:x:{url}>\r\nContent-Type: application/http; msgtype=response\r\n"
        f"Content-Length: {len(block)}\r\n\r\n"
    )
    return gzip.compress(head.encode() + block + b"\r\n\r\n")
