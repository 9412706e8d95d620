#!/usr/bin/env python3
"""One peer as a batch command: JSON lines in, JSON lines out (docs/evaluation.md).

    run.py SYSTEM       trafilatura, trafilatura-nocomments, trafilatura-metadata, readability, resiliparse, justext

Every system gets the bytes of the page and finds the charset itself. The clock runs from the bytes to the text,
`process_time` being CPU; reading the file and loading the library do not count.
"""

import gzip
import json
import re
import sys
import time

MAX_BYTES = 64 << 20


def trafilatura(comments):
    import trafilatura as library

    def extract(html, url, language):
        text = library.extract(html, url=url, include_comments=comments, include_tables=True)
        return text or ""

    return extract


def trafilatura_metadata():
    """Title, author, date, language and site; no text. `gristmill-lab eval --metadata` asks for them."""
    from trafilatura.metadata import extract_metadata

    def extract(html, url, language):
        found = extract_metadata(html, default_url=url, extensive=True)
        fields = found.as_dict() if found is not None else {}
        names = {"title": "title", "author": "author", "published": "date", "language": "language", "site_name": "sitename"}
        return {name: fields.get(of) for name, of in names.items()}

    return extract


def readability():
    import readability as library
    from lxml.html import fromstring

    block = re.compile(r"(?i)</?(p|div|li|ul|ol|h[1-6]|br|tr|td|th|table|blockquote|pre|section|article|dd|dt|dl)\b")

    def extract(html, url, language):
        # Given bytes it looks for the charset; blocks must not run together when the tags go.
        summary = library.Document(html).summary(html_partial=True)
        return fromstring(block.sub(lambda tag: "\n" + tag.group(0), summary) or "<p></p>").text_content()

    return extract


def resiliparse():
    from resiliparse.extract.html2text import extract_plain_text
    from resiliparse.parse.encoding import bytes_to_str, detect_encoding
    from resiliparse.parse.html import HTMLTree

    def extract(html, url, language):
        tree = HTMLTree.parse(bytes_to_str(html, detect_encoding(html, from_html_meta=True)))
        return extract_plain_text(tree, main_content=True, alt_texts=False, list_bullets=False)

    return extract


STOP_LISTS = {
    "de": "German", "fr": "French", "es": "Spanish", "it": "Italian", "pt": "Portuguese", "nl": "Dutch",
    "pl": "Polish", "ru": "Russian", "tr": "Turkish", "cs": "Czech", "ar": "Arabic", "ko": "Korean",
    "hr": "Croatian", "id": "Indonesian", "fa": "Persian", "lv": "Latvian",
}  # fmt: skip


def justext():
    import justext as library

    lists = {}

    def extract(html, url, language):
        name = STOP_LISTS.get(language, "English")
        if name not in lists:
            lists[name] = library.get_stoplist(name)
        paragraphs = library.justext(html, lists[name])
        return "\n".join(paragraph.text for paragraph in paragraphs if not paragraph.is_boilerplate)

    return extract


SYSTEMS = {
    "trafilatura": lambda: trafilatura(comments=True),
    "trafilatura-nocomments": lambda: trafilatura(comments=False),
    "trafilatura-metadata": trafilatura_metadata,
    "readability": readability,
    "resiliparse": resiliparse,
    "justext": justext,
}


def read(path):
    with gzip.open(path) if path.endswith(".gz") else open(path, "rb") as file:
        html = file.read(MAX_BYTES + 1)
    if len(html) > MAX_BYTES:
        raise ValueError(f"more than {MAX_BYTES} bytes")
    return html


def answer(extract, request):
    try:
        html = read(request["path"])
        wall, cpu = time.perf_counter(), time.process_time()
        text = extract(html, request.get("url"), request.get("language"))
        seconds, cpu_seconds = time.perf_counter() - wall, time.process_time() - cpu
        fields = text if isinstance(text, dict) else {"text": text}
        return {"id": request["id"], **fields, "seconds": seconds, "cpu_seconds": cpu_seconds}
    except Exception as error:  # whatever a library throws at a page is its result for that page
        return {"id": request["id"], "error": f"{type(error).__name__}: {error}"[:300]}


def main():
    if len(sys.argv) != 2 or sys.argv[1] not in SYSTEMS:
        sys.exit(f"usage: run.py {'|'.join(SYSTEMS)}")
    extract = SYSTEMS[sys.argv[1]]()
    for line in sys.stdin:
        if line.strip():
            # Lone surrogates, which some libraries let through, are no UTF-8.
            reply = json.dumps(answer(extract, json.loads(line)), ensure_ascii=True)
            print(reply, flush=True)


if __name__ == "__main__":
    main()
