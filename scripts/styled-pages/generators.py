"""Builds a site with one of the generators; each `build` writes sources, runs the program, and tells where pages are."""

import datetime
import json
import os
import pathlib
import re
import shutil
import subprocess

import source
from texts import Text

TOPICS = {"en": ["Notes", "Guides", "Stories", "Reports"], "zh": ["笔记", "指南", "资料", "随笔"]}
SITE_NAMES = {"en": "The Mill Papers", "zh": "磨坊札记"}


class Site:
    """A site that is to be built: its theme, its texts, a folder for the sources."""

    def __init__(self, name: str, theme: str, language: str, texts: list[Text], folder: pathlib.Path, tools: pathlib.Path):
        self.name, self.theme, self.language, self.texts = name, theme, language, texts
        self.folder, self.tools = folder, tools
        self.host = f"{name}.example"
        self.title = SITE_NAMES[language]

    def topic(self, number: int) -> str:
        return TOPICS[self.language][number % 4]

    def tags(self, text: Text) -> list[str]:
        if self.language == "zh":
            return ["Debian", *re.findall(r"[\u4e00-\u9fff]{2}", text.title)[:2]]
        return [word.lower() for word in re.findall(r"[A-Za-z]{5,}", text.title)[:4]] or ["misc"]

    def day(self, number: int) -> str:
        return (datetime.date(2025, 3, 1) + datetime.timedelta(days=9 * number)).isoformat()

    def others(self, number: int, form: str) -> list[str]:
        return [form.format(slug=text.slug) for at, text in enumerate(self.texts) if at != number]

    def write(self, name: str, content: str) -> None:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)

    def run(self, *command, cwd: pathlib.Path | None = None) -> None:
        log = self.folder / "build.log"
        environment = {**os.environ, "TZ": "UTC", "NO_COLOR": "1", "SOURCE_DATE_EPOCH": "1760000000"}
        with log.open("w") as out:
            subprocess.run(
                [str(part) for part in command], cwd=cwd or self.folder, env=environment, stdout=out, stderr=out,
                stdin=subprocess.DEVNULL, timeout=240, check=True,
            )

    def python(self, program: str) -> pathlib.Path:
        return self.tools / "python" / "bin" / program


def hexo(site: Site) -> tuple[pathlib.Path, dict[str, str]]:
    node = site.tools / "node"
    dependencies = json.loads((node / "package.json").read_text())["dependencies"]
    plugins = {name: version for name, version in dependencies.items() if not name.startswith(("hexo-theme-", "vite"))}
    site.write("package.json", json.dumps({"name": "site", "private": True, "hexo": {"version": dependencies["hexo"]}, "dependencies": plugins}))
    (site.folder / "node_modules").symlink_to(node / "node_modules")
    config = {
        "title": site.title, "subtitle": "Read slowly", "description": "Texts worth keeping", "author": "Ada Miller",
        "language": {"en": "en", "zh": "zh-CN"}[site.language], "timezone": "UTC", "url": f"http://{site.host}",
        "permalink": "posts/:title/", "theme": site.theme, "per_page": 10, "index_generator": {"per_page": 10, "order_by": "-date"},
        "marked": {"smartypants": False, "autolink": False}, "relative_link": False,
        "external_link": {"enable": False},
    }
    site.write("_config.yml", json.dumps(config, ensure_ascii=False))
    for number, text in enumerate(site.texts):
        about = {
            "title": text.title, "date": f"{site.day(number)} 08:00:00", "updated": f"{site.day(number)} 08:00:00",
            "tags": site.tags(text), "categories": [site.topic(number)], "disableNunjucks": True,
        }
        front = "\n".join(f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in about.items())
        body = source.body(text, site.others(number, "/posts/{slug}/"), more=True)
        site.write(f"source/_posts/{text.slug}.md", f"---\n{front}\n---\n\n{body}")
    site.run("node", node / "node_modules/hexo/bin/hexo", "generate")
    return site.folder / "public", {text.id: f"posts/{text.slug}/index.html" for text in site.texts}


def mkdocs(site: Site) -> tuple[pathlib.Path, dict[str, str]]:
    navigation: dict[str, list[dict[str, str]]] = {}
    for number, text in enumerate(site.texts):
        body = source.body(text, site.others(number, "../{slug}/"))
        site.write(f"docs/{text.slug}.md", f"# {source.escaped(text.title)}\n\n{body}")
        navigation.setdefault(site.topic(number), []).append({text.title: f"{text.slug}.md"})
    site.write("docs/index.md", f"# {site.title}\n\n" + "\n".join(f"* [{source.escaped(t.title)}]({t.slug}.md)" for t in site.texts))
    config = {
        "site_name": site.title, "site_url": f"http://{site.host}/", "site_author": "Ada Miller", "theme": {"name": site.theme},
        "copyright": "Copyright Ada Miller", "nav": [{"Home": "index.md"}, *({topic: pages} for topic, pages in navigation.items())],
    }
    site.write("mkdocs.yml", json.dumps(config, ensure_ascii=False))
    site.run(site.python("mkdocs"), "build")
    return site.folder / "site", {text.id: f"{text.slug}/index.html" for text in site.texts}


def sphinx(site: Site) -> tuple[pathlib.Path, dict[str, str]]:
    for number, text in enumerate(site.texts):
        body = source.body(text, site.others(number, "{slug}.html"))
        site.write(f"source/{text.slug}.md", f"# {source.escaped(text.title)}\n\n{body}")
    index = [f"# {site.title}\n"]
    for topic in range(4):
        pages = "\n".join(text.slug for number, text in enumerate(site.texts) if number % 4 == topic)
        index.append(f"```{{toctree}}\n:maxdepth: 2\n:caption: {site.topic(topic)}\n\n{pages}\n```\n")
    site.write("source/index.md", "\n".join(index))
    config = {
        "project": site.title, "author": "Ada Miller", "copyright": "2025, Ada Miller", "version": "1.2", "release": "1.2",
        "extensions": ["myst_parser"], "html_theme": site.theme, "smartquotes": False, "html_last_updated_fmt": "%Y-%m-%d",
        "language": {"en": "en", "zh": "zh_CN"}[site.language], "html_baseurl": f"http://{site.host}/",
    }
    site.write("source/conf.py", "\n".join(f"{key} = {value!r}" for key, value in config.items()))
    site.run(site.python("sphinx-build"), "-b", "html", "source", "out")
    return site.folder / "out", {text.id: f"{text.slug}.html" for text in site.texts}


def pelican(site: Site) -> tuple[pathlib.Path, dict[str, str]]:
    for number, text in enumerate(site.texts):
        head = f"Title: {text.title}\nDate: {site.day(number)} 08:00\nSlug: {text.slug}\nCategory: {site.topic(number)}\n"
        head += f"Tags: {', '.join(site.tags(text))}\nAuthor: Ada Miller\n"
        site.write(f"content/{text.slug}.md", f"{head}\n{source.body(text, site.others(number, '/{slug}.html'))}")
    config = {
        "SITENAME": site.title, "AUTHOR": "Ada Miller", "SITEURL": f"http://{site.host}", "PATH": "content", "TIMEZONE": "UTC",
        "THEME": site.theme, "DEFAULT_LANG": "en", "LINKS": [("Debian", "http://debian.example/")], "FEED_ALL_ATOM": None,
        "CC_LICENSE": None, "SOCIAL": [("code", "http://code.example/")], "CATEGORY_FEED_ATOM": None, "MENUITEMS": [("Archive", "/archives.html")],
    }
    site.write("pelicanconf.py", "\n".join(f"{key} = {value!r}" for key, value in config.items()))
    site.run(site.python("pelican"), "content", "-s", "pelicanconf.py", "-o", "output")
    return site.folder / "output", {text.id: f"{text.slug}.html" for text in site.texts}


def vitepress(site: Site) -> tuple[pathlib.Path, dict[str, str]]:
    node = site.tools / "node"
    (site.folder / "node_modules").symlink_to(node / "node_modules")
    sidebar: dict[str, list[dict[str, str]]] = {}
    for number, text in enumerate(site.texts):
        body = source.body(text, site.others(number, "./{slug}")).replace("/images/figure.png", "http://pictures.example/figure.png")
        site.write(f"{text.slug}.md", f"# {source.escaped(text.title)}\n\n{body}")
        sidebar.setdefault(site.topic(number), []).append({"text": text.title, "link": f"/{text.slug}"})
    groups = [{"text": topic, "items": items} for topic, items in sidebar.items()]
    theme = {"nav": [{"text": topic, "link": items[0]["link"]} for topic, items in sidebar.items()], "sidebar": groups,
             "footer": {"message": "Read slowly", "copyright": "Ada Miller"}}
    config = {"title": site.title, "description": "Texts worth keeping", "ignoreDeadLinks": True, "themeConfig": theme}
    site.write("index.md", f"# {site.title}\n")
    site.write(".vitepress/config.mjs", f"export default {json.dumps(config, ensure_ascii=False)}\n")
    site.run("node", node / "node_modules/vitepress/bin/vitepress.js", "build")
    return site.folder / ".vitepress/dist", {text.id: f"{text.slug}.html" for text in site.texts}


GENERATORS = {"hexo": hexo, "mkdocs": mkdocs, "sphinx": sphinx, "pelican": pelican, "vitepress": vitepress}


def build(generator: str, site: Site) -> tuple[pathlib.Path, dict[str, str]]:
    """The folder of the built site, and where in it the page of each text is."""
    shutil.rmtree(site.folder, ignore_errors=True)
    site.folder.mkdir(parents=True)
    return GENERATORS[generator](site)
