"""The types of the package, as a type checker sees them in the installed wheel."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import gristmill
import pytest

pytest.importorskip("mypy")

# What the libraries that are tried here import themselves; reading it takes two thirds of the time.
SKIPPED = ("huggingface_hub", "langchain_community", "langsmith", "numpy", "polars", "pyspark", "sqlalchemy")


def test_package_and_tests_pass_the_strict_type_checker(root: Path, tmp_path: Path) -> None:
    tests = root / "bindings/python/tests"
    config = tmp_path / "mypy.ini"
    config.write_text(f"[mypy]\n[mypy-{','.join(f'{name}.*' for name in SKIPPED)}]\nfollow_imports = skip\n")
    # From elsewhere, so that the installed package is found and not its sources.
    arguments = [
        "--strict",
        "--ignore-missing-imports",
        "--cache-dir",
        str(tmp_path / "cache"),
        "--config-file",
        str(config),
        "--explicit-package-bases",
    ]
    installed = str(Path(gristmill.__file__).parent)
    for what in ([str(tests)], ["-p", "gristmill"]):
        done = subprocess.run(
            [sys.executable, "-m", "mypy", *arguments, *what], cwd=tmp_path, capture_output=True, text=True
        )
        assert done.returncode == 0, f"{installed}\n{done.stdout}{done.stderr}"
