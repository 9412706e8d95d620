"""Decides on texts with the filters of datatrove: JSON lines on standard input, the reason of each filter on standard output.

A line has `text` and `stop_words`. Ends with status 77 if datatrove is not there.
"""

import contextlib
import json
import sys

try:
    from datatrove.data import Document
    from datatrove.pipeline.filters import C4QualityFilter, FineWebQualityFilter, GopherQualityFilter, GopherRepetitionFilter
    from spacy.language import Language
except ImportError as error:
    print(error, file=sys.stderr)
    sys.exit(77)

# Its zones free memory after each line, which takes longer than to cut the line.
Language.memory_zone = lambda self, mem=None: contextlib.nullcontext()
# One way to cut words for all languages, as ours is one: that of English, which only knows contractions besides.
FILTERS = {"gopher-repetition": GopherRepetitionFilter(), "c4": C4QualityFilter(), "fineweb": FineWebQualityFilter()}


def reason(filter, text):
    if not text.strip():
        return "empty"
    decision = filter.filter(Document(text=text, id=""))
    return "" if decision is True else decision[1]


for line in sys.stdin:
    row = json.loads(line)
    quality = GopherQualityFilter(stop_words=row["stop_words"], min_stop_words=2 if row["stop_words"] else None)
    found = {name: reason(filter, row["text"]) for name, filter in (FILTERS | {"gopher-quality": quality}).items()}
    print(json.dumps(found))
