"""Asks Gristmill with the official client of the Model Context Protocol.

mcp_client.py stdio SITE PROGRAM DATA | http SITE ADDRESS TOKEN
"""

import asyncio
import json
import os
import sys

import httpx2
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client


def texts(result):
    return [block.text for block in result.content]


def strangers(result):
    """What stands between the marks; that there are such marks, and a sentence on them before."""
    ours, material = texts(result)
    assert "never an instruction" in ours, ours
    lines = material.split("\n")
    assert lines[0].startswith("<text-of-strangers ") and lines[-1] == lines[0].replace("<", "</"), material
    return "\n".join(lines[1:-1])


async def call(client, tool, expect_error=False, **arguments):
    result = await client.call_tool(tool, arguments)
    assert bool(result.is_error) == expect_error, (tool, arguments, texts(result))
    return result


async def corpus(client, site):
    nothing = await call(client, "search", query="granite")
    assert "Nothing is indexed yet" in texts(nothing)[0], texts(nothing)
    steps = []

    async def progress(done, total, message):
        steps.append((done, total, message))

    crawled = await client.call_tool("crawl", {"url": site, "max_pages": 50}, progress_callback=progress)
    assert not crawled.is_error and "The crawl has ended" in texts(crawled)[0], texts(crawled)
    assert steps and all(step[0] <= step[1] for step in steps), steps

    found = strangers(await call(client, "search", query="granite", limit=5))
    hits = [json.loads(line) for line in found.splitlines()]
    stones = next(hit for hit in hits if hit["url"].endswith("/stones"))
    read = strangers(await call(client, "read", document=stones["key"]))
    assert "granite" in read and read.startswith("# "), read
    first = await call(client, "read", document=stones["url"], budget=30)
    assert "Cut after 30 tokens" in texts(first)[0], texts(first)
    start = int(texts(first)[0].split("`start: ")[1].split("`")[0])
    rest = strangers(await call(client, "read", document=stones["url"], start=start, budget=50000))
    assert (strangers(first) + rest).split() == read.split()
    await call(client, "read", expect_error=True, document="no such document")

    guide = f"{site}guide"
    section = strangers(await call(client, "read", document=guide, section="dressing"))
    assert section.startswith("## Dressing") and "bill of hard steel" in section and "Feeding" not in section, section
    missing = strangers(await call(client, "read", document=guide, section="no such words"))
    assert "2. Dressing" in missing and "3. Feeding" in missing, missing

    products = strangers(await call(client, "records"))
    records = [json.loads(line) for line in products.splitlines()]
    assert any("Hand mill" in record["title"] for record in records), products
    changes = strangers(await call(client, "changes", limit=3))
    assert len(changes.splitlines()) == 3, changes
    assert all(json.loads(line)["kind"] == "new" for line in changes.splitlines()), changes
    later = await call(client, "changes", since="2999-01-01")
    assert texts(later) == ["Nothing has changed."], texts(later)

    listed = (await client.list_resources()).resources
    templates = (await client.list_resource_templates()).resource_templates
    assert any(resource.name.endswith("/stones") for resource in listed), listed
    assert templates[0].uri_template == "gristmill://document/{key}"
    document = (await client.read_resource(f"gristmill://document/{stones['key']}")).contents[0]
    assert "granite" in document.text and "text-of-strangers" in document.text, document
    try:
        await client.read_resource("gristmill://document/none")
        raise AssertionError("there is no such resource")
    except Exception as error:
        assert "no such document" in str(error), error


async def web(client, site):
    page = await call(client, "extract", url=f"{site}guide")
    assert "## Dressing" in strangers(page) and "This is all of it" in texts(page)[0], texts(page)
    section = strangers(await call(client, "extract", url=f"{site}guide", section="dressing"))
    assert section.startswith("## Dressing") and "Feeding" not in section, section
    numbered = strangers(await call(client, "extract", url=f"{site}guide", section="3"))
    assert numbered.startswith("## Feeding"), numbered
    missing = strangers(await call(client, "extract", url=f"{site}guide", section="no such words"))
    assert "2. Dressing" in missing, missing
    cut = await call(client, "extract", url=f"{site}long", budget=100)
    assert "Cut after 100 tokens" in texts(cut)[0], texts(cut)
    for url, what in [
        ("ftp://mill.example/", "http"),
        (f"{site}secret", "robots.txt"),
        (f"{site}huge", "exceeds"),
        ("", "address"),
    ]:
        result = await call(client, "extract", expect_error=True, url=url)
        assert what in texts(result)[0], (url, texts(result))
    unknown = await client.call_tool("crawl", {"url": site, "scope": "everything"})
    assert unknown.is_error and "scope" in texts(unknown)[0]


async def all_of_it(client, site):
    tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    assert set(tools) == {"search", "read", "extract", "crawl", "records", "changes"}, tools
    assert tools["search"].annotations.read_only_hint and not tools["crawl"].annotations.read_only_hint
    await web(client, site)
    await corpus(client, site)


async def main():
    how, site = sys.argv[1:3]
    for mode in ["auto", "legacy"]:
        if how == "stdio":
            program, data = sys.argv[3:5]
            settings = {name: value for name, value in os.environ.items() if name.startswith("GRISTMILL__")}
            server = StdioServerParameters(command=program, args=["--data", f"{data}-{mode}", "mcp"], env=settings)
            async with Client(stdio_client(server), mode=mode) as client:
                await all_of_it(client, site)
        else:
            address, token = sys.argv[3:5]
            headers = {"Authorization": f"Bearer {token}"}
            async with httpx2.AsyncClient(headers=headers, timeout=60) as http:
                async with Client(streamable_http_client(address, http_client=http), mode=mode) as client:
                    await web(client, site)
    print("ok")


asyncio.run(main())
