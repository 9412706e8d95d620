"""The programs of ``examples/engines`` on the real engines, with a process that is killed in the middle of an archive."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import gristmill
import pytest
from archives import record

pyarrow = pytest.importorskip("pyarrow")
dataset = pytest.importorskip("pyarrow.dataset")

PAGE = "<title>Rye</title><h1>Rye</h1><p>Rye is a grass, and mills grind its grain day and night, in every season.</p>"


@pytest.fixture(scope="module")
def archives(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of two archives, each of more than one batch."""
    folder = tmp_path_factory.mktemp("archives")
    for name in "ab":
        pages = [PAGE.replace("Rye", f"Rye {name} {n}").encode() for n in range(260)]
        parts = [record(f"https://{name}.example/{n}", page, kind="text/html") for n, page in enumerate(pages)]
        (folder / f"{name}.warc.gz").write_bytes(b"".join(parts))
    return folder


def run(root: Path, program: str, *arguments: str, die_once: Path | None = None) -> int:
    environment = {**os.environ, "PYSPARK_PYTHON": sys.executable, "RAY_DEDUP_LOGS": "0"}
    if die_once:
        environment["PYTHONPATH"] = str(root / "bindings/python/tests/dying")
        environment["GRISTMILL_DIE_ONCE"] = str(die_once)
    command = [sys.executable, str(root / "examples/engines" / program), *arguments]
    with tempfile.TemporaryFile() as log:
        started = subprocess.Popen(command, env=environment, stdout=log, stderr=log, start_new_session=True)
        try:
            status = started.wait(timeout=120)
        finally:
            # Also what a killed program has left behind.
            with contextlib.suppress(ProcessLookupError):
                os.killpg(started.pid, signal.SIGKILL)
        log.seek(0)
        assert status in (0, -signal.SIGKILL), log.read().decode(errors="replace")[-4_000:]
    return status


def rows(folder: Path, columns: list[str]) -> list[dict[str, Any]]:
    files = [str(path) for path in folder.rglob("*.parquet")]
    found: list[dict[str, Any]] = dataset.dataset(files, format="parquet").to_table(columns=columns).to_pylist()
    return sorted(found, key=lambda row: str(row["id"]))


def expected(archives: Path, columns: list[str]) -> list[dict[str, Any]]:
    streams = [gristmill.read_archive(path, format="arrow", columns=columns) for path in archives.iterdir()]
    tables = [pyarrow.RecordBatchReader.from_stream(stream).read_all() for stream in streams]
    found: list[dict[str, Any]] = pyarrow.concat_tables(tables).to_pylist()
    return sorted(found, key=lambda row: str(row["id"]))


COLUMNS = ["id", "url", "text", "title", "language", "language_score", "fetched_at"]


@pytest.mark.parametrize(("program", "package"), [("with_spark.py", "pyspark"), ("with_ray.py", "ray")])
def test_a_killed_worker_changes_nothing_of_the_dataset(
    root: Path, archives: Path, tmp_path: Path, program: str, package: str
) -> None:
    pytest.importorskip(package)
    if package == "pyspark" and not shutil.which("java"):
        pytest.skip("Spark needs Java")
    paths = sorted(str(path) for path in archives.iterdir())
    assert run(root, program, str(tmp_path / "out"), *paths, die_once=tmp_path / "died") == 0
    assert (tmp_path / "died").exists()
    assert rows(tmp_path / "out", COLUMNS) == expected(archives, COLUMNS)


def test_a_killed_run_of_datatrove_goes_on_to_the_same_dataset(root: Path, archives: Path, tmp_path: Path) -> None:
    pytest.importorskip("datatrove")
    out, died = str(tmp_path / "out"), tmp_path / "died"
    assert run(root, "with_datatrove.py", out, str(archives), die_once=died) == -signal.SIGKILL
    assert run(root, "with_datatrove.py", out, str(archives)) == 0
    found = rows(tmp_path / "out", ["id", "text"])
    assert found == expected(archives, ["id", "text"])
