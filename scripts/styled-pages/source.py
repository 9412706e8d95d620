"""Texts as Markdown: headings, lists, links and pictures where a writer would put them, by the text alone."""

import re
import zlib

from texts import Text


def escaped(line: str) -> str:
    """The line as Markdown that says no more than the line, in all generators."""
    line = re.sub(r"([\\`*_{}\[\]])", r"\\\1", line)
    line = line.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    line = line.replace("~", "&#126;").replace("|", "&#124;").replace("$", "&#36;").replace("@", "&#64;")
    line = re.sub(r"^([#+\-=:!])", r"\\\1", line) if line[0] in "#+-!" else line
    return re.sub(r"^(\d+)([.)])", r"\1\\\2", line)


def is_short(line: str, most: int) -> bool:
    return len(line) <= most and not re.search(r"[.!?。！？:：;；]$", line)


def with_links(line: str, number: int, others: list[str]) -> str:
    """A paragraph in which two words are a link, or some are bold, now and then."""
    words = line.split(" ")
    if len(words) < 25 or not others:
        return escaped(line)
    at = 5 + zlib.crc32(line.encode()) % (len(words) - 12)
    some = words[at : at + 2 + number % 2]
    if any(not re.fullmatch(r"[\w,]+", word) for word in some):
        return escaped(line)
    marked = escaped(" ".join(some))
    if number % 3 == 0:
        marked = f"[{marked}]({others[number % len(others)]})"
    elif number % 3 == 1:
        marked = f"**{marked}**"
    else:
        return escaped(line)
    return f"{escaped(' '.join(words[:at]))} {marked} {escaped(' '.join(words[at + len(some):]))}"


def body(text: Text, others: list[str], more: bool = False) -> str:
    """The Markdown of a text, without its title. `others`: links to other pages; `more`: with Hexo's mark of an excerpt."""
    blocks, lines, at, paragraphs = [], text.lines, 0, 0
    while at < len(lines):
        run = at
        while run < len(lines) and is_short(lines[run], 110):
            run += 1
        if run - at >= 3:
            blocks.append("\n".join(f"* {escaped(line)}" for line in lines[at:run]))
            at = run
        elif is_short(lines[at], 80) and at + 1 < len(lines) and len(lines[at + 1]) > 80:
            blocks.append(f"## {escaped(lines[at])}")
            at += 1
        else:
            blocks.append(with_links(lines[at], paragraphs, others))
            paragraphs += 1
            if more and paragraphs == 1 and at + 1 < len(lines):
                blocks.append("<!-- more -->")
            if paragraphs % 7 == 3 and zlib.crc32(text.id.encode()) % 2:
                blocks.append('<p><img src="/images/figure.png" width="560" height="315"></p>')
            at += 1
    return "\n\n".join(blocks) + "\n"


def gold(text: Text) -> str:
    """What a correct extraction says: the lines that went into the body. The headline is no part of it, as in `wcxb-dev`."""
    return "\n".join(text.lines) + "\n"
