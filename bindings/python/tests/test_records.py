"""Product records."""

from __future__ import annotations

import json

import gristmill


def test_a_product_has_title_price_and_attributes(mill: str) -> None:
    (product,) = gristmill.extract_records(mill)
    assert product["title"] == "Hand mill" and product["price"] == {"amount": "49.00", "currency": "USD"}
    assert product["list_price"] is None and product["availability"] == "InStock"
    sources = {"title": "h1", "price": "text", "brand": "table-row", "availability": "button"}
    assert product["sources"] == sources
    names = {pair["name"]: pair for pair in product["attributes"]}
    assert set(names) == {"Brand", "Weight", "Material", "Colour"}
    weight = names["Weight"]
    assert (weight["canonical"], weight["numbers"], weight["unit"]) == ("weight", [1.2], "kg")
    assert weight["path"].startswith("body/table/") and 0.7 <= weight["confidence"] <= 1


def test_what_the_page_declares_comes_with_the_product() -> None:
    declared = {
        "@context": "https://schema.org",
        "@type": "Product",
        "name": "Hand mill",
        "sku": "HM-7",
        "gtin13": "4006381333931",
        "image": "/mill.jpg",
        "brand": {"@type": "Brand", "name": "Steinhauer"},
        "aggregateRating": {"ratingValue": 4.5, "reviewCount": 12},
        "offers": {"price": "49.00", "priceCurrency": "EUR", "availability": "https://schema.org/InStock"},
    }
    page = f"<script type=application/ld+json>{json.dumps(declared)}</script><h1>Hand mill</h1>"
    (product,) = gristmill.extract_records(page, "https://shop.example/mill")
    assert (product["sku"], product["gtin"], product["brand"]) == ("HM-7", "4006381333931", "Steinhauer")
    assert product["rating"] == {"value": 4.5, "count": 12} and product["availability"] == "InStock"
    assert product["price"] == {"amount": "49.00", "currency": "EUR"}


def test_an_article_has_no_records(story: str) -> None:
    assert gristmill.extract_records(story) == [] and gristmill.extract_records("") == []


def test_records_and_the_json_of_a_page_agree(mill: str, gate: list[tuple[bytes, str]]) -> None:
    n_products = 0
    for html, url in gate:
        products = gristmill.extract_records(html, url)
        n_products += len(products)
        page = gristmill.extract(html, url, format="json")
        if page is not None:
            assert products == json.loads(page)["records"], url
    assert n_products >= 8
