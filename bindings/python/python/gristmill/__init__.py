"""Main text, metadata and product records of web pages.

>>> import gristmill
>>> gristmill.extract("<title>Rye</title><h1>Rye</h1><p>Rye is a grass, and mills grind its grain day and night.</p>")
'Rye\\nRye is a grass, and mills grind its grain day and night.'

A page is ``str``, or ``bytes`` in any charset, or a file that has one of them. Nothing is fetched, and no clock is read: the same page gives
the same result on any machine. ``read_archive`` alone reads a file. Time and memory are bounded for any page. Other threads run while a page is read.

Every error but ``TypeError`` is a ``GristmillError``, which is a kind of ``ValueError``.
"""

from ._archive import Archive, ArchivedPage, read_archive
from ._batches import RecordBatches
from ._document import Document, Rights, Variants, read
from ._extract import extract, extract_many
from ._gristmill import (
    GristmillError,
    InvalidOption,
    NoPage,
    UnknownCharset,
    UnknownFormat,
    UnknownMethod,
    __version__,
    methods,
)
from ._metadata import Feed, LanguageShare, Metadata, Source, extract_metadata
from ._page import Page
from ._records import Attribute, Price, Product, ProductSources, Rating, Variant, extract_records

__all__ = [
    "Archive",
    "ArchivedPage",
    "Attribute",
    "Document",
    "Feed",
    "LanguageShare",
    "GristmillError",
    "InvalidOption",
    "Metadata",
    "NoPage",
    "Page",
    "Price",
    "Product",
    "ProductSources",
    "Rating",
    "RecordBatches",
    "Rights",
    "Source",
    "UnknownCharset",
    "UnknownFormat",
    "UnknownMethod",
    "Variant",
    "Variants",
    "__version__",
    "extract",
    "extract_many",
    "extract_metadata",
    "extract_records",
    "methods",
    "read",
    "read_archive",
]
