"""A document in the output formats of trafilatura."""

from __future__ import annotations

import csv
import io
import json
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from ._document import Document
from ._tree import for_xml

_HEADER = "title author url hostname description sitename date categories tags fingerprint id license".split()
_META = "sitename title author date url hostname description categories tags license id fingerprint language".split()
_RESERVED = {"true", "false", "yes", "no", "on", "off", "y", "n", "null", "none", "~"}


def text(document: Document, main: str, with_metadata: bool) -> str:
    """Plain text and Markdown: metadata as YAML, main text, comments."""
    header = ""
    if with_metadata:
        values = [(name, getattr(document, name)) for name in _HEADER]
        fields = [f"{name}: {_scalar(value) if isinstance(value, str) else value}\n" for name, value in values if value]
        header = f"---\n{''.join(fields)}---\n"
    return f"{header}{main}\n{document.comments or ''}".strip()


def _scalar(value: str) -> str:
    """A string for YAML; JSON's form of it where it would be read as something else."""
    plain = value.strip() == value and value[:1].isalpha() and value.isprintable() and value.lower() not in _RESERVED
    if plain and ": " not in value and " #" not in value and value[-1] != ":":
        return value
    return json.dumps(value, ensure_ascii=False)


def as_json(document: Document, main: str, with_metadata: bool) -> str:
    """One object. Without metadata it has `text` and `comments` only."""
    comments = document.comments or ""
    if not with_metadata:
        return json.dumps({"text": main, "comments": comments}, ensure_ascii=False)
    fields = document.as_dict()
    del fields["body"], fields["commentsbody"]
    renamed = {
        "source": fields.pop("url"),
        "source-hostname": fields.pop("sitename"),
        "excerpt": fields.pop("description"),
        "categories": ";".join(fields.pop("categories") or []),
        "tags": ";".join(fields.pop("tags") or []),
    }
    return json.dumps({**fields, **renamed, "text": main, "comments": comments}, ensure_ascii=False)


def as_csv(document: Document, main: str) -> str:
    """One line, with tabs between the fields."""
    head = [
        document.url,
        document.id,
        document.fingerprint,
        document.hostname,
        document.title,
        document.image,
        document.date,
    ]
    fields = [*head, main, document.comments, document.license, document.pagetype]
    out = io.StringIO()
    csv.writer(out, delimiter="\t", quoting=csv.QUOTE_MINIMAL).writerow([field or "null" for field in fields])
    return out.getvalue()


def as_html(document: Document, fragment: str, with_metadata: bool) -> str:
    """A page of the main text."""
    head = Element("head")
    if with_metadata:
        for name, value in _meta(document):
            SubElement(head, "meta", name=name, content=value)
    metas = ElementTree.tostring(head, encoding="unicode", method="html") + "\n" if len(head) else ""
    return f"<html>\n{metas}<body>\n{fragment.strip()}\n</body>\n</html>"


def as_xml(document: Document, body: Element, comments: Element) -> str:
    """A `doc` of `main` and `comments`, with the metadata as attributes."""
    doc = Element("doc", dict(_meta(document)))
    for name, part in (("main", body), ("comments", comments)):
        part.tag = name
        part.text = part.tail = "\n"
        # Not within: white space between words and their neighbours has a meaning.
        for child in part:
            child.tail = "\n"
        doc.append(part)
    return ElementTree.tostring(doc, encoding="unicode")


def _meta(document: Document) -> list[tuple[str, str]]:
    values = [(name, getattr(document, name)) for name in _META]
    return [(name, for_xml(value if isinstance(value, str) else ";".join(value))) for name, value in values if value]
