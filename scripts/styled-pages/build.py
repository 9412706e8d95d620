"""Builds the sites of `sites.tsv` and writes their pages as two test packages: by the licence of the themes, `styled` and `styled-copyleft`."""

import argparse
import json
import pathlib
import shutil
import subprocess
import sys

import generators
import source
import texts

PAGES_A_SITE = 8
PERMISSIVE = ("MIT", "BSD", "Apache-2.0", "ISC")
# Less than this of the gold text in the page: the generator changed or left out something, so the gold is not what the page says.
LEAST_COVERAGE = 0.99
# Frameworks that some themes take from hosts of others, and that the layout depends on: where they are asked for, and what that is here.
FRAMEWORKS = {
    "lib.baomitu.com/twitter-bootstrap/4.6.1/css/bootstrap.min.css": "bootstrap/dist/css/bootstrap.min.css",
    "stackpath.bootstrapcdn.com/bootstrap/4.1.3/css/bootstrap.min.css": "bootstrap/dist/css/bootstrap.min.css",
    "cdn.jsdelivr.net/npm/purecss@3.0.0/build/pure-min.css": "purecss/build/pure-min.css",
}


def sites(path: pathlib.Path):
    for line in path.read_text().splitlines():
        if line and not line.startswith("#"):
            yield line.split("\t")


def package_of(licence: str) -> str:
    return "styled" if licence.startswith(PERMISSIVE) else "styled-copyleft"



def take(site: generators.Site, root: pathlib.Path, pages: dict[str, str], out: pathlib.Path, theme_licence: str) -> int:
    """Copies pages, gold texts and style sheets of a built site; how many pages it has."""
    taken = 0
    for number, text in enumerate(site.texts):
        page = (root / pages[text.id]).read_text()
        gold = source.gold(text)
        covered = texts.coverage(page, gold)
        if covered < LEAST_COVERAGE:
            print(f"{site.name}: {text.id} left out, {covered:.3f} of its words are in the page", file=sys.stderr)
            continue
        path = pages[text.id].removesuffix("index.html")
        about = {
            "url": f"http://{site.host}/{path}", "domain": site.host, "language": text.language, "page_type": "article",
            "title": text.title, "date": site.day(number), "author": "Ada Miller", "text_id": text.id, "theme_licence": theme_licence,
        }
        name = f"{site.name}-{number}"
        (out / "pages" / f"{name}.html.gz").write_bytes(texts.pack(page))
        (out / "pages" / f"{name}.txt").write_text(gold)
        (out / "pages" / f"{name}.json").write_text(json.dumps(about, ensure_ascii=False, indent=1) + "\n")
        taken += 1
    for file in root.rglob("*"):
        if file.suffix in (".css", ".js", ".mjs", ".json") and file.is_file():
            put(file, out / "files" / site.host / file.relative_to(root))
    for place, sheet in FRAMEWORKS.items():
        put(site.tools / "node/node_modules" / sheet, out / "files" / place)
    return taken


def put(sheet: pathlib.Path, to: pathlib.Path) -> None:
    to.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(sheet, to)


def describe(out: pathlib.Path, name: str) -> None:
    pages = [json.loads(path.read_text()) for path in sorted((out / "pages").glob("*.json"))]
    permissive = name == "styled"
    about = {
        "name": name,
        "licence": "CC-BY-4.0" if permissive else "CC-BY-4.0 (texts); themes under GPL, AGPL, MPL and EPL",
        "pages": len(pages),
        "domains": len({page["domain"] for page in pages}),
        "notes": "Texts of wcxb-dev (CC-BY-4.0) and debmake-doc (Expat) in sites made with themes under "
        + ("MIT, BSD and Apache licences." if permissive else "copyleft licences: not for models that are given away."),
    }
    (out / "package.json").write_text(json.dumps(about, indent=1) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("texts", type=pathlib.Path, help="the package wcxb-dev")
    parser.add_argument("only", nargs="*")
    arguments = parser.parse_args()
    here, folder = pathlib.Path(__file__).parent, arguments.folder.resolve()
    tools = folder / "tools"
    stock = {
        "en": texts.english(arguments.texts),
        "zh": texts.chinese(tools / "deb/usr/share/doc/debmake-doc/html"),
    }
    for name in ("styled", "styled-copyleft"):
        shutil.rmtree(folder / name, ignore_errors=True)
        (folder / name / "pages").mkdir(parents=True)
    for name, generator, theme, licence, language in sites(here / "sites.tsv"):
        # Taken from the stock whether the site is built or not: a site that fails changes no other.
        own, stock[language] = stock[language][:PAGES_A_SITE], stock[language][PAGES_A_SITE:]
        if arguments.only and name not in arguments.only:
            continue
        if not own:
            print(f"{name}: no text is left for it", file=sys.stderr)
            continue
        site = generators.Site(name, theme, language, own, folder / "sites" / name, tools)
        try:
            root, pages = generators.build(generator, site)
            taken = take(site, root, pages, folder / package_of(licence), licence)
            print(f"{name}: {taken} pages")
        except (OSError, subprocess.SubprocessError) as error:
            print(f"{name}: not built: {error}", file=sys.stderr)
    for name in ("styled", "styled-copyleft"):
        describe(folder / name, name)


main()
