//! What a page declares of itself for machines, as items with properties: JSON-LD, microdata, RDFa. Read once for all who ask.

mod items;
mod json_ld;
mod microdata;
mod repair;
mod rows;
mod texts;

use gristmill_html::Doc;

pub use items::{Item, Items, PropertyValue, local};
pub use json_ld::{MAX_SCRIPT, read};
pub use rows::DeclaredRows;

/// Most JSON-LD scripts of one page that are read.
const MAX_SCRIPTS: usize = 100;

/// Why a JSON-LD script was read in part or not at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JsonLdError {
    /// Longer than [`MAX_SCRIPT`].
    Long,
    /// No JSON, and not mended.
    Broken,
}

/// The items of all JSON-LD scripts of a page, their texts as they are written there.
#[derive(Debug, Clone, Default)]
pub struct JsonLd {
    /// The items of all scripts, joined by their `@id`.
    pub items: Items,
    /// One for each script that was not read to its end.
    pub unread: Vec<JsonLdError>,
}

impl JsonLd {
    /// Reads the first 100 scripts of a page. O(scripts).
    pub fn of(doc: &Doc) -> JsonLd {
        let mut found = JsonLd::default();
        for script in doc.json_ld().take(MAX_SCRIPTS) {
            if !read(script, &mut found.items) {
                found.unread.push(if script.len() > MAX_SCRIPT { JsonLdError::Long } else { JsonLdError::Broken });
            }
        }
        found.items.link();
        found
    }
}

/// The items that attributes of elements declare: microdata (`itemscope`, `itemprop`, `itemref`) or RDFa (`typeof`, `property`).
#[derive(Debug, Clone, Default)]
pub struct EmbeddedItems {
    /// The items.
    pub items: Items,
    /// Whether none of them is microdata.
    pub is_rdfa: bool,
}

impl EmbeddedItems {
    /// Reads the attributes of all elements. O(nodes), and bounded where elements refer to others.
    pub fn of(doc: &Doc) -> EmbeddedItems {
        microdata::read(doc)
    }
}
