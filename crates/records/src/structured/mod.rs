//! What a page says of its product in machine-readable form: JSON-LD, microdata, RDFa, OpenGraph, as one value.

use gristmill_html::{Doc, LocalName, NodeId, unescape};
use gristmill_page::Page;
use gristmill_page::declared::{Item, Items, JsonLdError, PropertyValue};
use gristmill_text::lower_letters;

use crate::amount_words::is_gross;
use crate::placeholder::is_placeholder;
use crate::price::{self, Amount, Price, PriceStyle};
use crate::stock;

/// Where a structured field came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum StructuredSource {
    /// A script of type `application/ld+json`.
    JsonLd,
    /// `itemscope`, `itemprop`.
    Microdata,
    /// `typeof`, `property`.
    Rdfa,
    /// `meta` elements of Facebook's Open Graph protocol.
    OpenGraph,
    /// What the page carries for its scripts, such as `__NEXT_DATA__`; read where the page shows no attribute.
    State,
}

impl StructuredSource {
    /// The name that provenance shows.
    pub fn as_str(self) -> &'static str {
        match self {
            StructuredSource::JsonLd => "json-ld",
            StructuredSource::Microdata => "microdata",
            StructuredSource::Rdfa => "rdfa",
            StructuredSource::OpenGraph => "opengraph",
            StructuredSource::State => "state",
        }
    }
}

/// A text and where it came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeclaredValue {
    /// The text, white space collapsed.
    pub text: String,
    /// Its source.
    pub markup: StructuredSource,
}

/// One offer of the product.
#[derive(Debug, Clone, PartialEq)]
pub struct Offer {
    /// What is paid now; the lower end of a range.
    pub price: Option<Price>,
    /// The upper end of a range.
    pub price_max: Option<Price>,
    /// The price before a reduction.
    pub list_price: Option<Price>,
    /// A name of schema.org's `ItemAvailability`: `InStock`, `OutOfStock` …
    pub availability: Option<String>,
    /// Its source.
    pub markup: StructuredSource,
}

/// Stars given by readers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rating {
    /// Mean, on the page's own scale.
    pub value: f64,
    /// How many rated.
    pub count: Option<u64>,
}

/// One variant of the product.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Variant {
    /// Its name.
    pub name: Option<String>,
    /// Its SKU.
    pub sku: Option<String>,
    /// Its price.
    pub price: Option<Price>,
    /// Whether there is stock, as [`Offer::availability`].
    pub availability: Option<String>,
    /// Its own properties (colour, size …).
    pub attributes: Vec<(String, String)>,
}

/// The product of the page as its markup describes it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct DeclaredProduct {
    /// `name`, `og:title`.
    pub title: Option<DeclaredValue>,
    /// `description`.
    pub description: Option<DeclaredValue>,
    /// `brand`, or failing that `manufacturer`.
    pub brand: Option<DeclaredValue>,
    /// `sku`, `productID`.
    pub sku: Option<DeclaredValue>,
    /// `mpn`.
    pub mpn: Option<DeclaredValue>,
    /// `gtin`, `gtin8`, `gtin12`, `gtin13`, `gtin14`.
    pub gtin: Option<DeclaredValue>,
    /// `isbn`.
    pub isbn: Option<DeclaredValue>,
    /// Offers in page order, at most 50.
    pub offers: Vec<Offer>,
    /// The currency that the page declares, with a readable price or without.
    pub currency: Option<String>,
    /// Addresses as written, at most 50, each once.
    pub images: Vec<String>,
    /// `aggregateRating`.
    pub rating: Option<Rating>,
    /// Names of the breadcrumb, outermost first.
    pub breadcrumb: Vec<String>,
    /// `hasVariant`, at most 200.
    pub variants: Vec<Variant>,
    /// `additionalProperty` and the plain properties of the thing (`color`, `material`, `weight` …).
    pub properties: Vec<(String, DeclaredValue)>,
    /// Products of the page beside the chosen one: many make it a listing.
    pub n_products: usize,
    /// Whether a schema.org product (or `og:type` product) was found; otherwise the fields are hints only.
    pub is_product: bool,
    /// Whether a page that calls itself an article marks a product under another name than its own; nothing of it is taken.
    pub has_unnamed: bool,
    /// Whether the markup or `og:type` calls the page an article, and no product was found.
    pub is_article: bool,
    /// Whether the markup does so. Systems for web logs that shops are made with give `og:type` to any page.
    pub has_article: bool,
    /// What was passed over.
    pub warnings: Vec<String>,
}

const MAX_LIST: usize = 50;
const MAX_VARIANTS: usize = 200;

/// Reads all markup of a page. JSON-LD goes before microdata and RDFa, and those before OpenGraph, field by field.
/// Bounded: scripts over 4 MB are passed over, items, properties and lists are capped. No errors: broken markup
/// gives less and a warning.
///
/// `url` serves only to guess the currency from the host, where no language names a country.
pub fn structured(page: &Page<'_>, url: Option<&str>) -> DeclaredProduct {
    let (doc, json_ld, embedded) = (page.doc, page.json_ld(), page.embedded());
    let mut out =
        DeclaredProduct { warnings: json_ld.unread.iter().map(warning).collect(), ..DeclaredProduct::default() };
    let title = doc
        .first(LocalName::H1)
        .map(|id| tidy(&doc.readable(id, MAX_TEXT)))
        .or_else(|| doc.title())
        .unwrap_or_default();
    let locale = price::usual_currency(doc, url);
    out.is_article = doc.meta("og:type").is_some_and(|kind| kind.trim().eq_ignore_ascii_case("article"));
    Reader { items: &json_ld.items, markup: StructuredSource::JsonLd, locale }.merge(&title, &mut out);
    let markup = if embedded.is_rdfa { StructuredSource::Rdfa } else { StructuredSource::Microdata };
    Reader { items: &embedded.items, markup, locale }.merge(&title, &mut out);
    open_graph(doc, locale, &mut out);
    out.currency = currency(doc, [&json_ld.items, &embedded.items], &out.offers, locale);
    out.is_article &= !out.is_product;
    out.warnings.truncate(10);
    out
}

/// The currency of the first offer that has one, or of any item or element that names one.
fn currency(doc: &Doc, items: [&Items; 2], offers: &[Offer], locale: Option<&str>) -> Option<String> {
    let of_offers = offers.iter().find_map(|offer| offer.price.as_ref()?.currency.clone());
    let of_items = || {
        let mut items = items.into_iter().flat_map(|items| &items.items);
        items.find_map(|item| price::declared_currency(item.text("priceCurrency")?, None, locale))
    };
    let of_meta = || {
        let keys = ["product:price:currency", "og:price:currency"];
        keys.iter().find_map(|key| price::declared_currency(doc.meta(key)?, None, locale))
    };
    of_offers.or_else(of_items).or_else(of_meta).or_else(|| of_elements(doc, locale))
}

/// What an element outside of any item names as the currency of the page.
fn of_elements(doc: &Doc, locale: Option<&str>) -> Option<String> {
    let data = ["data-currency", "data-currency-code", "data-price-currency"].map(|name| doc.find_name(name));
    let named = |at: usize| {
        let (name, value) = (doc.attribute_name(at), doc.attribute_value(at));
        (data.contains(&Some(name)) && value.len() <= 10).then_some(value)
    };
    let is_property = |id: &NodeId| doc.attr(*id, LocalName::ITEMPROP) == Some("priceCurrency");
    let content = doc.ids().filter(is_property).find_map(|id| doc.attr(id, LocalName::CONTENT));
    let text = content.or_else(|| (0..doc.n_attributes()).find_map(named))?;
    price::declared_currency(text, None, locale)
}

fn warning(unread: &JsonLdError) -> String {
    let why = match unread {
        JsonLdError::Long => "longer than 4 MB",
        JsonLdError::Broken => "broken",
    };
    format!("a JSON-LD script is {why} and was read in part or not at all")
}

/// Longest text of one property in bytes.
const MAX_TEXT: usize = 10_000;

/// Text as it is kept: collapsed and cut at a bound.
fn tidy(text: &str) -> String {
    gristmill_text::collapse(&text[..text.floor_char_boundary(MAX_TEXT)])
}

/// The properties for the number of a shop, and that of the trade.
const SKU: [&str; 3] = ["sku", "productID", "productId"];
const GTIN: [&str; 5] = ["gtin13", "gtin", "gtin12", "gtin14", "gtin8"];

struct Reader<'r> {
    items: &'r Items,
    markup: StructuredSource,
    locale: Option<&'static str>,
}

fn is_product(item: &Item) -> bool {
    const KINDS: [&str; 7] =
        ["Product", "ProductGroup", "ProductModel", "IndividualProduct", "SomeProducts", "Vehicle", "Car"];
    // Some write all names in small letters.
    let is_kind = |own: &String| KINDS.iter().any(|kind| own.eq_ignore_ascii_case(kind));
    let is_offered = || item.all("offers").next().is_some();
    item.types.iter().any(is_kind) || ["Book", "VideoGame"].iter().any(|kind| item.is(kind)) && is_offered()
}

/// Whether a program is sold; most that are marked as programs cost nothing.
fn is_sold_program(items: &Items, item: &Item) -> bool {
    let is_program = item.types.iter().any(|kind| kind.ends_with("Application"));
    let costs = |offer: &Item| {
        let price = offer.text("price").or_else(|| offer.text("lowPrice"))?;
        price::decimal(first_number(price))?.parse::<f64>().ok()
    };
    is_program && item.all("offers").filter_map(|offer| items.get(offer)).filter_map(costs).any(|price| price > 0.0)
}

impl Reader<'_> {
    fn merge(&self, title: &str, out: &mut DeclaredProduct) {
        self.breadcrumb(out);
        let is_sold = |item: &Item| is_product(item) || is_sold_program(self.items, item);
        let products: Vec<usize> = (0..self.items.items.len()).filter(|&n| is_sold(&self.items.items[n])).collect();
        let inner = self.inner();
        let outer: Vec<usize> = products.iter().copied().filter(|n| !inner.contains(n)).collect();
        out.n_products = out.n_products.max(outer.len());
        let article = |item: &Item| item.types.iter().any(|kind| kind.ends_with("Article") || kind == "BlogPosting");
        out.has_article |= self.items.items.iter().any(article);
        out.is_article |= out.has_article;
        let Some(main) = self.main(&outer, title) else { return };
        // News sites mark their subscription as a product on every article.
        if out.is_article && !self.is_named(main, title) {
            out.has_unnamed = true;
            return;
        }
        out.is_product = true;
        self.product(&self.items.items[main], out);
        // What programs beside that of the shop say of it once more, as of its ratings.
        let item = |n: usize| &self.items.items[n];
        let name = self.text(item(main), "name");
        for other in outer.iter().filter(|&&n| n != main && name.is_some()).map(|&n| item(n)) {
            let is_offered = other.all("offers").next().is_some();
            if self.text(other, "name") == name && (out.offers.is_empty() || !is_offered) {
                self.product(other, out);
            }
        }
    }

    /// Items that hang on another product or in a list: related products, variants, reviewed things.
    fn inner(&self) -> std::collections::HashSet<usize> {
        let mut inner = std::collections::HashSet::new();
        // Of the only offer on a page the product is its own.
        let is_one = self.items.items.iter().filter(|item| item.all("itemOffered").next().is_some()).count() == 1;
        for item in &self.items.items {
            for (name, content) in &item.properties {
                let PropertyValue::Item(child) = content else { continue };
                let is_list = matches!(
                    name.as_str(),
                    "isRelatedTo"
                        | "isSimilarTo"
                        | "hasVariant"
                        | "isVariantOf"
                        | "itemListElement"
                        | "isAccessoryOrSparePartFor"
                        | "itemReviewed"
                        | "isConsumableFor"
                        | "item"
                ) || name == "itemOffered" && !(is_one && self.is_sole_offer(item, *child));
                if is_list || is_product(item) {
                    inner.insert(*child);
                }
            }
        }
        inner
    }

    /// Whether an offer says the price of its product, which names no offers itself.
    fn is_sole_offer(&self, offer: &Item, product: usize) -> bool {
        let product = self.items.items.get(product);
        offer.text("price").is_some() && product.is_some_and(|product| product.all("offers").next().is_none())
    }

    /// Whether a product has the page's title as its name, or a part of it.
    fn is_named(&self, n: usize, title: &str) -> bool {
        let squeeze = |text: &str| lower_letters(text).collect::<String>();
        let (title, name) = (squeeze(title), squeeze(&self.text(&self.items.items[n], "name").unwrap_or_default()));
        name.len() > 3 && !title.is_empty() && (title.contains(&name) || name.contains(&title))
    }

    /// The product that the page is about: the one named like the page; one of a few that has an offer; never one
    /// of many that no title names.
    fn main(&self, products: &[usize], title: &str) -> Option<usize> {
        let named = products.iter().copied().find(|&n| self.is_named(n, title));
        let with_offer = || products.iter().copied().find(|&n| self.items.items[n].all("offers").next().is_some());
        let few = products.len() <= 3;
        named
            .or_else(|| with_offer().filter(|_| few))
            .or_else(|| products.first().copied().filter(|_| products.len() == 1))
    }

    /// The text of a property: its own, or the `name` (or `value`, `url`) of the item it holds.
    fn text(&self, item: &Item, name: &str) -> Option<String> {
        item.all(name).find_map(|content| self.content(content))
    }

    fn content(&self, content: &PropertyValue) -> Option<String> {
        match content {
            PropertyValue::Item(n) => {
                let inner = self.items.items.get(*n)?;
                ["name", "value", "url", "contentUrl"].iter().find_map(|name| {
                    let text = inner.all(name).find_map(|content| self.plain(content))?;
                    let unit = self.unit(inner).filter(|_| *name == "value");
                    Some(match unit {
                        Some(unit) => format!("{text} {unit}"),
                        None => text,
                    })
                })
            }
            text => self.plain(text),
        }
    }

    /// A text as it is kept, unless it is blank. Pages often escape for HTML what they write into a script.
    fn plain(&self, content: &PropertyValue) -> Option<String> {
        let text = content.as_text()?;
        // And some escape twice.
        let text =
            if self.markup == StructuredSource::JsonLd { tidy(&unescape(&unescape(text))) } else { text.to_owned() };
        (!text.is_empty() && !is_placeholder(&text)).then_some(text)
    }

    fn unit(&self, item: &Item) -> Option<String> {
        let first = |name: &&str| item.all(name).next().and_then(|content| self.plain(content));
        ["unitText", "unitCode"].iter().find_map(first)
    }

    fn product(&self, item: &Item, out: &mut DeclaredProduct) {
        let field = |names: &[&str]| {
            let text = names.iter().find_map(|name| self.text(item, name))?;
            Some(DeclaredValue { text: tidy(&text), markup: self.markup })
        };
        let fill = |slot: &mut Option<DeclaredValue>, names: &[&str]| {
            if slot.is_none() {
                *slot = field(names);
            }
        };
        fill(&mut out.title, &["name"]);
        fill(&mut out.description, &["description"]);
        fill(&mut out.brand, &["brand", "manufacturer"]);
        fill(&mut out.sku, &SKU);
        fill(&mut out.mpn, &["mpn"]);
        fill(&mut out.gtin, &GTIN);
        fill(&mut out.isbn, &["isbn"]);
        if let Some(offer) = self.sole_offer(item) {
            self.numbers_of_offer(offer, out);
        }
        self.images(item, out);
        if out.rating.is_none() {
            out.rating = self.rating(item);
        }
        if out.offers.is_empty() {
            self.offers(item, out);
        }
        if out.variants.is_empty() {
            self.variants(item, out);
            if out.offers.iter().all(|offer| offer.price.is_none()) {
                out.offers.splice(0..0, of_variants(&out.variants, self.markup));
            }
        }
        if out.properties.is_empty() {
            self.properties(item, out);
        }
    }

    /// The only offer of a product.
    fn sole_offer(&self, item: &Item) -> Option<&Item> {
        let mut offers = item.all("offers").filter_map(|content| self.item(content));
        offers.next().filter(|_| offers.next().is_none())
    }

    /// The numbers of a product that its only offer has and it has not.
    fn numbers_of_offer(&self, offer: &Item, out: &mut DeclaredProduct) {
        for (slot, names) in [(&mut out.sku, &SKU[..1]), (&mut out.mpn, &["mpn"]), (&mut out.gtin, &GTIN)] {
            let text = names.iter().find_map(|name| self.text(offer, name)).filter(|_| slot.is_none());
            *slot = slot.take().or(text.map(|text| DeclaredValue { text: tidy(&text), markup: self.markup }));
        }
    }

    fn images(&self, item: &Item, out: &mut DeclaredProduct) {
        for content in item.all("image") {
            if let Some(image) = self.content(content)
                && out.images.len() < MAX_LIST
                && !out.images.contains(&image)
            {
                out.images.push(image);
            }
        }
    }

    fn item<'i>(&'i self, content: &PropertyValue) -> Option<&'i Item> {
        self.items.get(content)
    }

    fn rating(&self, item: &Item) -> Option<Rating> {
        let rating = item.all("aggregateRating").find_map(|content| self.item(content))?;
        // `1 204`
        let joined = |text: String| text.split_whitespace().collect::<String>();
        let number = |name| self.text(rating, name).map(joined).and_then(|text| price::decimal(first_number(&text)));
        // No mean is in the thousands, so a dot there divides none, whoever wrote it.
        let mean = self.text(rating, "ratingValue")?;
        let mean = first_number(&mean);
        let value: f64 = price::declared(mean).or_else(|| price::decimal(mean))?.parse().ok()?;
        let count = |name| number(name).and_then(|text| text.parse::<u64>().ok());
        let counts = [count("ratingCount"), count("reviewCount")];
        let count = counts.into_iter().flatten().find(|count| *count > 0);
        // Themes write a mean of none where nobody has rated.
        let is_given = value > 0.0 && (count.is_some() || counts == [None; 2]);
        is_given.then_some(Rating { value, count })
    }

    fn offers(&self, item: &Item, out: &mut DeclaredProduct) {
        let holds = |offer: &&Item| {
            let mut offered = offer.all("itemOffered").filter_map(|content| self.item(content));
            offered.any(|offered| std::ptr::eq(offered, item))
        };
        let mut direct: Vec<&Item> =
            item.all("offers").filter_map(|content| self.item(content)).take(MAX_LIST).collect();
        if direct.is_empty() {
            direct.extend(self.items.items.iter().filter(holds).take(1));
        }
        for offer in direct {
            let nested: Vec<&Item> = offer.all("offers").filter_map(|content| self.item(content)).collect();
            let mut own = self.offer(offer);
            if own.price.is_some() || nested.is_empty() {
                let inner: Vec<Offer> = nested.into_iter().take(MAX_LIST).map(|offer| self.offer(offer)).collect();
                own.availability = own.availability.or_else(|| stock(&inner));
                out.offers.push(own);
            } else {
                out.offers.extend(nested.into_iter().take(MAX_LIST).map(|offer| self.offer(offer)));
            }
            if out.offers.len() >= MAX_LIST {
                break;
            }
        }
    }

    fn offer(&self, offer: &Item) -> Offer {
        let all = || offer.all("priceSpecification").filter_map(|content| self.item(content)).take(10);
        // The price of a kilogram or a month, or without the tax, where there is another.
        let is_net = |item: &Item| {
            self.text(item, "valueAddedTaxIncluded").is_some_and(|text| text.trim().eq_ignore_ascii_case("false"))
        };
        let is_of_part = |item: &&Item| {
            ["referenceQuantity", "billingDuration"].iter().any(|name| item.all(name).next().is_some()) || is_net(item)
        };
        let (mut price, mut price_max, mut list_price) = (None, None, None);
        for specification in all().filter(|item| !is_of_part(item)).chain(all().filter(is_of_part)) {
            let kind = self.text(specification, "priceType").unwrap_or_default();
            let is_before = ["List", "Strikethrough", "MSRP", "SRP", "Regular"].iter().any(|word| kind.contains(word));
            let slot = if is_before { &mut list_price } else { &mut price };
            if slot.is_none() {
                *slot = self.amount(specification, &["price", "minPrice"], offer);
                price_max = price_max.or_else(|| self.amount(specification, &["maxPrice"], offer));
            }
        }
        let price = self.amount(offer, &["price", "lowPrice"], offer).or(price);
        let price_max = self.amount(offer, &["highPrice"], offer).or(price_max).or_else(|| self.upper_end(offer));
        let is_above = |max: &Price| price.as_ref().is_none_or(|price| max.value() > price.value());
        let availability = self.text(offer, "availability").and_then(|text| stock::declared(&text)).map(str::to_owned);
        Offer { price_max: price_max.filter(is_above), price, list_price, availability, markup: self.markup }
    }

    fn amount(&self, item: &Item, names: &[&str], offer: &Item) -> Option<Price> {
        let content = names.iter().find_map(|name| item.all(name).find(|content| self.content(content).is_some()))?;
        let text = self.content(content)?;
        let named = self.text(item, "priceCurrency").or_else(|| self.text(offer, "priceCurrency"));
        let code = |beside: Option<&str>| price::declared_currency(named.as_deref()?, beside, self.locale);
        let written = code(None);
        let fallback = written.as_deref().or(self.locale);
        let mut price = match content {
            PropertyValue::Seen(_) => {
                let habits = PriceStyle { currency: fallback, ..PriceStyle::default() };
                gross(&text, habits).or_else(|| price::parse_field(&text, habits))?
            }
            _ => price::parse_declared(&text, fallback)?,
        };
        price.currency = code(price.currency.as_deref()).or(price.currency);
        Some(price)
    }

    /// The upper end of a range that an element shows which is declared to be the price.
    fn upper_end(&self, offer: &Item) -> Option<Price> {
        let seen = offer.all("price").find(|content| matches!(content, PropertyValue::Seen(_)))?;
        let low = self.amount(offer, &["price"], offer)?;
        let text = self.content(seen)?;
        let habits = PriceStyle { currency: low.currency.as_deref(), ..PriceStyle::default() };
        let most = field_amounts(&text, habits).next()?.most?;
        Some(Price { currency: low.currency, ..most })
    }

    fn variants(&self, item: &Item, out: &mut DeclaredProduct) {
        let variants = item.all("hasVariant").chain(item.all("model")).filter_map(|content| self.item(content));
        for variant in variants.take(MAX_VARIANTS) {
            let offer = variant.all("offers").find_map(|content| self.item(content)).map(|offer| self.offer(offer));
            let mut own = DeclaredProduct::default();
            self.properties(variant, &mut own);
            out.variants.push(Variant {
                name: self.text(variant, "name"),
                sku: self.text(variant, "sku"),
                availability: offer.as_ref().and_then(|offer| offer.availability.clone()),
                price: offer.and_then(|offer| offer.price),
                attributes: own.properties.into_iter().map(|(name, field)| (name, field.text)).collect(),
            });
        }
    }

    fn properties(&self, item: &Item, out: &mut DeclaredProduct) {
        const PLAIN: [&str; 22] = [
            "model",
            "color",
            "material",
            "size",
            "weight",
            "width",
            "height",
            "depth",
            "pattern",
            "category",
            "author",
            "publisher",
            "numberOfPages",
            "bookFormat",
            "inLanguage",
            "datePublished",
            "countryOfOrigin",
            "releaseDate",
            "productionDate",
            "itemCondition",
            "award",
            "audience",
        ];
        for property in item.all("additionalProperty").filter_map(|content| self.item(content)).take(MAX_VARIANTS) {
            if let (Some(name), Some(mut value)) = (self.text(property, "name"), self.text(property, "value")) {
                if let Some(unit) = self.unit(property).filter(|unit| unit.len() < 12) {
                    value = format!("{value} {unit}");
                }
                out.properties.push((tidy(&name), DeclaredValue { text: tidy(&value), markup: self.markup }));
            }
        }
        for name in PLAIN {
            if let Some(text) = self.text(item, name) {
                out.properties.push((name.to_owned(), DeclaredValue { text: tidy(&text), markup: self.markup }));
            }
        }
    }

    fn breadcrumb(&self, out: &mut DeclaredProduct) {
        let Some(list) = self.items.items.iter().find(|item| item.is("BreadcrumbList")) else { return };
        if !out.breadcrumb.is_empty() {
            return;
        }
        let mut steps: Vec<(f64, String)> = Vec::new();
        for content in list.all("itemListElement").take(MAX_LIST) {
            let Some(step) = self.item(content) else { continue };
            let named = self.text(step, "name").or_else(|| self.text(step, "item"));
            let position = self.text(step, "position").and_then(|text| text.parse().ok());
            if let Some(name) = named {
                steps.push((position.unwrap_or(steps.len() as f64), tidy(&name)));
            }
        }
        steps.sort_by(|a, b| a.0.total_cmp(&b.0));
        out.breadcrumb = steps.into_iter().map(|(_, name)| name).collect();
    }
}

/// The range of the variants' prices as one offer, in stock where one of them is.
fn of_variants(variants: &[Variant], markup: StructuredSource) -> Option<Offer> {
    let offer = |variant: &Variant| Offer {
        price: variant.price.clone(),
        price_max: None,
        list_price: None,
        availability: variant.availability.clone(),
        markup,
    };
    range(&variants.iter().map(offer).collect::<Vec<_>>())
}

/// The range of the prices of some offers as one, in stock where one of them is. What costs nothing was not filled in where others cost
/// something.
pub(crate) fn range(offers: &[Offer]) -> Option<Offer> {
    let value = |offer: &Offer| offer.price.as_ref().map_or(0.0, Price::value);
    let is_any = offers.iter().any(|offer| value(offer) > 0.0);
    let priced = || offers.iter().filter(|offer| offer.price.is_some() && (value(offer) > 0.0 || !is_any));
    // Some repeat the offer in other currencies.
    let currency = priced().find_map(|offer| Some(&offer.price.as_ref()?.currency))?;
    let is_same = |price: &Price| price.currency == *currency;
    let same = || priced().filter(|offer| offer.price.as_ref().is_some_and(is_same));
    let least = same().min_by(|a, b| value(a).total_cmp(&value(b)))?;
    let low = value(least);
    let ends = same().flat_map(|offer| [&offer.price, &offer.price_max]).flatten();
    let high = ends.max_by(|a, b| a.value().total_cmp(&b.value())).filter(|high| high.value() > low).cloned();
    Some(Offer { price_max: high, availability: stock(offers), ..least.clone() })
}

/// The stock of some offers together.
pub(crate) fn stock(offers: &[Offer]) -> Option<String> {
    let stocks = || offers.iter().filter_map(|offer| offer.availability.as_deref());
    stocks().find(|stock| *stock == "InStock").or(stocks().next()).map(str::to_owned)
}

fn first_number(text: &str) -> &str {
    let start = text.find(|c: char| c.is_ascii_digit()).unwrap_or(text.len());
    let rest = &text[start..];
    &rest[..rest.find(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | ','))).unwrap_or(rest.len())]
}

/// What OpenGraph calls the price, that of a sale first, and the price before it.
const AMOUNTS: [&str; 3] = ["product:sale_price", "product:price", "og:price"];
const BEFORE: &str = "product:original_price";

/// OpenGraph fills what the others left empty. The price tags of shops count as a product even without `og:type`.
fn open_graph(doc: &Doc, locale: Option<&str>, out: &mut DeclaredProduct) {
    let field = |keys: &[&str]| {
        let text = keys.iter().find_map(|key| doc.meta(key).filter(|text| !is_placeholder(text)))?;
        Some(DeclaredValue { text: tidy(text), markup: StructuredSource::OpenGraph })
    };
    let is_type = doc.meta("og:type").is_some_and(|kind| kind.to_ascii_lowercase().contains("product"));
    let of = |key: &str, part: &str| doc.meta(&format!("{key}:{part}"));
    let amount = AMOUNTS.iter().find_map(|key| of(key, "amount"));
    out.is_product |= is_type || amount.is_some() && !out.is_article;
    for (slot, keys) in [
        (&mut out.title, &["og:title"][..]),
        (&mut out.description, &["og:description"][..]),
        (&mut out.brand, &["product:brand", "og:brand"][..]),
        (&mut out.sku, &["product:retailer_item_id"][..]),
        (&mut out.gtin, &["product:gtin", "product:ean", "product:upc"][..]),
        (&mut out.mpn, &["product:mfr_part_no"][..]),
        (&mut out.isbn, &["book:isbn", "product:isbn"][..]),
    ] {
        if slot.is_none() {
            *slot = field(keys);
        }
    }
    if let Some(image) = doc.meta("og:image").filter(|_| out.images.is_empty()) {
        out.images.push(tidy(image));
    }
    if let Some(amount) = amount.filter(|_| out.offers.iter().all(|offer| offer.price.is_none())) {
        let written = AMOUNTS.iter().chain(&[BEFORE]).find_map(|key| of(key, "currency"));
        let code = written.and_then(|code| price::declared_currency(code, None, locale));
        let code = code.as_deref().or(locale);
        let availability = doc.meta("product:availability").or_else(|| doc.meta("og:availability"));
        let price = price::parse_declared(amount, code);
        // Beside the price of a sale that without it.
        let before = [BEFORE, AMOUNTS[1]].iter().find_map(|key| of(key, "amount"));
        let before = before.and_then(|text| price::parse_declared(text, code));
        let is_above = |before: &Price| price.as_ref().is_none_or(|price| before.value() > price.value());
        let offer = Offer {
            list_price: before.filter(is_above),
            price,
            price_max: None,
            availability: availability.and_then(stock::declared).map(str::to_owned),
            markup: StructuredSource::OpenGraph,
        };
        out.offers.insert(0, offer);
        out.offers.truncate(MAX_LIST);
    }
}

/// The amounts of the beginning of a field.
fn field_amounts<'t>(text: &'t str, habits: PriceStyle<'t>) -> impl Iterator<Item = Amount> + 't {
    const MAX_BYTES: usize = 400;
    price::amounts(&text[..text.floor_char_boundary(MAX_BYTES)], PriceStyle { is_field: true, ..habits })
}

/// The second amount of a field that is the first with the tax: `1,800円（税込1,980円）`.
fn gross(text: &str, habits: PriceStyle) -> Option<Price> {
    let mut amounts = field_amounts(text, habits);
    let (net, gross) = (amounts.next()?, amounts.next()?);
    is_gross(text, &net, &gross).then_some(gross.price)
}

#[cfg(test)]
mod tests;
