"""Lists the pages of test packages whose layout is in the page itself: `style` elements with enough rules, and no style sheet linked to
but for fonts.

inline.py PACKAGE_DIR...      a line for each: package, page, rules, rules that place boxes
"""

import gzip
import pathlib
import re
import sys

# Fewer rules than this are a reset, a font or a banner. Half of a theme's rules place nothing.
LEAST_RULES, LEAST_PLACING = 60, 25
PLACING = re.compile(r"(?<![\w-])(display|float|position|width|max-width|margin|flex|grid|column)[\w-]*\s*:")


def rules(page: str) -> tuple[int, int, int]:
    """Rules of `style` elements, those of them that place boxes, and how many style sheets are linked to."""
    styles = re.findall(r"<style[^>]*>(.*?)</style", page, re.S | re.I)
    blocks = [block for style in styles for block in re.findall(r"\{([^{}]*)\}", style)]
    links = re.findall(r"<link\b[^>]*\brel\s*=\s*[\"']?stylesheet[^>]*>", page, re.I)
    return len(blocks), sum(bool(PLACING.search(block)) for block in blocks), sum("font" not in link for link in links)


for folder in map(pathlib.Path, sys.argv[1:]):
    for path in sorted((folder / "pages").glob("*.html.gz")):
        with gzip.open(path) as file:
            page = file.read().decode("utf-8", "replace")
        n_rules, n_placing, n_links = rules(page)
        if n_rules >= LEAST_RULES and n_placing >= LEAST_PLACING and n_links == 0:
            print(folder.name, path.name.removesuffix(".html.gz"), n_rules, n_placing, sep="\t")
