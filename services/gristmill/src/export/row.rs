//! From a document of the index to a row of a dataset.

use gristmill_dataset::DatasetRow;
use gristmill_index::{IndexDocument, format_time};

/// What the index knows of a document. It does not know the name of the site, the page as Markdown, and
/// the archive.
pub fn row_of(document: IndexDocument, dump: Option<&str>) -> DatasetRow {
    let price = document.attributes.iter().find(|attribute| attribute.canonical == "price");
    let amount = price.and_then(|price| price.number);
    let currency = price.map(|price| price.unit.clone()).filter(|unit| unit.len() == 3);
    let records = (!document.attributes.is_empty()).then(|| serde_json::to_string(&document.attributes).ok()).flatten();
    let rights = document.rights;
    let (rendered, render_ended) = document.rendered.map(|drawing| (drawing.mode, drawing.ended)).unzip();
    DatasetRow {
        robots: rights.robots,
        tdm_reservation: rights.tdm_reserved.map(i64::from),
        tdm_policy: known(rights.tdm_policy),
        licence: known(rights.licence),
        licence_url: known(rights.licence_url),
        copyright: known(rights.copyright),
        token_count: document.text.split_whitespace().count() as i64,
        id: document.key,
        dump: dump.unwrap_or_default().to_owned(),
        url: document.url,
        fetched_at: format_time(document.fetched_at).unwrap_or_default(),
        language: document.language,
        language_score: document.language_score.map(f64::from),
        script: known(document.script),
        languages: document.languages.into_iter().map(|part| (part.language, f64::from(part.share))).collect(),
        title: known(document.title),
        author: known(document.author),
        published: if document.published_of_site {
            None
        } else {
            document.published.and_then(format_time).or(known(document.published_text))
        },
        domain: document.site,
        kind: Some(document.kind.to_string()),
        kind_probability: document.kind_probability.map(f64::from),
        confidence: Some(f64::from(document.confidence)),
        simhash: Some(document.simhash).filter(|simhash| *simhash != 0),
        method: document.method,
        price_amount: amount,
        price_currency: currency,
        records,
        text: document.text,
        rendered,
        render_ended,
        ..DatasetRow::default()
    }
}

fn known(text: String) -> Option<String> {
    Some(text).filter(|text| !text.is_empty())
}
