//! `gristmill extract`: files, URLs or standard input to main text.

use std::io::Write;
use std::path::Path;

use anyhow::Context;
use gristmill_extract::{Layout, Method, Options, Sidecar, Trace, TraceValue};
use gristmill_fetch::{Client, FetchConfig, Request};
use gristmill_html::Limits;
use gristmill_reading::{Hints, PageReader, Parsed, Reading, no_page};
use serde_json::json;
use url::Url;

use crate::explain_page;
use crate::extract_args::ExtractArgs;
use crate::forms::{Format, form_of};
use crate::input::{read_all, read_file};
use crate::settings::Settings;

/// A page as it came in.
struct Input {
    bytes: Vec<u8>,
    content_type: Option<String>,
    url: Option<String>,
}

/// Extracts every input and prints the results one after the other.
///
/// # Errors
/// An input that cannot be read or has no text; the others are extracted all the same.
pub async fn run(args: &ExtractArgs, settings: &Settings) -> anyhow::Result<()> {
    args.without_out()?;
    if let Some(sidecar) = args.sidecar() {
        let ended = run_layout(sidecar, args, settings)
            .with_context(|| format!("could not extract from `{}`", sidecar.display()))?;
        return ended.map_or(Ok(()), |reason| Err(anyhow::anyhow!("no main text: {reason}")));
    }
    let reader = page_reader(args, settings)?;
    let stdin = ["-".to_owned()];
    let inputs = if args.inputs.is_empty() { &stdin[..] } else { &args.inputs };
    let mut n_failed = 0;
    for (n, input) in inputs.iter().enumerate() {
        if inputs.len() > 1 {
            head(n, input, args)?;
        }
        let Some(reason) = one(input, &reader, args, settings).await? else { continue };
        anyhow::ensure!(inputs.len() > 1, "{reason}");
        eprintln!("gristmill: `{input}`: {reason}");
        n_failed += 1;
    }
    anyhow::ensure!(n_failed == 0, "{n_failed} of {} inputs gave no text", inputs.len());
    Ok(())
}

/// Which of several inputs follows, in a form that the format bears.
fn head(n: usize, input: &str, args: &ExtractArgs) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    match args.format() {
        _ if args.explain => writeln!(out, "==> {input} <=="),
        Format::Json => Ok(()),
        Format::Text | Format::Markdown => writeln!(out, "{}==> {input} <==", if n == 0 { "" } else { "\n" }),
        Format::Html | Format::Clean => writeln!(out, "<!-- {} -->", input.replace("--", "- -")),
    }
}

/// Reads and prints one input; why it has no text, if so.
async fn one(
    input: &str,
    reader: &PageReader,
    args: &ExtractArgs,
    settings: &Settings,
) -> anyhow::Result<Option<String>> {
    let reason = match read(input, &settings.fetch).await {
        Err(error) => format!("could not read `{input}`: {error:#}"),
        Ok(mut page) => {
            if args.url.is_some() {
                page.url.clone_from(&args.url);
            }
            match no_page(&page.bytes) {
                Some(reason) => format!("no main text: {reason}"),
                None => return Ok(print(&page, input, reader, args)?.map(|reason| format!("no main text: {reason}"))),
            }
        }
    };
    if args.format() == Format::Json {
        writeln!(std::io::stdout(), "{}", json!({"file": file(input), "url": args.url, "text": "", "reason": reason}))?;
    }
    Ok(Some(reason))
}

fn is_url(input: &str) -> bool {
    input.starts_with("http://") || input.starts_with("https://")
}

/// The input as the field `file` of JSON; nothing for a URL.
fn file(input: &str) -> Option<&str> {
    Some(input).filter(|input| !is_url(input))
}

/// What the settings say, with the method of the command line if it names one.
pub fn page_reader(args: &ExtractArgs, settings: &Settings) -> anyhow::Result<PageReader> {
    let reader = gristmill_extractor::page_reader(&settings.extractor, &settings.records)?;
    let method = args.method.as_deref().map(str::parse).transpose()?.unwrap_or_else(|| reader.method.clone());
    Ok(PageReader { method, comments: args.comments(reader.comments), ..reader })
}

async fn read(input: &str, config: &FetchConfig) -> anyhow::Result<Input> {
    if is_url(input) {
        return download(input, config).await;
    }
    let bytes = if input == "-" { read_all(std::io::stdin().lock())? } else { read_file(Path::new(input))? };
    Ok(Input { bytes, content_type: None, url: None })
}

/// Follows redirects itself, each hop past the address guard.
async fn download(url: &str, config: &FetchConfig) -> anyhow::Result<Input> {
    const MAX_HOPS: usize = 10;
    let client = Client::new(config)?;
    let mut url: Url = url.parse()?;
    for _ in 0..=MAX_HOPS {
        let response = client.fetch(&Request::page(url.clone())).await?;
        if let Some(target) = response.redirect_target() {
            url = target;
            continue;
        }
        anyhow::ensure!(response.status == 200, "the server answered with status {}", response.status);
        let content_type = response.headers.content_type;
        return Ok(Input { bytes: response.body.decoded.to_vec(), content_type, url: Some(url.into()) });
    }
    anyhow::bail!("more than {MAX_HOPS} redirects")
}

/// Extracts the page of a side-car: the tree is the one that the browser had.
fn run_layout(sidecar: &Path, args: &ExtractArgs, settings: &Settings) -> anyhow::Result<Option<String>> {
    let method = args.method.as_deref().unwrap_or(&settings.extractor.method);
    let reader = PageReader { method: Method::for_layout(method)?, ..page_reader(args, settings)? };
    let (doc, layout) = Sidecar::parse(&read_file(sidecar)?, &Limits::default())?;
    print_parsed(&reader.parsed(doc, args.url.as_deref()), sidecar.to_str(), Some(&layout), args)
}

fn print(input: &Input, name: &str, reader: &PageReader, args: &ExtractArgs) -> anyhow::Result<Option<String>> {
    let hints = Hints { content_type: input.content_type.as_deref(), url: input.url.as_deref() };
    print_parsed(&reader.parse(&input.bytes, &hints), file(name), None, args)
}

/// Prints what was found; why it has no text, if so.
fn print_parsed(
    parsed: &Parsed<'_>,
    file: Option<&str>,
    layout: Option<&Layout>,
    args: &ExtractArgs,
) -> anyhow::Result<Option<String>> {
    let reading = parsed.read(Options {
        layout,
        structure: args.structure(),
        describe: args.describe,
        anchor_title: args.anchor_title.as_deref(),
        min_confidence: args.min_confidence,
        attach_title: args.format() == Format::Text,
        parts: args.format() == Format::Json,
        trace: args.trace,
        ..parsed.reader.options()
    });
    let mut out = std::io::stdout().lock();
    match args.format() {
        _ if args.explain => explain_page::write(&mut out, &reading)?,
        Format::Json => writeln!(out, "{}", json_of(&reading, file))?,
        Format::Html => write!(out, "{}", form_of(&reading, Format::Html))?,
        format => writeln!(out, "{}", form_of(&reading, format))?,
    }
    let document = reading.document;
    if let Some(trace) = document.trace.as_ref().filter(|_| args.format() != Format::Json) {
        print_trace(trace)?;
    }
    for warning in &document.warnings {
        eprintln!("gristmill: {warning}");
    }
    Ok(document.reason.filter(|_| !args.explain))
}

/// All that was read from a page.
fn json_of(reading: &Reading<'_>, file: Option<&str>) -> serde_json::Value {
    let mut answer = reading.json();
    answer["file"] = file.into();
    answer
}

/// The trace on stderr, one value a line; the JSON format has it as a field.
fn print_trace(trace: &Trace) -> anyhow::Result<()> {
    let mut err = std::io::stderr().lock();
    for (name, value) in trace.values() {
        match value {
            TraceValue::Series(values) => {
                let values: Vec<String> = values.iter().map(|value| format!("{value:.4}")).collect();
                let values: Vec<&str> =
                    values.iter().map(|value| value.trim_end_matches('0').trim_end_matches('.')).collect();
                writeln!(err, "{name} = [{}]", values.join(", "))?;
            }
            TraceValue::Flag(flag) => writeln!(err, "{name} = {flag}")?,
            TraceValue::Number(number) => writeln!(err, "{name} = {number}")?,
            TraceValue::Text(text) => writeln!(err, "{name} = {text}")?,
        }
    }
    Ok(())
}
