"""The types of the package, as a type checker sees them in the installed wheel."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import gristmill
import pytest

pytest.importorskip("mypy")


def test_package_and_tests_pass_the_strict_type_checker(root: Path, tmp_path: Path) -> None:
    tests = root / "bindings/python/tests"
    # From elsewhere, so that the installed package is found and not its sources.
    arguments = [
        "--strict",
        "--ignore-missing-imports",
        "--cache-dir",
        str(tmp_path / "cache"),
        "--explicit-package-bases",
    ]
    installed = str(Path(gristmill.__file__).parent)
    for what in ([str(tests)], ["-p", "gristmill"]):
        done = subprocess.run(
            [sys.executable, "-m", "mypy", *arguments, *what], cwd=tmp_path, capture_output=True, text=True
        )
        assert done.returncode == 0, f"{installed}\n{done.stdout}{done.stderr}"
