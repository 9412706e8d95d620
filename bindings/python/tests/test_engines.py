"""The programs of ``examples/engines`` on the real engines, with a process that is killed in the middle of an archive."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
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


class Run:
    """A program in a session of its own, so that what it leaves behind when it is killed can be ended."""

    def __init__(self, root: Path, program: str, *arguments: str, die_once: Path | None = None) -> None:
        environment = {**os.environ, "PYSPARK_PYTHON": sys.executable, "RAY_DEDUP_LOGS": "0"}
        if die_once:
            environment["PYTHONPATH"] = str(root / "bindings/python/tests/dying")
            environment["GRISTMILL_DIE_ONCE"] = str(die_once)
        self.command = [sys.executable, str(root / "examples/engines" / program), *arguments]
        self.environment = environment
        self.start()

    def start(self) -> None:
        self.log = tempfile.TemporaryFile()
        self.program = subprocess.Popen(
            self.command, env=self.environment, stdout=self.log, stderr=self.log, start_new_session=True
        )

    def end(self) -> int:
        """Waits; the exit status, of a program that ended well or was killed."""
        for tries_left in (2, 1, 0):
            try:
                status = self.program.wait(timeout=200)
            finally:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(self.program.pid, signal.SIGKILL)
            self.log.seek(0)
            said = self.log.read().decode(errors="replace")
            if "timed out during startup" not in said or not tries_left:
                break
            # Ray gives its parts 30 s to start, which a busy machine may need by itself.
            self.start()
        assert status in (0, -signal.SIGKILL), said[-4_000:]
        return status


# The programs, and what each needs.
ENGINES = {"with_spark.py": ("pyspark",), "with_ray.py": ("ray",), "with_datatrove.py": ("datatrove",)}


@pytest.fixture(scope="module")
def runs(root: Path, archives: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, tuple[Run, Path]]]:
    """All programs at once, as they mostly wait for their engines to start. One process of each is killed."""
    paths = sorted(str(path) for path in archives.iterdir())
    started: dict[str, tuple[Run, Path]] = {}
    for program, needed in ENGINES.items():
        if any(importlib.util.find_spec(name) is None for name in needed):
            continue
        if program == "with_spark.py" and not shutil.which("java"):
            continue
        folder = tmp_path_factory.mktemp("engine")
        arguments = [str(archives)] if program == "with_datatrove.py" else paths
        run = Run(root, program, str(folder / "out"), *arguments, die_once=folder / "died")
        started[program] = (run, folder)
    yield started
    for run, _ in started.values():
        with contextlib.suppress(ProcessLookupError):
            os.killpg(run.program.pid, signal.SIGKILL)


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


def started(runs: dict[str, tuple[Run, Path]], program: str) -> tuple[Run, Path]:
    if program not in runs:
        pytest.skip(f"{program} needs {' and '.join(ENGINES[program])}, and Spark Java")
    return runs[program]


@pytest.mark.parametrize("program", ["with_spark.py", "with_ray.py"])
def test_a_killed_worker_changes_nothing_of_the_dataset(
    runs: dict[str, tuple[Run, Path]], archives: Path, program: str
) -> None:
    run, folder = started(runs, program)
    assert run.end() == 0 and (folder / "died").exists()
    assert rows(folder / "out", COLUMNS) == expected(archives, COLUMNS)


def test_a_killed_run_of_datatrove_goes_on_to_the_same_dataset(
    runs: dict[str, tuple[Run, Path]], root: Path, archives: Path
) -> None:
    run, folder = started(runs, "with_datatrove.py")
    assert run.end() == -signal.SIGKILL
    assert Run(root, "with_datatrove.py", str(folder / "out"), str(archives)).end() == 0
    assert rows(folder / "out", ["id", "text"]) == expected(archives, ["id", "text"])
