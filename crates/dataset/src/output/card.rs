//! The dataset card, `README.md`, in the form that the Hugging Face hub and `datasets` read.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;

use super::files::replace;
use super::journal::Manifest;
use super::shards::ShardOptions;
use super::stats::{DatasetStats, LENGTHS, top};
use crate::{Column, ColumnType, FileFormat, Shape, WARC_FIELDS};

/// Rows of the longest table.
const MAX_LINES: usize = 20;
/// Width of the longest bar.
const BAR: u64 = 40;

/// Writes the card of a dataset.
pub fn write(out: &Path, manifest: &Manifest, shape: &ShardOptions) -> anyhow::Result<()> {
    let stats = manifest.stats();
    let text = format!("{}{}", head(manifest, &stats, shape)?, body(manifest, &stats)?);
    replace(&out.join("README.md"), |out| Ok(out.write_all(text.as_bytes())?))
}

/// The part for programs, in YAML.
fn head(manifest: &Manifest, stats: &DatasetStats, shape: &ShardOptions) -> Result<String, std::fmt::Error> {
    let mut yaml = "---\npretty_name: Main text of web pages\n".to_owned();
    let is_code = |code: &&&String| (2..=3).contains(&code.len()) && code.bytes().all(|byte| byte.is_ascii_lowercase());
    let languages: Vec<_> = stats.languages.keys().collect();
    let languages: Vec<_> = languages.iter().filter(is_code).collect();
    if !languages.is_empty() {
        yaml.push_str("language:\n");
        // In quotes: `no` is false in YAML.
        languages.iter().try_for_each(|code| writeln!(yaml, "- \"{code}\""))?;
    }
    writeln!(yaml, "license: other\nlicense_name: rights-of-the-pages")?;
    writeln!(yaml, "size_categories:\n- {}", size(manifest.rows))?;
    writeln!(yaml, "task_categories:\n- text-generation")?;
    if !manifest.shards.is_empty() {
        let ending = shape.format.extension();
        writeln!(yaml, "configs:\n- config_name: default\n  data_files:\n  - split: train\n    path: data/*.{ending}")?;
    }
    writeln!(yaml, "dataset_info:\n  features:")?;
    shape.columns.iter().try_for_each(|column| feature(&mut yaml, column, shape.format))?;
    yaml.push_str("---\n");
    Ok(yaml)
}

fn feature(yaml: &mut String, column: &Column, format: FileFormat) -> std::fmt::Result {
    writeln!(yaml, "  - name: {}", column.name())?;
    let dtype = match column.column_type() {
        ColumnType::Float => "float64",
        ColumnType::Integer => "int64",
        ColumnType::Time if format == FileFormat::Parquet => "timestamp[us, tz=UTC]",
        ColumnType::Nested(shape) if format != FileFormat::Csv => return nested(yaml, shape, 2),
        ColumnType::Hash if format == FileFormat::Parquet => "uint64",
        ColumnType::Metadata if format != FileFormat::Csv => {
            yaml.push_str("    struct:\n");
            return WARC_FIELDS.iter().try_for_each(|name| writeln!(yaml, "    - name: {name}\n      dtype: string"));
        }
        _ => "string",
    };
    writeln!(yaml, "    dtype: {dtype}")
}

/// A list or struct, in the form of the `datasets` library. Goes as deep as the shape.
fn nested(yaml: &mut String, shape: &Shape, depth: usize) -> std::fmt::Result {
    let indent = "  ".repeat(depth);
    match shape {
        Shape::List(Shape::Struct(fields)) => {
            writeln!(yaml, "{indent}list:")?;
            fields_of(yaml, fields, depth)
        }
        Shape::List(item) => match scalar(item) {
            Some(dtype) => writeln!(yaml, "{indent}list: {dtype}"),
            None => {
                writeln!(yaml, "{indent}list:")?;
                nested(yaml, item, depth + 1)
            }
        },
        Shape::Struct(fields) => {
            writeln!(yaml, "{indent}struct:")?;
            fields_of(yaml, fields, depth)
        }
        simple => writeln!(yaml, "{indent}dtype: {}", scalar(simple).unwrap_or_default()),
    }
}

fn fields_of(yaml: &mut String, fields: &[(&str, Shape)], depth: usize) -> std::fmt::Result {
    let indent = "  ".repeat(depth);
    fields.iter().try_for_each(|(name, shape)| {
        writeln!(yaml, "{indent}- name: {name}")?;
        nested(yaml, shape, depth + 1)
    })
}

fn scalar(shape: &Shape) -> Option<&'static str> {
    match shape {
        Shape::Text => Some("string"),
        Shape::Float => Some("float64"),
        Shape::Integer => Some("int64"),
        Shape::Boolean => Some("bool"),
        Shape::List(_) | Shape::Struct(_) => None,
    }
}

fn size(rows: u64) -> &'static str {
    const CLASSES: [(u64, &str); 7] = [
        (1_000, "n<1K"),
        (10_000, "1K<n<10K"),
        (100_000, "10K<n<100K"),
        (1_000_000, "100K<n<1M"),
        (10_000_000, "1M<n<10M"),
        (100_000_000, "10M<n<100M"),
        (1_000_000_000, "100M<n<1B"),
    ];
    CLASSES.iter().find(|(end, _)| rows < *end).map_or("n>1B", |(_, name)| name)
}

/// The part for people.
fn body(manifest: &Manifest, stats: &DatasetStats) -> anyhow::Result<String> {
    let mut text = String::new();
    let bytes: u64 = manifest.shards.iter().map(|shard| shard.bytes).sum();
    writeln!(text, "\n# Main text of web pages\n")?;
    writeln!(
        text,
        "{} rows in {} files of {bytes} bytes together: {} characters, {} words between white space.\n",
        manifest.rows,
        manifest.shards.len(),
        stats.chars,
        stats.tokens
    )?;
    writeln!(text, "## Rights\n")?;
    writeln!(
        text,
        "The texts belong to those who wrote and published them. Nobody has granted a licence for the whole."
    )?;
    writeln!(
        text,
        "The software that made this dataset is Gristmill, under Apache-2.0. That licence is not one for the texts.\n"
    )?;
    writeln!(
        text,
        "What pages and their servers say is in the columns `robots`, `tdm_reservation`, `licence` and `copyright`.\n"
    )?;
    for (title, what, counts) in
        [("Licences", "licence", &stats.licences), ("Usage directives", "directive", &stats.usage_directives)]
    {
        if !counts.is_empty() {
            table(&mut text, title, what, counts)?;
        }
    }
    table(&mut text, "Outcomes", "outcome", &manifest.counts)?;
    table(&mut text, "Languages", "language", &stats.languages)?;
    table(&mut text, "Kinds of pages", "kind", &stats.kinds)?;
    table(&mut text, "Sites", "registrable domain", &stats.domains)?;
    let mut from = 0;
    let classes = LENGTHS.iter().map(|end| format!("{} to {}", std::mem::replace(&mut from, *end), end - 1));
    let last = format!("{} and more", LENGTHS[LENGTHS.len() - 1]);
    let lengths: Vec<String> = classes.chain([last]).collect();
    histogram(&mut text, "Length", "characters", lengths.into_iter().zip(stats.lengths))?;
    let tenths = (0..10).map(|n| format!("{:.1} to {:.1}", n as f64 / 10.0, (n + 1) as f64 / 10.0));
    histogram(&mut text, "Confidence", "expected quality of the text", tenths.zip(stats.confidence))?;
    writeln!(text, "## How it was made\n")?;
    for part in &manifest.history {
        let since = part.since.as_ref().map(|since| format!(" with `--since {since}`")).unwrap_or_default();
        writeln!(text, "* {}{since}: {} rows in {} files", part.software, part.rows, part.shards)?;
    }
    writeln!(text, "\n```json\n{:#}\n```", manifest.settings)?;
    Ok(text)
}

fn table(text: &mut String, title: &str, what: &str, counts: &BTreeMap<String, u64>) -> std::fmt::Result {
    writeln!(text, "## {title}\n\n| {what} | number |\n|---|---:|")?;
    let shown = top(counts, MAX_LINES);
    shown.iter().try_for_each(|(name, n)| writeln!(text, "| {} | {n} |", cell(name)))?;
    let others = counts.values().sum::<u64>() - shown.iter().map(|(_, n)| n).sum::<u64>();
    if others > 0 {
        writeln!(text, "| others | {others} |")?;
    }
    text.push('\n');
    Ok(())
}

/// Names come from pages: nothing of them is markup.
fn cell(name: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-._ ".contains(c);
    name.chars().take(80).map(|c| if plain(c) { c } else { '?' }).collect()
}

fn histogram(
    text: &mut String,
    title: &str,
    what: &str,
    classes: impl Iterator<Item = (String, u64)>,
) -> std::fmt::Result {
    let classes: Vec<_> = classes.collect();
    let most = classes.iter().map(|(_, n)| *n).max().unwrap_or_default().max(1);
    writeln!(text, "## {title}\n\n| {what} | rows | |\n|---|---:|---|")?;
    for (name, n) in &classes {
        // Through 128 bits: the product may be large.
        let bar = (u128::from(*n) * u128::from(BAR)).div_ceil(u128::from(most)) as usize;
        writeln!(text, "| {name} | {n} | {} |", "█".repeat(bar))?;
    }
    text.push('\n');
    Ok(())
}
