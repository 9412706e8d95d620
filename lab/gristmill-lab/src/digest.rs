//! `gristmill-lab digest`: fingerprints of all that is read from pages, by which two builds are compared.
//!
//! ```text
//! page ─▶ every method, Markdown, HTML, metadata, kind, records, explanation ─▶ one number each
//! ```
//! Fractions are rounded first: processors differ in the last bits of logarithms.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;
use gristmill_extract::{ExtractOptions, Method, Page, methods};
use gristmill_reading::{CharsetHints, OutputFormat, PageReader, ParsedPage};
use serde_json::Value;
use xxhash_rust::xxh3::xxh3_64 as hash_of;

use crate::threads::each;
use gristmill_eval::read_file;

#[derive(Args)]
pub struct DigestArgs {
    /// HTML files, packed or not, or folders of them; a file NAME.json beside NAME.html may hold its `url`
    #[arg(required = true, value_name = "FILE|DIR")]
    inputs: Vec<PathBuf>,
    /// One line for each page and system instead of one for each input and system
    #[arg(long)]
    pages: bool,
    /// Pages at a time [default: one for each core]
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
}

/// What one system reads from one page, as a number.
type Digests = Vec<(String, u64)>;

/// Prints `input, system, number of pages, digest`, separated by tabs; the systems of an input in the order of their names.
pub fn run(args: &DigestArgs) -> anyhow::Result<()> {
    let mut pages = Vec::new();
    let mut ends = Vec::new();
    for input in &args.inputs {
        let mut below = pages_below(input).with_context(|| format!("could not read `{}`", input.display()))?;
        anyhow::ensure!(!below.is_empty(), "no file `*.html` or `*.html.gz` in `{}`", input.display());
        below.sort();
        pages.append(&mut below);
        ends.push(pages.len());
    }
    let digests = all(&pages, args.threads)?;
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    let mut begin = 0;
    for (input, end) in args.inputs.iter().zip(ends) {
        if args.pages {
            for (path, digests) in pages[begin..end].iter().zip(&digests[begin..end]) {
                write(&mut out, path, 1, digests.iter().map(|(system, digest)| (system, *digest)))?;
            }
        } else {
            let sums = together(&digests[begin..end]);
            write(&mut out, input, end - begin, sums.iter().map(|(system, bytes)| (*system, hash_of(bytes))))?;
        }
        begin = end;
    }
    Ok(out.flush()?)
}

/// For each system its digests of all pages, one after the other.
fn together(pages: &[Digests]) -> BTreeMap<&String, Vec<u8>> {
    let mut sums: BTreeMap<&String, Vec<u8>> = BTreeMap::new();
    for (system, digest) in pages.iter().flatten() {
        sums.entry(system).or_default().extend(digest.to_be_bytes());
    }
    sums
}

fn write<'s>(
    out: &mut impl Write,
    path: &Path,
    n_pages: usize,
    digests: impl Iterator<Item = (&'s String, u64)>,
) -> std::io::Result<()> {
    for (system, digest) in digests {
        writeln!(out, "{}\t{system}\t{n_pages}\t{digest:016x}", path.display())?;
    }
    Ok(())
}

/// The pages that a path names, in folders below it too.
pub fn pages_below(path: &Path) -> std::io::Result<Vec<PathBuf>> {
    let (mut pages, mut folders) = (Vec::new(), vec![path.to_owned()]);
    while let Some(path) = folders.pop() {
        let name = path.to_string_lossy();
        if path.is_dir() {
            folders
                .extend(std::fs::read_dir(&path)?.map(|entry| Ok(entry?.path())).collect::<std::io::Result<Vec<_>>>()?);
        } else if name.ends_with(".html") || name.ends_with(".html.gz") {
            pages.push(path);
        }
    }
    Ok(pages)
}

/// The digests of all pages, in their order.
fn all(pages: &[PathBuf], threads: Option<usize>) -> anyhow::Result<Vec<Digests>> {
    let cores = || std::thread::available_parallelism().map_or(1, |cores| cores.get());
    let reader = PageReader::default();
    let digest = |path: &PathBuf| one(path, &reader).with_context(|| format!("could not read `{}`", path.display()));
    let digests = each(pages.len(), threads.unwrap_or_else(cores), |at| Some(digest(&pages[at])));
    digests.into_iter().flatten().collect()
}

fn one(path: &Path, reader: &PageReader) -> anyhow::Result<Digests> {
    let bytes = read_file(path)?;
    let url = url_beside(path)?;
    let parsed = reader.parse(&bytes, &CharsetHints { content_type: None, url: url.as_deref() });
    let mut digests = texts(&parsed)?;
    digests.extend(forms(&parsed)?);
    let page = Page::new(&parsed.doc);
    for method in gristmill_records::PairMethod::ALL {
        let options = gristmill_records::RecordOptions { method, ..reader.records.clone() };
        let found = gristmill_records::records(&page, url.as_deref(), &options);
        let pairs: Vec<_> = found.pairs.iter().map(|pair| (&pair.name, &pair.value, &pair.canonical)).collect();
        digests.push((format!("records {}", method.as_str()), hash_of(format!("{pairs:?}").as_bytes())));
    }
    Ok(digests)
}

/// What each method takes for the main text.
fn texts(parsed: &ParsedPage<'_>) -> anyhow::Result<Digests> {
    let text = |name: &str| -> anyhow::Result<(String, u64)> {
        let reading = parsed.read(ExtractOptions { method: name.parse::<Method>()?, ..ExtractOptions::default() });
        Ok((format!("text {name}"), hash_of(reading.document.text.as_bytes())))
    };
    methods().iter().map(|method| text(method.name)).collect()
}

/// What `gristmill extract` prints in each of its formats.
fn forms(parsed: &ParsedPage<'_>) -> anyhow::Result<Digests> {
    let reading = parsed.read(ExtractOptions { parts: true, trace: true, ..parsed.reader.options() });
    let mut digests = Digests::new();
    for (name, format) in
        [("markdown", OutputFormat::Markdown), ("html", OutputFormat::Html), ("marked", OutputFormat::Marked)]
    {
        digests.push((name.to_owned(), hash_of(reading.form(format).as_bytes())));
    }
    let decision = reading.decide();
    let mut explained = Vec::new();
    reading.explain(&mut explained)?;
    digests.push(("explain".to_owned(), hash_of(&explained)));
    digests.push(("kind".to_owned(), hash_of(decision.kind.as_str().as_bytes())));
    digests.push(("records".to_owned(), hash_of(rounded(decision.products().into()).to_string().as_bytes())));
    let document = rounded(serde_json::to_value(&reading.document)?);
    digests.push(("document".to_owned(), hash_of(document.to_string().as_bytes())));
    Ok(digests)
}

/// The address in the file of the same name that ends in `.json`.
pub fn url_beside(path: &Path) -> anyhow::Result<Option<String>> {
    let name = path.to_string_lossy();
    let stem = name.trim_end_matches(".gz").trim_end_matches(".html");
    let beside = PathBuf::from(format!("{stem}.json"));
    if !beside.is_file() {
        return Ok(None);
    }
    let about: Value =
        serde_json::from_slice(&read_file(&beside)?).with_context(|| format!("`{}` is no JSON", beside.display()))?;
    Ok(about.get("url").and_then(Value::as_str).map(str::to_owned))
}

/// With fractions of three digits.
fn rounded(value: Value) -> Value {
    match value {
        Value::Number(number) if !number.is_i64() && !number.is_u64() => {
            Value::String(format!("{:.3}", number.as_f64().unwrap_or(f64::NAN)))
        }
        Value::Array(values) => values.into_iter().map(rounded).collect(),
        Value::Object(fields) => fields.into_iter().map(|(name, value)| (name, rounded(value))).collect(),
        other => other,
    }
}
