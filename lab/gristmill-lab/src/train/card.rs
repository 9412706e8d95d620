//! The card of a model: what it is for, what it was trained on, how well it does on sites that it has not seen.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use gristmill_models::BundledModel;

use super::pages::PackageSource;

/// What a model was trained on.
pub struct ModelCard {
    /// Pages by package and licence.
    sources: BTreeMap<(String, String), usize>,
    /// A hash of all these pages in order.
    hash: u64,
    /// Lines on how well the model does.
    notes: Vec<String>,
}

impl ModelCard {
    /// Of pages by package, licence and hash. A licence is cut where a remark on it begins.
    pub fn new<'s>(pages: impl IntoIterator<Item = (&'s str, &'s str, u64)>) -> ModelCard {
        let mut card = ModelCard { sources: BTreeMap::new(), hash: 0, notes: Vec::new() };
        for (package, licence, hash) in pages {
            let licence = licence.split(['(', ';']).next().unwrap_or(licence).trim();
            *card.sources.entry((package.to_owned(), licence.to_owned())).or_default() += 1;
            card.hash = card.hash.rotate_left(5) ^ hash;
        }
        card
    }

    /// Of one page of each source, which the trainer has a hash of.
    pub fn of(pages: &[PackageSource], hash: u64) -> ModelCard {
        let pages = pages.iter().map(|source| (source.package.as_str(), source.licence.as_str(), 0));
        ModelCard { hash, ..ModelCard::new(pages) }
    }

    /// With one more line.
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> ModelCard {
        self.notes.push(note.into());
        self
    }

    /// The text for a model of this name.
    pub fn text(&self, model: &BundledModel) -> String {
        let n_pages: usize = self.sources.values().sum();
        let mut text = format!("{}: {}\n", model.name, model.purpose);
        let _ = writeln!(text, "Made by `{}`.", command(model));
        let _ = writeln!(text, "Trained on {n_pages} pages (hash {:016x}):", self.hash);
        for ((package, licence), n) in &self.sources {
            let _ = writeln!(text, "* {package}, {licence}: {n} pages");
        }
        if !self.notes.is_empty() {
            text.push('\n');
        }
        self.notes.iter().for_each(|note| {
            let _ = writeln!(text, "{note}");
        });
        text
    }
}

/// The command that makes a shipped model.
fn command(model: &BundledModel) -> String {
    let name = match model.name {
        "clg-layout" => "clg --layouts DIR",
        name => name,
    };
    format!("gristmill-lab train {name} PACKAGE_DIR... --out models/{}.model", model.name)
}
