//! Products as a wide table: a row for each product, a column for each attribute, the commonest first.

use std::collections::{BTreeMap, HashMap};
use std::io::Write;

use gristmill_dataset::cell_texts;
use gristmill_index::{IndexDocument, ProductAttribute, format_time};

/// Most columns of attributes; the last column, `other`, holds the rest as JSON.
const MAX_COLUMNS: usize = 500;
/// Before the attributes.
const COLUMNS: [&str; 6] = ["url", "title", "domain", "language", "fetched_at", "record"];
/// Most names that are counted, for corpora whose names never repeat.
const MAX_NAMES: usize = 1_000_000;
/// Between several values of one attribute.
const BETWEEN: &str = " | ";

/// How many products have each attribute.
#[derive(Default)]
pub struct AttributeCounts {
    /// By key: products, and the name that was met first.
    names: HashMap<String, (usize, String)>,
}

/// What attributes of one column have in common: the common name, or the name as the page has it, whatever its case.
fn key(attribute: &ProductAttribute) -> String {
    if attribute.canonical.is_empty() { attribute.name.to_lowercase() } else { attribute.canonical.clone() }
}

/// The attributes of each product of a document, by its number.
fn products(document: &IndexDocument) -> BTreeMap<u32, Vec<&ProductAttribute>> {
    let mut products: BTreeMap<u32, Vec<&ProductAttribute>> = BTreeMap::new();
    for attribute in &document.attributes {
        products.entry(attribute.record).or_default().push(attribute);
    }
    if products.is_empty() {
        products.insert(0, Vec::new());
    }
    products
}

impl AttributeCounts {
    /// Counts the products of a document.
    pub fn add(&mut self, document: &IndexDocument) {
        for attributes in products(document).values() {
            let mut own: BTreeMap<String, &ProductAttribute> = BTreeMap::new();
            attributes.iter().for_each(|attribute| _ = own.entry(key(attribute)).or_insert(attribute));
            for (key, attribute) in own {
                if self.names.len() >= MAX_NAMES && !self.names.contains_key(&key) {
                    continue;
                }
                let name = if attribute.canonical.is_empty() { &attribute.name } else { &attribute.canonical };
                self.names.entry(key).or_insert_with(|| (0, name.clone())).0 += 1;
            }
        }
    }

    /// The columns, those of most products first.
    pub fn columns(self) -> WideColumns {
        let mut names: Vec<(String, (usize, String))> = self.names.into_iter().collect();
        names.sort_by(|(a, (n, _)), (b, (m, _))| m.cmp(n).then_with(|| a.cmp(b)));
        let has_other = names.len() > MAX_COLUMNS;
        names.truncate(MAX_COLUMNS);
        let of_key = names.iter().enumerate().map(|(at, (key, _))| (key.clone(), at)).collect();
        WideColumns { names: names.into_iter().map(|(_, (_, name))| name).collect(), of_key, has_other }
    }
}

/// The columns of a wide table.
pub struct WideColumns {
    names: Vec<String>,
    of_key: HashMap<String, usize>,
    has_other: bool,
}

impl WideColumns {
    /// The names of the columns.
    ///
    /// # Errors
    /// The output failed.
    pub fn write_head<W: Write>(&self, table: &mut csv::Writer<W>) -> anyhow::Result<()> {
        // A name of a page may be that of a column before it, or begin as a formula does.
        let is_taken = |name: &str| COLUMNS.contains(&name) || name == "other";
        let name = |name: &String| if is_taken(name) { format!("attribute {name}") } else { name.clone() };
        let mut head: Vec<String> = COLUMNS.map(str::to_owned).to_vec();
        head.extend(self.names.iter().map(name));
        head.extend(self.has_other.then(|| "other".to_owned()));
        Ok(table.write_record(cell_texts(&head))?)
    }

    /// A row for each product of the document; returns how many.
    ///
    /// # Errors
    /// The output failed.
    pub fn write<W: Write>(&self, table: &mut csv::Writer<W>, document: &IndexDocument) -> anyhow::Result<u64> {
        let products = products(document);
        for (record, attributes) in &products {
            let mut row = vec![
                document.url.clone(),
                document.title.clone(),
                document.site.clone(),
                document.language.clone(),
                format_time(document.fetched_at).unwrap_or_default(),
                record.to_string(),
            ];
            row.resize(COLUMNS.len() + self.names.len(), String::new());
            let mut other: Vec<[&str; 2]> = Vec::new();
            for attribute in attributes {
                match self.of_key.get(&key(attribute)) {
                    Some(at) => add(&mut row[COLUMNS.len() + at], &attribute.value),
                    None => other.push([&attribute.name, &attribute.value]),
                }
            }
            if self.has_other {
                row.push(if other.is_empty() { String::new() } else { serde_json::to_string(&other)? });
            }
            table.write_record(cell_texts(&row))?;
        }
        Ok(products.len() as u64)
    }
}

fn add(cell: &mut String, value: &str) {
    if !cell.is_empty() {
        cell.push_str(BETWEEN);
    }
    cell.push_str(value);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document(url: &str, attributes: &[(&str, &str, &str, u32)]) -> IndexDocument {
        let attribute = |&(name, value, canonical, record): &(&str, &str, &str, u32)| ProductAttribute {
            canonical: canonical.to_owned(),
            record,
            ..ProductAttribute::new(name, value)
        };
        IndexDocument {
            url: url.to_owned(),
            attributes: attributes.iter().map(attribute).collect(),
            ..IndexDocument::default()
        }
    }

    #[test]
    fn names_of_one_meaning_share_a_column_and_the_commonest_come_first() {
        let documents = [
            document("a", &[("Marke", "Acme", "brand", 0), ("Pins", "4", "", 0), ("pins", "8", "", 0)]),
            document("b", &[("Brand", "Bolt", "brand", 0), ("URL", "=1", "", 1)]),
            document("c", &[]),
        ];
        let mut counts = AttributeCounts::default();
        documents.iter().for_each(|document| counts.add(document));
        let columns = counts.columns();
        let mut table = csv::Writer::from_writer(Vec::new());
        columns.write_head(&mut table).unwrap();
        let n: u64 = documents.iter().map(|document| columns.write(&mut table, document).unwrap()).sum();
        let text = String::from_utf8(table.into_inner().unwrap()).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "url,title,domain,language,fetched_at,record,brand,Pins,URL");
        assert!(lines[1].starts_with("a,") && lines[1].ends_with(",0,Acme,4 | 8,"), "{text}");
        assert!(lines[2].ends_with(",0,Bolt,,") && lines[3].ends_with(",1,,,'=1"), "{text}");
        assert_eq!((n, lines.len()), (4, 5), "a product without attributes has a row too");
    }

    #[test]
    fn what_is_beyond_the_columns_is_not_lost() {
        let names: Vec<String> = (0..MAX_COLUMNS + 2).map(|n| format!("n{n:04}")).collect();
        let attributes: Vec<(&str, &str, &str, u32)> = names.iter().map(|name| (name.as_str(), "v", "", 0)).collect();
        let document = document("a", &attributes);
        let mut counts = AttributeCounts::default();
        counts.add(&document);
        let columns = counts.columns();
        let mut table = csv::Writer::from_writer(Vec::new());
        columns.write_head(&mut table).unwrap();
        columns.write(&mut table, &document).unwrap();
        let text = String::from_utf8(table.into_inner().unwrap()).unwrap();
        assert!(text.lines().next().unwrap().ends_with(",n0499,other"));
        assert!(text.trim_end().ends_with(r#""[[""n0500"",""v""],[""n0501"",""v""]]""#), "{text}");
    }
}
