//! Where each part of a page's result came from.

use std::io::{Result, Write};

use gristmill_extract::best::explain;
use gristmill_extract::{Extraction, MethodInput, Page, ValueProvenance, ValueSource, heading};
use gristmill_records::{Pair, PathStep, Product, ProductRecords};

use crate::reading::Reading;

/// Writes one line for each fact: what, its value, what gave it, its confidence, and where it is on the page.
///
/// # Errors
/// Those of `out`.
pub fn write(out: &mut impl Write, reading: &Reading<'_>) -> Result<()> {
    let (document, parsed) = (&reading.document, reading.parsed);
    let decision = reading.decide();
    let (kind, probability) = (decision.kind.as_str(), decision.probability);
    let by = match parsed.kind {
        Some(_) if parsed.is_paged => "it is a document of pages",
        Some(_) => "by a rule of the site",
        None => "judged from the page",
    };
    writeln!(out, "kind\t{kind}\t{by}\tprobability {probability:.2}")?;
    let found = decision.records.unwrap_or_default();
    metadata(out, document, parsed.title_rule())?;
    let (method, confidence) = (&document.method, document.confidence);
    let (source, n) = (document.source.name(), document.text.chars().count());
    writeln!(out, "text\t{n} characters\t{method}\tconfidence {confidence:.2}\tstands in {source}")?;
    for (n, product) in found.products.iter().enumerate() {
        writeln!(out, "\nproduct {}\t{}\tconfidence {:.2}", n + 1, one_line(product), product.confidence)?;
        facts(out, product)?;
        for &at in &product.attributes {
            pair(out, &found.pairs[at])?;
        }
    }
    areas(out, &found)?;
    notes(out, &found, document)?;
    if document.method == "best" {
        reading.on_its_page(|page, _| rows(out, page, document))?;
    }
    Ok(())
}

/// Title, author and date as far as the page has them. A rule is named by its place in the settings.
fn metadata(out: &mut impl Write, document: &Extraction, title_rule: Option<&str>) -> Result<()> {
    let sources = &document.sources;
    let fields = [
        ("title", &document.title, sources.title),
        ("author", &document.author, sources.author),
        ("published", &document.published, sources.published),
    ];
    for (name, value, provenance) in fields {
        let (Some(value), Some(ValueProvenance { source, confidence })) = (value, provenance) else { continue };
        let rule = title_rule.filter(|_| source == ValueSource::Rule);
        writeln!(out, "{name}\t{value}\t{}\tconfidence {confidence:.2}", rule.unwrap_or(source.name()))?;
    }
    Ok(())
}

fn one_line(product: &Product) -> &str {
    product.title.as_deref().unwrap_or("")
}

fn facts(out: &mut impl Write, product: &Product) -> Result<()> {
    let source = |source: &Option<std::borrow::Cow<'static, str>>| source.as_deref().unwrap_or("").to_owned();
    if product.title.is_some() {
        writeln!(out, "  title\t{}\t{}", one_line(product), source(&product.title_source))?;
    }
    for (name, price) in [("price", &product.price), ("list price", &product.list_price)] {
        if let Some(price) = price {
            let currency = price.currency.as_deref().unwrap_or("");
            writeln!(out, "  {name}\t{} {currency}\t{}", price.amount, source(&product.price_source))?;
        }
    }
    if let Some(availability) = &product.availability {
        writeln!(out, "  availability\t{}", availability.value)?;
    }
    let declared = &product.structured;
    let fields = [
        ("brand", &declared.brand),
        ("sku", &declared.sku),
        ("mpn", &declared.mpn),
        ("gtin", &declared.gtin),
        ("isbn", &declared.isbn),
    ];
    for (name, field) in fields {
        if let Some(field) = field {
            writeln!(out, "  {name}\t{}\t{}", field.text, field.markup.as_str())?;
        }
    }
    Ok(())
}

fn pair(out: &mut impl Write, pair: &Pair) -> Result<()> {
    let place = &pair.provenance;
    let group = pair.canonical.as_deref().map(|name| format!(" [{name}]")).unwrap_or_default();
    let (source, confidence) = (place.source.as_str(), pair.confidence);
    writeln!(out, "  {}{group}\t{}\t{source}\t{confidence:.2}\t{}", pair.name, pair.value, place.path)?;
    Ok(())
}

/// The areas that the HMM located, with ln δ and the weight (WVC) at each step of the path.
fn areas(out: &mut impl Write, found: &ProductRecords) -> Result<()> {
    for (n, area) in found.trace.areas.iter().enumerate() {
        let step = |step: &PathStep| format!("{} {:.2} {:.2}", step.tag, step.log_delta, step.weight);
        let path: Vec<String> = area.path.iter().map(step).collect();
        writeln!(out, "area {}\t{} characteristic leaves\t{}", n + 1, area.mass(), path.join(" > "))?;
    }
    Ok(())
}

fn notes(out: &mut impl Write, found: &ProductRecords, document: &Extraction) -> Result<()> {
    let notes = found.warnings.iter().chain(&document.warnings);
    for note in notes {
        writeln!(out, "note\t{note}")?;
    }
    Ok(())
}

/// Each row of the page: kept or dropped, its probability, its beginning, and what moved the judgement most.
fn rows(out: &mut impl Write, page: &Page<'_>, document: &Extraction) -> Result<()> {
    const SHOWN: usize = 60;
    let title = heading(page.doc, None);
    let query = MethodInput {
        title: title.as_deref(),
        description: document.description.as_deref().unwrap_or_default(),
        types: Some(document.types),
        ..MethodInput::default()
    };
    writeln!(out)?;
    for explained in explain(page, &query) {
        let text: String = page.row_text(&page.rows[explained.row]).chars().take(SHOWN).collect();
        let reasons: Vec<String> =
            explained.reasons.iter().map(|(name, value, moved)| format!("{name} = {value:.2} ({moved:+.2})")).collect();
        let decision = if explained.kept { "kept" } else { "dropped" };
        writeln!(out, "{decision}\t{:.2}\t{text}\t{}", explained.probability, reasons.join(", "))?;
    }
    Ok(())
}
