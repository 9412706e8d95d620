"""Processor time of `gristmill.extract` over pages, beside that of the Rust library over the same pages.

    python overhead.py PROGRAM FOLDER...

PROGRAM is the example `cpu_time` of the crate `gristmill-reading`. `scripts/python bench` builds everything and runs
this. The two take turns, so that both see the same machine, on one thread each.
"""

from __future__ import annotations

import gzip
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import gristmill

TURNS = 25


def unpacked(folders: list[str]) -> list[bytes]:
    files = sorted(file for folder in folders for file in Path(folder).iterdir() if ".html" in file.suffixes)
    return [gzip.decompress(file.read_bytes()) if file.suffix == ".gz" else file.read_bytes() for file in files]


def by_python(pages: list[bytes]) -> float:
    began = time.process_time()
    for page in pages:
        gristmill.extract(page)
    return time.process_time() - began


def by_rust(program: str, folder: str) -> float:
    """The second round, as warm as a running Python."""
    done = subprocess.run([program, folder, "2"], capture_output=True, text=True, check=True)
    return float(done.stdout.split()[1])


def main() -> None:
    program, *folders = sys.argv[1:]
    pages = unpacked(folders)
    with tempfile.TemporaryDirectory() as folder:
        for n, page in enumerate(pages):
            (Path(folder) / f"{n:06}.html").write_bytes(page)
        by_python(pages)
        turns = [(by_rust(program, folder), by_python(pages)) for _ in range(TURNS)]
    rust, python = (statistics.median(times) for times in zip(*turns, strict=True))
    shares = sorted(100 * (python / rust - 1) for rust, python in turns)
    quarter = TURNS // 4
    print(f"{len(pages)} pages, {sum(map(len, pages)) / len(pages) / 1000:.0f} kB a page, median of {TURNS} turns")
    print(f"Rust    {1000 * rust / len(pages):.3f} ms a page")
    print(f"Python  {1000 * python / len(pages):.3f} ms a page")
    middle = f"{shares[quarter]:+.1f} to {shares[-quarter - 1]:+.1f} %"
    print(f"overhead {statistics.median(shares):+.1f} % (half of the turns: {middle})")


if __name__ == "__main__":
    main()
