//! Pages of a small newspaper, and what is kept of them.

use gristmill_extract::best::{RowFeatures, shipped};
use gristmill_extract::{ExtractOptions, Extraction, MethodInput, Page, PageTypes, extract, heading};
use gristmill_html::{Doc, TreeLimits};

pub const SECTIONS: [&str; 8] = ["News", "Politics", "Business", "Sport", "Culture", "Travel", "Weather", "Archive"];

/// A page of a small newspaper.
pub fn post(title: &str, main: &str) -> String {
    let menu: String = SECTIONS.map(|name| format!("<li class=menu-item><a href=/{name}>{name}</a>")).concat();
    format!(
        "<!doctype html><html lang=en><title>{title} | The Valley Post</title><header class=site-header><nav><ul \
         class=menu>{menu}</ul></nav></header><main>{main}</main><footer class=site-footer><a href=/imprint>Imprint</a>\
         <p>© 2024 The Valley Post. All rights reserved.</footer>"
    )
}

pub fn read(html: &str, options: &ExtractOptions<'_>) -> Extraction {
    extract(&Doc::parse(html, &TreeLimits::default()), &ExtractOptions { attach_title: false, ..options.clone() })
}

/// What is kept of a page if the rows that hold `text` have these probabilities, the first that fits, and all others none.
pub fn kept(html: &str, types: PageTypes, given: &[(&str, f32)]) -> Vec<String> {
    let doc = Doc::parse(html, &TreeLimits::default());
    let page = Page::new(&doc);
    let title = heading(&doc, None);
    let query = MethodInput { title: title.as_deref(), ..MethodInput::default() };
    let of = |text: &str| given.iter().find(|(part, _)| text.contains(part)).map_or(0.01, |(_, p)| *p);
    let probabilities = page.rows.iter().map(|row| of(page.row_text(row))).collect();
    let decision = RowFeatures::new(&page, &query, &types, &shipped().tokens).decide(&page, probabilities);
    let rows = page.rows.iter().zip(decision.keep).filter(|(_, keep)| *keep);
    rows.map(|(row, _)| page.row_text(row).to_owned()).collect()
}

pub const ARTICLE: PageTypes = PageTypes([0.9, 0.02, 0.02, 0.02, 0.01, 0.02, 0.01]);
pub const DOCUMENTATION: PageTypes = PageTypes([0.02, 0.9, 0.02, 0.02, 0.01, 0.02, 0.01]);
pub const COLLECTION: PageTypes = PageTypes([0.02, 0.02, 0.02, 0.01, 0.9, 0.02, 0.01]);
pub const FORUM: PageTypes = PageTypes([0.02, 0.02, 0.02, 0.9, 0.01, 0.02, 0.01]);
