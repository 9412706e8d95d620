"""The package beside the program `gristmill`."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Literal

import gristmill
import pytest


@pytest.fixture
def program(root: Path) -> Path:
    """The program as cargo built it from the sources as they are: an older one may read pages in another way."""
    target = Path(os.environ.get("CARGO_TARGET_DIR", root / "target"))
    built = [path for kind in ("debug", "release") if (path := target / kind / "gristmill").is_file()]
    patterns = ("crates/*/src/**/*.*", "services/*/src/**/*.*", "models/*")
    sources = [file for pattern in patterns for file in root.glob(pattern)]
    newest = max(file.stat().st_mtime for file in sources)
    fresh = [path for path in built if path.stat().st_mtime > newest]
    if not fresh:
        pytest.skip("the program `gristmill` is not built, or older than its sources")
    return fresh[0]


def run(program: Path, folder: Path, *arguments: str) -> str:
    done = subprocess.run([program, "extract", *arguments], cwd=folder, capture_output=True)
    # 1: the page has no text.
    assert done.returncode in (0, 1), done.stderr
    return done.stdout.decode("utf-8")


def test_json_is_that_of_the_program(program: Path, tmp_path: Path, gate: list[tuple[bytes, str]], mill: str) -> None:
    for html, url in [*gate[::20], (mill.encode(), "https://shop.example/mill")]:
        (tmp_path / "page.html").write_bytes(html)
        expected = json.loads(run(program, tmp_path, "--format", "json", "--url", url, "page.html"))
        found = json.loads(gristmill.extract(html, url, format="json") or "{}")
        assert expected.pop("file") == "page.html" and found.pop("file") is None
        if url.startswith("https://shop"):
            assert found["records"]
        assert found == expected, url


@pytest.mark.parametrize(("format", "name"), [("text", "text"), ("markdown", "markdown"), ("html", "html")])
def test_forms_are_those_of_the_program(
    program: Path,
    tmp_path: Path,
    gate: list[tuple[bytes, str]],
    format: Literal["text", "markdown", "html"],
    name: str,
) -> None:
    for html, url in gate[::20]:
        (tmp_path / "page.html").write_bytes(html)
        expected = run(program, tmp_path, "--format", name, "--url", url, "page.html")
        assert (gristmill.extract(html, url, format=format) or "") + "\n" == expected, url
