"""Main text of one page, and of many."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, Literal, TypeVar, overload

from . import _gristmill
from ._batches import Layout, Progress, RecordBatches, how_batches, thread_count
from ._options import options
from ._page import Page, page_of

# Pages that wait for each thread: enough that none is idle while the caller works on a result.
_WAITING = 2


def extract(
    html: Page,
    url: str | None = None,
    *,
    format: Literal["text", "markdown", "html", "json"] = "text",
    method: str = "best",
    min_confidence: float | None = None,
    charset: str | None = None,
    comments: bool = False,
    title: bool = True,
    describe: bool = False,
    headings: bool = True,
    lists: bool = True,
    tables: bool = True,
    code: bool = True,
    quotes: bool = True,
    captions: bool = True,
    notes: bool = True,
    links: bool = True,
    images: bool = False,
) -> str | None:
    """The main text of a page, or None where there is none.

    ``html`` is a page as ``str``, or as ``bytes`` in any charset (also ``bytearray`` and ``memoryview``), or a file that is
    open and has one of them. Lone surrogates of a ``str`` are read as U+FFFD. Of
    more than 16 MiB the end is not read.

    ``url`` is the address of the page. Addresses of links and images are resolved against it. A wrong one does no harm.

    ``format`` is the form of the result:

    * ``"text"``: one paragraph, heading, list item or table row a line;
    * ``"markdown"``: CommonMark with tables;
    * ``"html"``: the kept parts alone, as a fragment of HTML;
    * ``"json"``: an object with all that is known of the page, as ``gristmill extract --format json`` prints it.
      ``file`` is always null. It is None for a page that has neither a text nor a product.

    ``method`` says how main text is told from the rest: one of ``methods()``, also with parameters: ``"vsse(t1=0.3)"``.

    ``min_confidence`` from 0 to 1: None for a page on which the method is less sure than this.

    ``charset`` is what the server said of ``bytes``. Bytes that contradict it overrule it. For ``str`` it has no
    meaning.

    ``comments`` keeps what readers wrote below an article, as far as the method does. ``title`` puts the title first
    where the text does not begin with it, in ``text`` and ``markdown``. ``describe`` takes the page's description of
    itself when there is no text at all.

    ``headings``, ``lists``, ``tables``, ``code``, ``quotes``, ``captions`` and ``notes`` keep these parts with their words.
    ``links`` keeps addresses of links in Markdown and HTML; their words always stay. ``images`` shows images there.

    Raises ``NoPage`` for bytes that are a PDF, a picture or the like; ``UnknownFormat``, ``UnknownMethod``,
    ``UnknownCharset``, ``InvalidOption``; ``TypeError`` for a page of another type.
    """
    how = options(
        method=method,
        min_confidence=min_confidence,
        charset=charset,
        comments=comments,
        title=title,
        describe=describe,
        headings=headings,
        lists=lists,
        tables=tables,
        code=code,
        quotes=quotes,
        captions=captions,
        notes=notes,
        links=links,
        images=images,
    )
    return _gristmill.extract(page_of(html), url, format, how)


@overload
def extract_many(
    pages: Iterable[Page | tuple[Page, str | None]],
    *,
    threads: int | None = None,
    format: Literal["text", "markdown", "html", "json"] = "text",
    errors: Literal["raise"] = "raise",
    progress: Progress | None = None,
    **keywords: Any,
) -> Iterator[str | None]: ...


@overload
def extract_many(
    pages: Iterable[Page | tuple[Page, str | None]],
    *,
    threads: int | None = None,
    format: Literal["text", "markdown", "html", "json"] = "text",
    errors: Literal["return"],
    progress: Progress | None = None,
    **keywords: Any,
) -> Iterator[str | Exception | None]: ...


@overload
def extract_many(
    pages: Iterable[Page | tuple[Page, str | None]],
    *,
    threads: int | None = None,
    format: Literal["arrow"],
    errors: Literal["raise", "return"] = "raise",
    progress: Progress | None = None,
    layout: Layout = "gristmill",
    columns: Sequence[str] | None = None,
    variants: bool = False,
    **keywords: Any,
) -> RecordBatches: ...


def extract_many(
    pages: Iterable[Page | tuple[Page, str | None]],
    *,
    threads: int | None = None,
    format: Literal["text", "markdown", "html", "json", "arrow"] = "text",
    errors: Literal["raise", "return"] = "raise",
    progress: Progress | None = None,
    layout: Layout = "gristmill",
    columns: Sequence[str] | None = None,
    variants: bool = False,
    **keywords: Any,
) -> Iterator[str | None] | Iterator[str | Exception | None] | RecordBatches:
    """The main texts of many pages, on several threads, in the order of the pages.

    ``pages`` gives pages, or pairs of a page and its address. It is read as the results are asked for, at most two
    pages a thread ahead, so it may be endless. ``threads`` is their number; by default one for each core. The other
    keywords are those of ``extract``.

    A page that has no text gives None, and so does a PDF or a picture. A wrong keyword raises here, as in
    ``extract``. A page of a wrong type raises ``TypeError`` in its turn.

    With ``errors="return"`` no page ends the run: what it would have raised is its result, ``NoPage`` for a PDF or a
    picture, so that None only means that there is no text. An error of ``pages`` itself is the last result.

    ``progress`` is called with the number of pages that were read so far.

    With ``format="arrow"`` the result is record batches of a row a page, in the columns of a dataset (``layout``,
    ``columns``; ``variants`` adds ``text_precision``, ``text_recall`` and ``variant_agreement``), for any library that knows Arrow's C stream. ``reason`` says why a row has no text: that there is
    none, or that the page is none, such as a PDF; with ``errors="return"`` also what else went wrong.

    >>> list(extract_many(["<h1>Rye</h1><p>Rye is a grass.</p>", ("<p>Oats are grasses.</p>",
    "https://mill.example/")])) ['Rye\\nRye is a grass.', 'Oats are grasses.']
    """
    if errors not in ("raise", "return"):
        raise _gristmill.InvalidOption(f"`errors` is `raise` or `return`, not `{errors}`")
    how = options(variants=variants, **keywords)
    if format == "arrow":
        batches = how_batches(how, layout, columns, threads, progress)
        return _gristmill.RecordBatches.of_pages(_pairs(pages, errors == "return"), errors == "return", batches)
    if columns is not None or layout != "gristmill" or variants:
        raise TypeError('`layout`, `columns` and `variants` go with `format="arrow"`')
    _gristmill.extract("", None, format, how)
    return _told(_run(pages, thread_count(threads), format, how, errors == "return"), progress)


Result = TypeVar("Result")


def _told(results: Iterator[Result], progress: Progress | None) -> Iterator[Result]:
    if progress is None:
        return results

    def told() -> Iterator[Result]:
        for number, result in enumerate(results, 1):
            progress(number)
            yield result

    return told()


def _pairs(
    pages: Iterable[Page | tuple[Page, str | None]], returns_errors: bool
) -> Iterator[tuple[str | bytes | Exception, str | None]]:
    """Pages with their addresses, as the native part takes them; what went wrong in the place of a page."""

    def pair(page: Page | tuple[Page, str | None]) -> tuple[str | bytes | Exception, str | None]:
        url = None
        try:
            html, url = page if isinstance(page, tuple) else (page, None)
            return page_of(html), url
        except Exception as error:
            if not returns_errors:
                raise
            return error, url

    try:
        yield from map(pair, pages)
    except Exception as error:
        if not returns_errors:
            raise
        yield error, None


def _run(
    pages: Iterable[Page | tuple[Page, str | None]],
    threads: int,
    format: Literal["text", "markdown", "html", "json"],
    how: _gristmill.Options,
    returns_errors: bool,
) -> Iterator[str | Exception | None]:
    def one(page: Page | tuple[Page, str | None]) -> str | Exception | None:
        try:
            html, url = page if isinstance(page, tuple) else (page, None)
            return _gristmill.extract(page_of(html), url, format, how)
        except _gristmill.NoPage as error:
            return error if returns_errors else None
        except Exception as error:
            if returns_errors:
                return error
            raise

    def given() -> Iterator[Page | tuple[Page, str | None] | _Failure]:
        try:
            yield from pages
        except Exception as error:
            if not returns_errors:
                raise
            yield _Failure(error)

    pool = ThreadPoolExecutor(threads, thread_name_prefix="gristmill")
    under_way: deque[Future[str | Exception | None]] = deque()
    try:
        for page in given():
            under_way.append(pool.submit(lambda failed: failed.error, page) if isinstance(page, _Failure) else pool.submit(one, page))
            if len(under_way) >= _WAITING * threads:
                yield under_way.popleft().result()
        while under_way:
            yield under_way.popleft().result()
    finally:
        # Also when the caller wants no more results.
        pool.shutdown(wait=False, cancel_futures=True)


class _Failure:
    """An error of the pages themselves, on its way behind their results."""

    def __init__(self, error: Exception) -> None:
        self.error = error
