//! Tables with a product in each row.

use std::collections::{HashMap, HashSet};

use crate::candidate::{Candidate, PairLayout};
use crate::dictionary::{Dictionary, NameKind};
use crate::view::RecordView;

/// Groups whose value says which product a row is about.
const IDENTIFIERS: [&str; 6] = ["model", "sku", "mpn", "name", "gtin", "isbn"];

/// Least columns, and least share of them with a known name.
const MIN_COLUMNS: usize = 3;
const MIN_KNOWN: f32 = 0.6;

/// The probability of a pair in such a table: a rule, since hardly any training page has one.
pub(crate) const PROBABILITY: f32 = 0.9;

/// The tables whose first column names the product of each row and whose other columns are its attributes: at least
/// three columns, three in five with a known attribute name. A size chart starts with a size, an offer list has prices.
pub(crate) fn product_tables(view: &RecordView, candidates: &[Candidate], dictionary: &Dictionary) -> HashSet<u32> {
    let mut tables: HashMap<u32, Vec<&Candidate>> = HashMap::new();
    let first_rows = candidates.iter().filter(|one| one.layout == PairLayout::Records && one.record == 0);
    for candidate in first_rows {
        tables.entry(candidate.container).or_default().push(candidate);
    }
    let is_product_table = |columns: &[&Candidate]| {
        let name = |candidate: &Candidate| view.slice(candidate.name);
        let Some(first) = columns.iter().min_by_key(|candidate| candidate.name.start) else { return false };
        let n_columns = usize::from(first.columns).max(columns.len());
        let names = columns.iter().map(|one| name(one));
        columns.len() >= MIN_COLUMNS && names_products(dictionary, name(first), names, n_columns)
    };
    tables.into_iter().filter(|(_, columns)| is_product_table(columns)).map(|(table, _)| table).collect()
}

/// Whether a table names its products: by `identifier`, the head of their own row or column, and by attributes, three in five of `n`.
pub(crate) fn names_products<'n>(
    dictionary: &Dictionary,
    identifier: &str,
    names: impl Iterator<Item = &'n str>,
    n: usize,
) -> bool {
    let known = names.filter(|name| dictionary.kind_loose(name) == Some(NameKind::Spec)).count();
    let identifies = dictionary.canonical(identifier).is_some_and(|group| IDENTIFIERS.contains(&group));
    identifies && known as f32 / n as f32 >= MIN_KNOWN
}
