"""The texts that sites are filled with: main texts of freely licensed pages, each used once."""

import gzip
import hashlib
import html.parser
import json
import pathlib
import re
from dataclasses import dataclass


@dataclass
class Text:
    """One article: its title and its paragraphs, headings and list items, a line each."""

    id: str
    title: str
    lines: list[str]
    language: str

    @property
    def slug(self) -> str:
        """Its name in URLs, which no other text has."""
        words = re.findall(r"[a-z0-9]+", self.title.lower()) if self.language == "en" else []
        return "-".join([*words[:7], self.id.replace(".", "-")])


# What generators of sites take for commands of theirs, whatever is escaped.
COMMANDS = ("{{", "{%", "{#", "%}", "}}", "[[", "::", "$$")


def clean(lines) -> list[str]:
    lines = (" ".join(line.split()) for line in lines)
    return [line for line in lines if re.search(r"\w", line)]


def english(package: pathlib.Path) -> list[Text]:
    """Gold texts of articles and documentation of `wcxb-dev` (CC-BY-4.0), in an order that says nothing of them."""
    texts = []
    for path in (package / "pages").glob("*.json"):
        about = json.loads(path.read_text())
        lines = clean(path.with_suffix(".txt").read_text().splitlines())
        words = sum(len(line.split()) for line in lines)
        title = " ".join((about.get("title") or "").split())
        fits = about["page_type"] in ("article", "documentation") and about["language"] == "en" and not about.get("flags")
        fits = fits and 80 <= words <= 2500 and len(lines) >= 4 and 3 <= len(title.split()) <= 16
        if fits and not any(mark in line for mark in COMMANDS for line in [title, *lines]):
            texts.append(Text(path.stem, title, lines, "en"))
    return sorted(texts, key=lambda text: hashlib.sha1(text.id.encode()).digest())


class Sections(html.parser.HTMLParser):
    """Headings, paragraphs and items of a DocBook page, section by section; code and tables are left out."""

    def __init__(self):
        super().__init__()
        self.sections, self.lines, self.inside, self.off = [], None, None, 0

    def handle_starttag(self, tag, attributes):
        if tag in ("pre", "table", "script", "style"):
            self.off += 1
        if tag in ("h1", "h2", "h3", "h4", "p", "li", "dt"):
            self.flush()
            self.inside = [tag, ""]

    def handle_endtag(self, tag):
        if tag in ("pre", "table", "script", "style"):
            self.off -= 1
        if self.inside and tag in (self.inside[0], "div", "ul", "ol", "dl"):
            self.flush()

    def handle_data(self, data):
        if self.inside and not self.off:
            self.inside[1] += data

    def flush(self):
        tag, text = self.inside or ("", "")
        self.inside = None
        # Lines of the source end within Chinese sentences, where a space would be none of the text.
        text = re.sub(r"(?<=[\u3000-\uffef])\s*\n\s*(?=[\u3000-\uffef])", "", text)
        if tag in ("h1", "h2"):
            self.lines = []
            self.sections.append((re.sub(r"^\s*[\d.]+\s*", "", " ".join(text.split())), self.lines))
        elif self.lines is not None:
            self.lines.append(text)


def chinese(folder: pathlib.Path) -> list[Text]:
    """Sections of the Chinese editions of Debian's debmake-doc (Expat)."""
    texts = []
    for path in sorted(folder.glob("*.zh-*.html")):
        parser = Sections()
        parser.feed(path.read_text())
        parser.flush()
        for number, (title, lines) in enumerate(parser.sections):
            lines = [line for line in clean(lines) if not any(mark in line for mark in COMMANDS)]
            letters = sum(len(re.findall(r"[\u4e00-\u9fff]", line)) for line in lines)
            if letters >= 250 and len(lines) >= 4 and re.search(r"[\u4e00-\u9fff]", title):
                texts.append(Text(f"{path.name.removesuffix('.html')}-{number}", title, lines, "zh"))
    return sorted(texts, key=lambda text: hashlib.sha1(text.id.encode()).digest())


def words(text: str) -> list[str]:
    """Words as measures count them; characters of Chinese are words."""
    return re.findall(r"[\u3040-\u9fff]|[^\W\u3040-\u9fff]+", text)


class Visible(html.parser.HTMLParser):
    """All text of a page but scripts and styles."""

    def __init__(self):
        super().__init__()
        self.parts, self.off = [], 0

    def handle_starttag(self, tag, attributes):
        self.off += tag in ("script", "style", "template")
        self.between(tag)

    def handle_endtag(self, tag):
        self.off -= tag in ("script", "style", "template")
        self.between(tag)

    def between(self, tag):
        if tag not in ("a", "b", "strong", "em", "span"):
            self.parts.append(" ")

    def handle_data(self, data):
        if not self.off:
            self.parts.append(data)


def coverage(page: str, gold: str) -> float:
    """Share of the gold text's words that stand in the page."""
    parser = Visible()
    parser.feed(page)
    have: dict[str, int] = {}
    for word in words("".join(parser.parts)):
        have[word] = have.get(word, 0) + 1
    found, wanted = 0, words(gold)
    for word in wanted:
        if have.get(word, 0) > 0:
            have[word] -= 1
            found += 1
    return found / max(len(wanted), 1)


def pack(text: str) -> bytes:
    return gzip.compress(text.encode(), mtime=0)
