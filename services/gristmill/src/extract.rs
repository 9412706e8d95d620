//! `gristmill extract`: files, URLs or standard input to main text.

use std::io::Write;
use std::path::Path;

use anyhow::Context;
use gristmill_extract::{
    Document, Method, Options, Page, Selection, Sidecar, Structure, Trace, TraceValue, begins_with_title, extract_from,
    render_html_with, render_markdown_with, render_marked,
};
use gristmill_extractor::Recipe;
use gristmill_fetch::{Client, FetchConfig, Request};
use gristmill_html::{Doc, Hints, Limits};
use serde_json::json;
use url::Url;

use crate::cli::{ExtractArgs, Format};
use crate::input::{no_page, read_all, read_file};
use crate::settings::Settings;
use crate::{explain_page, records};

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
    if let Some(sidecar) = &args.layout {
        let ended = run_layout(sidecar, args, settings)
            .with_context(|| format!("could not extract from `{}`", sidecar.display()))?;
        return ended.map_or(Ok(()), |reason| Err(anyhow::anyhow!("no main text: {reason}")));
    }
    let recipe = recipe(args, settings)?;
    let stdin = ["-".to_owned()];
    let inputs = if args.inputs.is_empty() { &stdin[..] } else { &args.inputs };
    let mut n_failed = 0;
    for (n, input) in inputs.iter().enumerate() {
        if inputs.len() > 1 {
            head(n, input, args)?;
        }
        let Some(reason) = one(input, &recipe, args, settings).await? else { continue };
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
    match args.format {
        _ if args.explain => writeln!(out, "==> {input} <=="),
        Format::Json => Ok(()),
        Format::Text | Format::Markdown => writeln!(out, "{}==> {input} <==", if n == 0 { "" } else { "\n" }),
        Format::Html | Format::Clean => writeln!(out, "<!-- {} -->", input.replace("--", "- -")),
    }
}

/// Reads and prints one input; why it has no text, if so.
async fn one(input: &str, recipe: &Recipe, args: &ExtractArgs, settings: &Settings) -> anyhow::Result<Option<String>> {
    let reason = match read(input, &settings.fetch).await {
        Err(error) => format!("could not read `{input}`: {error:#}"),
        Ok(mut page) => {
            if args.url.is_some() {
                page.url.clone_from(&args.url);
            }
            match no_page(&page.bytes) {
                Some(reason) => format!("no main text: {reason}"),
                None => return Ok(print(&page, input, recipe, args)?.map(|reason| format!("no main text: {reason}"))),
            }
        }
    };
    if args.format == Format::Json {
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
pub fn recipe(args: &ExtractArgs, settings: &Settings) -> anyhow::Result<Recipe> {
    let recipe = Recipe::build(&settings.extractor, &settings.records)?;
    let recipe = Recipe { comments: args.comments(recipe.comments), ..recipe };
    Ok(match &args.method {
        Some(method) => recipe.with_method(method.parse()?),
        None => recipe,
    })
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
    let recipe = recipe(args, settings)?.with_method(Method::for_layout(method)?);
    let (doc, layout) = Sidecar::parse(&read_file(sidecar)?, &Limits::default())?;
    let options = Options { url: args.url.as_deref(), layout: Some(&layout), ..Options::default() };
    print_doc(&doc, sidecar.to_str(), &recipe, options, args)
}

fn print(input: &Input, name: &str, recipe: &Recipe, args: &ExtractArgs) -> anyhow::Result<Option<String>> {
    let hints = Hints { content_type: input.content_type.as_deref(), url: input.url.as_deref() };
    let html = gristmill_html::decode_with(&input.bytes, &hints);
    let doc = Doc::parse(&html.text, &Limits::default());
    let options = Options { url: input.url.as_deref(), ..Options::default() };
    print_doc(&doc, file(name), recipe, options, args)
}

/// Prints what was found; why it has no text, if so.
fn print_doc(
    doc: &Doc,
    file: Option<&str>,
    recipe: &Recipe,
    options: Options<'_>,
    args: &ExtractArgs,
) -> anyhow::Result<Option<String>> {
    let structure = args.structure();
    let options = Options {
        structure,
        comments: recipe.comments,
        describe: args.describe,
        method: recipe.method.clone(),
        anchor_title: args.anchor_title.as_deref(),
        min_confidence: args.min_confidence,
        attach_title: args.format == Format::Text,
        parts: args.format == Format::Json,
        trace: args.trace,
        ..options
    };
    let prepared = recipe.prepare(doc, options.url);
    let page = Page::new(prepared.doc());
    let (mut document, selection) = extract_from(&page, &options);
    document.title = prepared.title(document.title);
    let mut out = std::io::stdout().lock();
    match args.format {
        _ if args.explain => {
            explain_page::write(&mut out, &document, &prepared, recipe, options.url)?;
            if document.method == "best" {
                let rescued = document.rescued.as_ref().map(|rescued| Page::new(&rescued.doc));
                explain_page::rows(&mut out, rescued.as_ref().unwrap_or(&page), &document)?;
            }
        }
        Format::Json => {
            let mut answer = serde_json::to_value(&document)?;
            answer["file"] = file.into();
            answer["url"] = options.url.into();
            let judged = records::judge(&prepared, &document.types, options.url, recipe);
            answer["kind"] = judged.kind.as_str().into();
            answer["kind_probability"] = judged.probability.into();
            answer["records"] = judged.records.into();
            writeln!(out, "{answer}")?;
        }
        Format::Html => write!(out, "{}", form_of(&page, selection, &document, Format::Html, &structure, options.url))?,
        format => writeln!(out, "{}", form_of(&page, selection, &document, format, &structure, options.url))?,
    }
    if let Some(trace) = document.trace.as_ref().filter(|_| args.format != Format::Json) {
        print_trace(trace)?;
    }
    for warning in &document.warnings {
        eprintln!("gristmill: {warning}");
    }
    Ok(document.reason.filter(|_| !args.explain))
}

/// What was kept of a page in the form that is asked for, from where it was found.
pub fn form_of(
    page: &Page<'_>,
    selection: Selection,
    document: &Document,
    format: Format,
    structure: &Structure,
    url: Option<&str>,
) -> String {
    match document.rescued.as_ref().map(|rescued| Page::new(&rescued.doc)) {
        Some(page) => {
            rendered(&page, &structure.select(&page, Selection::all(&page)), document, format, structure, url)
        }
        None => rendered(page, &selection, document, format, structure, url),
    }
}

/// What was kept of a page, in the form that is asked for; the text for JSON.
fn rendered(
    page: &Page<'_>,
    selection: &Selection,
    document: &Document,
    format: Format,
    structure: &Structure,
    url: Option<&str>,
) -> String {
    match format {
        Format::Text | Format::Json => document.text.clone(),
        Format::Html => render_marked(page, selection, &document.method),
        Format::Clean => render_html_with(page, selection, structure, url),
        Format::Markdown => {
            let title = document.title.as_ref().filter(|_| structure.headings);
            let title = title.filter(|title| !begins_with_title(&document.text, title));
            let head = title.map(|title| format!("# {title}\n\n")).unwrap_or_default();
            head + &render_markdown_with(page, selection, structure, url)
        }
    }
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
