"""The main text as a tree with the element names that trafilatura gives its XML."""

from __future__ import annotations

from html.parser import HTMLParser
from xml.etree.ElementTree import Element, SubElement

_NAMES = {
    "p": "p",
    "blockquote": "quote",
    "ul": "list",
    "ol": "list",
    "li": "item",
    "dl": "list",
    "dt": "item",
    "dd": "item",
    "pre": "code",
    "code": "code",
    "table": "table",
    "tr": "row",
    "td": "cell",
    "th": "cell",
    "a": "ref",
    "img": "graphic",
    "br": "lb",
}
_HEADINGS = {f"h{rank}" for rank in range(1, 7)}
_FORMATTING = {"strong": "#b", "b": "#b", "em": "#i", "i": "#i", "sup": "#sup", "sub": "#sub"}
_ATTRIBUTES = {"a": {"href": "target"}, "img": {"src": "src", "alt": "alt"}}
_EMPTY = {"img", "br"}


class _Builder(HTMLParser):
    """Builds from the HTML that ``render_html`` writes: elements nest, and no end tag is missing."""

    def __init__(self, formatting: bool) -> None:
        super().__init__(convert_charrefs=True)
        self.root = Element("body")
        self.formatting = formatting
        self.open: list[tuple[str, Element]] = [("", self.root)]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        name = self._name(tag)
        if name is None:
            return
        known = _ATTRIBUTES.get(tag, {})
        attributes = {known[key]: value or "" for key, value in attrs if key in known}
        if tag in _HEADINGS or tag in ("ul", "ol", "dl", "dt", "dd"):
            attributes["rend"] = tag
        elif tag in _FORMATTING:
            attributes["rend"] = _FORMATTING[tag]
        elif tag == "th":
            attributes["role"] = "head"
        element = SubElement(self.open[-1][1], name, attributes)
        if tag not in _EMPTY:
            self.open.append((tag, element))

    def handle_endtag(self, tag: str) -> None:
        if self.open[-1][0] == tag and len(self.open) > 1:
            self.open.pop()

    def handle_data(self, data: str) -> None:
        parent = self.open[-1][1]
        if parent is self.root and not data.strip():
            return
        data = for_xml(data)
        if len(parent):
            parent[-1].tail = (parent[-1].tail or "") + data
        else:
            parent.text = (parent.text or "") + data

    def _name(self, tag: str) -> str | None:
        if tag in _HEADINGS:
            return "head"
        if tag in _FORMATTING:
            return "hi" if self.formatting else None
        return _NAMES.get(tag)


def tree(html: str, formatting: bool) -> Element:
    """The tree of a fragment of HTML; without ``formatting`` bold and italic words are words like all others."""
    builder = _Builder(formatting)
    builder.feed(html)
    builder.close()
    return builder.root


def for_xml(text: str) -> str:
    """Without control characters, for which XML has no form."""
    return "".join(char for char in text if char >= " " or char in "\t\n")


def paragraphs(texts: list[str]) -> Element:
    """A body with one paragraph for each text."""
    body = Element("body")
    for text in texts:
        SubElement(body, "p").text = for_xml(text)
    return body
