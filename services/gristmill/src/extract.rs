//! `gristmill extract`: files, URLs or standard input to main text.

use std::io::Write;
use std::path::Path;

use anyhow::Context;
use gristmill_extract::{
    Method, Options, Page, Selection, Sidecar, Trace, TraceValue, begins_with_title, extract_from, render_html_with,
    render_markdown_with, render_marked,
};
use gristmill_extractor::Recipe;
use gristmill_fetch::{Client, FetchConfig, Request};
use gristmill_html::{Doc, Hints, Limits};
use url::Url;

use crate::cli::{ExtractArgs, Format};
use crate::input::{doubt, read_all, read_file};
use crate::settings::Settings;
use crate::{explain_page, records};

/// A page as it came in.
struct Input {
    bytes: Vec<u8>,
    content_type: Option<String>,
    url: Option<String>,
}

/// Extracts every input and prints the results one after the other.
pub async fn run(args: &ExtractArgs, settings: &Settings) -> anyhow::Result<()> {
    if let Some(sidecar) = &args.layout {
        return run_layout(sidecar, args, settings)
            .with_context(|| format!("could not extract from `{}`", sidecar.display()));
    }
    let recipe = recipe(args, settings)?;
    let stdin = ["-".to_owned()];
    let inputs = if args.inputs.is_empty() { &stdin[..] } else { &args.inputs };
    for input in inputs {
        let mut page = read(input, &settings.fetch).await.with_context(|| format!("could not read `{input}`"))?;
        if args.url.is_some() {
            page.url.clone_from(&args.url);
        }
        print(&page, &recipe, args)?;
    }
    Ok(())
}

/// What the settings say, with the method of the command line if it names one.
pub fn recipe(args: &ExtractArgs, settings: &Settings) -> anyhow::Result<Recipe> {
    let recipe = Recipe::build(&settings.extractor, &settings.records)?;
    Ok(match &args.method {
        Some(method) => recipe.with_method(method.parse()?),
        None => recipe,
    })
}

async fn read(input: &str, config: &FetchConfig) -> anyhow::Result<Input> {
    if input.starts_with("http://") || input.starts_with("https://") {
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
fn run_layout(sidecar: &Path, args: &ExtractArgs, settings: &Settings) -> anyhow::Result<()> {
    let method = args.method.as_deref().unwrap_or(&settings.extractor.method);
    let recipe = Recipe::build(&settings.extractor, &settings.records)?.with_method(Method::for_layout(method)?);
    let (doc, layout) = Sidecar::parse(&read_file(sidecar)?, &Limits::default())?;
    let options = Options { url: args.url.as_deref(), layout: Some(&layout), ..Options::default() };
    print_doc(&doc, &recipe, options, None, args)
}

fn print(input: &Input, recipe: &Recipe, args: &ExtractArgs) -> anyhow::Result<()> {
    let hints = Hints { content_type: input.content_type.as_deref(), url: input.url.as_deref() };
    let html = gristmill_html::decode_with(&input.bytes, &hints);
    let doc = Doc::parse(&html.text, &Limits::default());
    let options = Options { url: input.url.as_deref(), ..Options::default() };
    print_doc(&doc, recipe, options, doubt(&input.bytes), args)
}

fn print_doc(
    doc: &Doc,
    recipe: &Recipe,
    options: Options<'_>,
    doubt: Option<String>,
    args: &ExtractArgs,
) -> anyhow::Result<()> {
    let structure = args.structure();
    let options = Options {
        structure,
        comments: args.comments(),
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
    document.warnings.extend(doubt);
    let rescued = document.rescued.as_ref().map(|rescued| Page::new(&rescued.doc));
    let (page, selection) = match &rescued {
        Some(rescued) => (rescued, structure.select(rescued, Selection::all(rescued))),
        None => (&page, selection),
    };
    let mut out = std::io::stdout().lock();
    match args.format {
        _ if args.explain => {
            explain_page::write(&mut out, &document, &prepared, recipe, options.url)?;
            if document.method == "best" {
                explain_page::rows(&mut out, page, &document)?;
            }
        }
        Format::Text => writeln!(out, "{}", document.text)?,
        Format::Json => {
            let mut answer = serde_json::to_value(&document)?;
            let judged = records::judge(&prepared, &document.types, options.url, recipe);
            answer["kind"] = judged.kind.as_str().into();
            answer["kind_probability"] = judged.probability.into();
            answer["records"] = judged.records.into();
            writeln!(out, "{answer}")?;
        }
        Format::Markdown => {
            if let Some(title) = document.title.as_ref().filter(|_| structure.headings)
                && !begins_with_title(&document.text, title)
            {
                writeln!(out, "# {title}\n")?;
            }
            writeln!(out, "{}", render_markdown_with(page, &selection, &structure, options.url))?;
        }
        Format::Html => write!(out, "{}", render_marked(page, &selection, &document.method))?,
        Format::Clean => writeln!(out, "{}", render_html_with(page, &selection, &structure, options.url))?,
    }
    if let Some(trace) = document.trace.as_ref().filter(|_| args.format != Format::Json) {
        print_trace(trace)?;
    }
    if let Some(reason) = &document.reason {
        eprintln!("gristmill: no main text: {reason}");
    }
    for warning in &document.warnings {
        eprintln!("gristmill: {warning}");
    }
    Ok(())
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
