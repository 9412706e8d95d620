"""The examples of the documentation do what the documentation says."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]

# A program, and what it prints if that stands below it.
EXAMPLE = re.compile(r"```python\n(.*?)```(?:\s*```text\n(.*?)```)?", re.DOTALL)


def examples() -> list[tuple[str, str, str]]:
    found = []
    for page in ("docs/python.md", "bindings/python/README.md"):
        pieces = EXAMPLE.findall((ROOT / page).read_text(encoding="utf-8"))
        assert pieces, page
        found += [(f"{page}#{n}", program, printed) for n, (program, printed) in enumerate(pieces, 1)]
    return found


EXAMPLES = examples()


@pytest.mark.parametrize(("name", "program", "printed"), EXAMPLES, ids=[name for name, _, _ in EXAMPLES])
def test_an_example_runs_and_prints_what_stands_below_it(name: str, program: str, printed: str, tmp_path: Path) -> None:
    if "datatrove" in program:
        pytest.importorskip("datatrove")
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    if printed:
        assert done.stdout == printed


def test_the_page_names_everything_that_the_package_has() -> None:
    import gristmill

    page = (ROOT / "docs/python.md").read_text(encoding="utf-8")
    missing = [name for name in [*gristmill.__all__, "Unsupported", "GristmillExtractor"] if f"`{name}" not in page]
    # The shapes of records stand in one sentence with `Product`.
    assert not missing, missing
