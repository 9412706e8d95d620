"""Pages that several tests read."""

# ruff: noqa: E501
from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]

STORY = """<!doctype html><html lang=en><title>The clock stands still - Valley News</title>
<meta name=author content="Ann Lee"><meta property=og:type content=article>
<meta property="article:published_time" content="2024-05-02T08:00:00Z"><meta property=og:site_name content="Valley News">
<meta name=keywords content="clock, station"><link rel=canonical href="https://www.valley.example/clock">
<nav><a href=/>Home</a> <a href=/news>News</a></nav><main><article><h1>The clock stands still</h1>
<p>The clock of the <b>old station</b> has stood still since Sunday, and nobody knows who has the key to its case. The railway
says that it belongs to <a href=/town>the town</a>, and the town that it belongs to the railway.</p>
<p>Travellers set their watches by the bell of the abbey, which is four minutes late. The council will speak about it.</p>
<figure><img src=/clock.jpg alt="The clock"><figcaption>The clock on Monday.</figcaption></figure>
<table><tr><th>Day</th><th>Minutes late</th></tr><tr><td>Monday</td><td>14</td></tr><tr><td>Tuesday</td><td>19</td></tr></table>
<p>The clockmaker who looked after it retired in the spring. He says that the works are sound and want nothing but winding,
which was done on Mondays for a hundred years, and that the case was never locked while he had the care of it.</p></article>
<div id=comments class=comments><h3>2 comments</h3>
<div class=comment><span class=comment-author>Bo Miller</span> <time datetime=2024-05-03>3 May 2024</time>
<p class=comment-body>I have lived here for forty years and the clock was never right in any of them.</p></div>
<div class=comment><span class=comment-author>Cy Reed</span> <time datetime=2024-05-04>4 May 2024</time>
<p class=comment-body>My father had the key. He gave it to the station master, who gave it to his son.</p></div></div></main>
<footer>Imprint</footer>"""
STORY_URL = "https://www.valley.example/2024/05/02/clock.html"

MILL = """<title>Hand mill</title><h1>Hand mill</h1><p class=price>$49.00</p><button>Add to cart</button>
<table><tr><th>Brand</th><td>Steinhauer</td></tr><tr><th>Weight</th><td>1.2 kg</td></tr>
<tr><th>Material</th><td>Cast iron</td></tr><tr><th>Colour</th><td>Black</td></tr></table>"""


@pytest.fixture
def story() -> str:
    return STORY


@pytest.fixture
def url() -> str:
    return STORY_URL


@pytest.fixture
def mill() -> str:
    return MILL


@pytest.fixture(scope="session")
def root() -> Path:
    return ROOT


@pytest.fixture(scope="session")
def gate() -> list[tuple[bytes, str]]:
    """The pages of the quality gate, with their addresses."""
    files = sorted(ROOT.glob("gate/*/pages/*.html.gz"))
    assert files, "the folder `gate` has no pages"
    about = [json.loads(Path(str(file).removesuffix(".html.gz") + ".json").read_text("utf-8")) for file in files]
    return [(gzip.decompress(file.read_bytes()), page["url"]) for file, page in zip(files, about, strict=True)]
