"""The products that a page shows."""

from __future__ import annotations

import json
from typing import TypedDict

from . import _gristmill
from ._options import options
from ._page import Page, page_of


class Price(TypedDict):
    """An amount in a currency."""

    amount: str
    """A decimal number with a dot, with as many decimals as were written: ``"1299.00"``."""
    currency: str | None
    """The ISO 4217 code, where the page tells it."""


class Rating(TypedDict):
    """Stars given by readers, as the page declares them."""

    value: float
    """The mean, on the page's own scale."""
    count: int | None
    """How many rated."""


class Attribute(TypedDict):
    """A pair of name and value that can be seen on the page."""

    name: str
    """As written."""
    value: str
    """As written, on one line."""
    canonical: str | None
    """The common name of its synonyms (``brand`` for ``品牌``), if the dictionary knows it."""
    numbers: list[float] | None
    """The value as numbers, if it is nothing but numbers and a unit; several for dimensions."""
    unit: str | None
    """Their unit, such as ``kg``; empty for bare numbers."""
    source: str
    """The layout that it was read from."""
    path: str
    """Its element, from ``body``: ``body/div[2]/table/tr[3]``."""
    confidence: float
    """How probable it is that this is an attribute of the product, 0 to 1."""


class Variant(TypedDict):
    """A variant that the page declares."""

    name: str | None
    sku: str | None
    price: Price | None
    attributes: list[list[str]]
    """Names and values of what sets it apart, such as colour and size."""


class ProductSources(TypedDict):
    """Where title and price were found: a markup such as ``json-ld``, or ``h1``, ``title``, ``text``."""

    title: str | None
    price: str | None


class Product(TypedDict):
    """A product. What is not known is None or empty."""

    title: str | None
    price: Price | None
    """What is paid now."""
    list_price: Price | None
    """The price before a reduction."""
    availability: str | None
    """As in schema.org: ``InStock``, ``OutOfStock`` …"""
    brand: str | None
    """This and the next four as the page declares them for machines."""
    sku: str | None
    gtin: str | None
    isbn: str | None
    mpn: str | None
    rating: Rating | None
    images: list[str]
    breadcrumb: list[str]
    variants: list[Variant]
    attributes: list[Attribute]
    """In the order of the page."""
    sources: ProductSources
    confidence: float
    """How probable it is that the page shows this product, 0 to 1."""


def extract_records(html: Page, url: str | None = None, *, charset: str | None = None) -> list[Product]:
    """The products that a page shows; an empty list for a page that is no product page.

    The keywords are those of ``extract_metadata``, and so are the errors. The objects are those of the field
    ``records`` of ``extract(…, format="json")``.
    """
    return list(json.loads(_gristmill.products(page_of(html), url, options(charset=charset))))
