#!/usr/bin/env python3
"""extruct as a batch command for records: JSON lines in, JSON lines out (docs/records.md).

    records.py          for `gristmill-lab eval --records --command-batch "extruct=python scripts/peers/records.py"`

extruct gives what a page declares, not what it shows, so a rule makes pairs of it, the same for JSON-LD, microdata
and RDFa:

* a `Product` (and its kinds, by schema.org name) that no other item holds as a related product;
* `additionalProperty`: each item with a name gives (name, value, with its unit behind a space if it has one);
* brand, manufacturer, model, mpn, sku, gtin…, isbn, color, material, size, weight, width, height, depth, pattern,
  author, publisher and the like: (name of the property as a page would print it, `countryOfOrigin` being "Country of
  Origin" and `mpn` "MPN"; its text, of an item its name, or value and unit).

Name, description, category, offers, ratings, reviews and images are no attributes that a page shows as pairs.
"""

import gzip
import json
import re
import sys
import time

import extruct

MAX_BYTES = 64 << 20
SYNTAXES = ["json-ld", "microdata", "rdfa"]
PRODUCTS = {"product", "productgroup", "productmodel", "individualproduct", "someproducts", "book", "vehicle", "car"}
PLAIN = [
    "brand", "manufacturer", "model", "mpn", "sku", "productID", "gtin", "gtin8", "gtin12", "gtin13", "gtin14", "isbn",
    "color", "material", "size", "weight", "width", "height", "depth", "pattern", "author", "publisher",
    "numberOfPages", "bookFormat", "inLanguage", "datePublished", "countryOfOrigin", "releaseDate", "productionDate",
    "itemCondition", "award", "audience",
]  # fmt: skip
CAPITALS = {"mpn", "sku", "gtin", "gtin8", "gtin12", "gtin13", "gtin14", "isbn"}
RELATED = {"isRelatedTo", "isSimilarTo", "isAccessoryOrSparePartFor", "isConsumableFor", "review", "hasVariant"}
MAX_ITEMS = 10_000


def short(name):
    """`http://schema.org/Product` and `schema:Product` are `Product`."""
    return str(name).rstrip("/").rsplit("/", 1)[-1].rsplit("#", 1)[-1].rsplit(":", 1)[-1]


def label(name):
    """A property as a page would print it."""
    if name in CAPITALS:
        return name.upper()
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).split()
    return " ".join(word.lower() if word == "Of" else word[0].upper() + word[1:] for word in words)


def each(value):
    return value if isinstance(value, list) else [] if value is None else [value]


def short_keys(item):
    return {short(key): value for key, value in item.items()}


def text(value):
    """The text of a property: its own, of an item its name, or its value with the unit."""
    if isinstance(value, bool) or value is None:
        return ""
    if isinstance(value, dict):
        item = short_keys(value)
        if "@value" in value:
            return text(value["@value"])
        if "value" in item:
            unit = text(item.get("unitText") or item.get("unitCode"))
            return " ".join(part for part in (text(item["value"]), unit) if part)
        return text(item.get("name"))
    if isinstance(value, list):
        return ", ".join(part for part in map(text, value) if part)
    return " ".join(str(value).split())


def items(found):
    """All typed items that may be the page's product, those held by others too, but not related products."""
    stack, seen = [], 0
    for syntax in SYNTAXES:
        stack.extend(each(found.get(syntax)))
    while stack and seen < MAX_ITEMS:
        item = stack.pop()
        seen += 1
        if isinstance(item, list):
            stack.extend(item)
        elif isinstance(item, dict):
            yield short_keys(item)
            stack.extend(value for key, value in item.items() if short(key) not in RELATED)


def pairs(item):
    for one in each(item.get("additionalProperty")):
        if isinstance(one, dict):
            name = text(short_keys(one).get("name"))
            if name and text(one):
                yield [name, text({key: value for key, value in one.items() if short(key) != "name"})]
    for name in PLAIN:
        for one in each(item.get(name)):
            if text(one):
                yield [label(name), text(one)]


def records(html, url):
    found = extruct.extract(html, base_url=url, syntaxes=SYNTAXES, uniform=True, errors="ignore")
    out = []
    for item in items(found):
        types = {short(kind).lower() for kind in each(item.get("@type", item.get("type")))}
        if types & PRODUCTS:
            out.append({"attributes": [{"name": name, "value": value} for name, value in pairs(item)]})
    return out


def read(path):
    with gzip.open(path) if path.endswith(".gz") else open(path, "rb") as file:
        html = file.read(MAX_BYTES + 1)
    if len(html) > MAX_BYTES:
        raise ValueError(f"more than {MAX_BYTES} bytes")
    return html


def answer(request):
    try:
        html = read(request["path"])
        wall, cpu = time.perf_counter(), time.process_time()
        found = records(html, request.get("url"))
        seconds, cpu_seconds = time.perf_counter() - wall, time.process_time() - cpu
        return {"id": request["id"], "records": found, "seconds": seconds, "cpu_seconds": cpu_seconds}
    except Exception as error:  # whatever a library throws at a page is its result for that page
        return {"id": request["id"], "error": f"{type(error).__name__}: {error}"[:300]}


def main():
    for line in sys.stdin:
        if line.strip():
            print(json.dumps(answer(json.loads(line)), ensure_ascii=True), flush=True)


if __name__ == "__main__":
    main()
