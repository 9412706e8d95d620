//! `gristmill extract`: files, URLs or standard input to main text.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;

use anyhow::Context;
use gristmill_archiver::source::ArchiveOpener;
use gristmill_browser::{RenderRequest, ScreenshotOptions};
use gristmill_extract::{ExtractOptions, Method, PageLayout, Sidecar, Trace, TraceValue};
use gristmill_extractor::{BatchExtractor, type_of_file};
use gristmill_fetch::{Client, FetchConfig, Headers};
use gristmill_html::{TreeLimits, decode_with, is_pdf};
use gristmill_reading::{CharsetHints, OutputFormat, PageReader, ParsedPage, Reading, UsageHeaders};
use gristmill_runtime::read_input::{read_all, read_file};
use gristmill_scheduler::seeds::parse_address;
use gristmill_walls::wall;
use serde_json::json;
use tokio::runtime::Handle;

use crate::extract_args::ExtractArgs;
use crate::failure::wrong_use;
use crate::render::{LocalRenderer, RenderAttempt, request};
use crate::replay::{Replay, ReplayedPage};
use crate::settings::Settings;

/// Longest line of a list of URLs.
const MAX_LINE_BYTES: u64 = 64 << 10;

/// A page as it came in.
struct Input {
    bytes: Vec<u8>,
    content_type: Option<String>,
    url: Option<String>,
    answer: UsageHeaders,
    /// Where it was to be drawn by a browser.
    drawn: Option<RenderAttempt>,
    /// Words of the link that led to it, where an archive knows them.
    anchor_title: Option<String>,
}

impl Input {
    /// Bytes of which nothing more is known.
    fn of(bytes: Vec<u8>) -> Input {
        Input { bytes, content_type: None, url: None, answer: UsageHeaders::default(), drawn: None, anchor_title: None }
    }
}

/// What pages are read with.
struct Tools<'a> {
    reader: PageReader,
    renderer: Option<LocalRenderer>,
    /// Where the pages of URLs come from, if not from the network.
    replay: Option<Replay>,
    args: &'a ExtractArgs,
    settings: &'a Settings,
}

/// Extracts every input and prints the results one after the other.
///
/// # Errors
/// An input that cannot be read or has no text; the others are extracted all the same.
pub async fn run(args: &ExtractArgs, settings: &Settings) -> anyhow::Result<()> {
    if args.threads.is_some() {
        return Err(wrong_use(anyhow::anyhow!("`--threads` goes with `--batch`, or with `gristmill dataset`")));
    }
    if let Some(sidecar) = &args.layout {
        let ended = run_layout(sidecar, args, settings)
            .with_context(|| format!("could not extract from `{}`", sidecar.display()))?;
        return ended.map_or(Ok(()), |reason| Err(anyhow::anyhow!("no main text: {reason}")));
    }
    if args.screenshot.is_some() && (args.urls.is_some() || args.inputs.len() > 1) {
        return Err(wrong_use(anyhow::anyhow!("`--screenshot` names the file for one page: give one input")));
    }
    let mut reader = args.reading.page_reader(&settings.extractor, &settings.records)?;
    let (mut renderer, mut replay) = (None, None);
    if let Some(mode) = args.render {
        let method = args.reading.method.as_deref().unwrap_or(&settings.extractor.method);
        reader.method = Method::for_layout(method)?;
        replay = replay_of(args, settings).await?;
        renderer = Some(LocalRenderer::start(mode, settings, replay.clone()).await?);
    }
    let mut tools = Tools { reader, renderer, replay, args, settings };
    if let Some(list) = &args.urls {
        return each(urls_of(list)?, true, &mut tools).await;
    }
    let stdin = ["-".to_owned()];
    let inputs = if args.inputs.is_empty() { &stdin[..] } else { &args.inputs };
    each(inputs.iter().cloned().map(Ok), inputs.len() > 1, &mut tools).await
}

/// Extracts inputs as they come; of several, each with a line before it that says which it is.
async fn each(
    inputs: impl Iterator<Item = anyhow::Result<String>>,
    are_several: bool,
    tools: &mut Tools<'_>,
) -> anyhow::Result<()> {
    let (mut n_inputs, mut n_failed) = (0, 0);
    for input in inputs {
        let input = input?;
        if are_several {
            head(n_inputs, &input, tools.args)?;
        }
        n_inputs += 1;
        let Some(reason) = one(&input, tools).await? else { continue };
        anyhow::ensure!(are_several, "{reason}");
        tell!("gristmill: `{input}`: {reason}");
        n_failed += 1;
    }
    anyhow::ensure!(n_failed == 0, "{n_failed} of {n_inputs} inputs gave no text");
    Ok(())
}

/// The addresses of a list, read as they are asked for. A line that is none ends the list with an error.
fn urls_of(list: &Path) -> anyhow::Result<impl Iterator<Item = anyhow::Result<String>>> {
    let name = list.display().to_string();
    let lines: Box<dyn BufRead> = match name.as_str() {
        "-" => Box::new(std::io::stdin().lock()),
        _ => {
            let file = File::open(list).with_context(|| format!("could not read the list of URLs `{name}`"))?;
            Box::new(BufReader::new(file))
        }
    };
    Ok(Lines(lines).zip(1..).filter_map(move |(line, number)| {
        let parsed = line.and_then(|line| {
            let line = line.trim();
            let is_url = !line.is_empty() && !line.starts_with('#');
            is_url.then(|| Ok(parse_address(line)?.as_str().to_owned())).transpose()
        });
        parsed.with_context(|| format!("line {number} of `{name}`")).transpose()
    }))
}

/// Lines of at most [`MAX_LINE_BYTES`].
struct Lines(Box<dyn BufRead>);

impl Iterator for Lines {
    type Item = anyhow::Result<String>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut line = String::new();
        match self.0.by_ref().take(MAX_LINE_BYTES).read_line(&mut line) {
            Ok(0) => None,
            Ok(n) if n as u64 == MAX_LINE_BYTES => {
                Some(Err(anyhow::anyhow!("it is longer than {MAX_LINE_BYTES} bytes")))
            }
            Ok(_) => Some(Ok(line)),
            Err(error) => Some(Err(error.into())),
        }
    }
}

/// Which of several inputs follows, in a form that the format bears.
fn head(n: usize, input: &str, args: &ExtractArgs) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    match args.format() {
        _ if args.explain => writeln!(out, "==> {input} <=="),
        OutputFormat::Json => Ok(()),
        OutputFormat::Text | OutputFormat::Markdown => {
            writeln!(out, "{}==> {input} <==", if n == 0 { "" } else { "\n" })
        }
        OutputFormat::Html | OutputFormat::Marked => writeln!(out, "<!-- {} -->", input.replace("--", "- -")),
    }
}

/// Reads and prints one input; why it has no text, if so.
async fn one(input: &str, tools: &mut Tools<'_>) -> anyhow::Result<Option<String>> {
    let args = tools.args;
    let reason = match read(input, tools).await {
        Err(error) => format!("could not read `{input}`: {error:#}"),
        Ok(mut page) => {
            if args.url.is_some() {
                page.url.clone_from(&args.url);
            }
            match tools.reader.no_page(&page.bytes) {
                // The setting is for who has a PDF before him.
                Some(reason) if is_pdf(&page.bytes) => {
                    format!("no main text: {reason}; `extractor.pdf = true` reads PDFs, too")
                }
                Some(reason) => format!("no main text: {reason}"),
                None => {
                    let renderer = tools.renderer.as_mut().filter(|_| !is_pdf(&page.bytes));
                    if let Some(renderer) = renderer {
                        let (content_type, url) = (page.content_type.as_deref(), page.url.as_deref());
                        let shot =
                            args.screenshot.as_ref().map(|_| ScreenshotOptions { full_page: true, quality: None });
                        let wanted = RenderRequest { screenshot: shot, ..request(&page.bytes, content_type, url) };
                        let drawn = renderer.draw(&wanted).await;
                        save_screenshot(&drawn, args.screenshot.as_deref())?;
                        page.drawn = Some(drawn);
                    }
                    let reason = print(&page, input, &tools.reader, args)?;
                    return Ok(reason.map(|reason| format!("no main text: {reason}")));
                }
            }
        }
    };
    if args.format() == OutputFormat::Json {
        writeln!(std::io::stdout(), "{}", json!({"file": file(input), "url": args.url, "text": "", "reason": reason}))?;
    }
    Ok(Some(reason))
}

/// Writes the picture of a page to its file.
fn save_screenshot(drawn: &RenderAttempt, file: Option<&Path>) -> anyhow::Result<()> {
    let picture = drawn.outcome.as_ref().ok().and_then(|drawn| drawn.screenshot.as_ref());
    let Some((file, picture)) = file.zip(picture) else { return Ok(()) };
    std::fs::write(file, picture).with_context(|| format!("could not write the screenshot `{}`", file.display()))
}

fn is_url(input: &str) -> bool {
    input.starts_with("http://") || input.starts_with("https://")
}

/// The input as the field `file` of JSON; nothing for a URL.
fn file(input: &str) -> Option<&str> {
    Some(input).filter(|input| !is_url(input))
}

async fn read(input: &str, tools: &Tools<'_>) -> anyhow::Result<Input> {
    if is_url(input) {
        return match &tools.replay {
            Some(replay) => archived(input, replay).await,
            None => download(input, &tools.settings.fetch).await,
        };
    }
    let bytes = if input == "-" { read_all(std::io::stdin().lock())? } else { read_file(Path::new(input))? };
    let content_type = type_of_file(input).map(str::to_owned);
    Ok(Input { content_type, ..Input::of(bytes) })
}

/// Answers every request of `--batch`.
pub fn batch(args: &ExtractArgs, settings: &Settings) -> anyhow::Result<()> {
    let batch = BatchExtractor {
        reader: args.reading.page_reader(&settings.extractor, &settings.records)?,
        structure: args.structure(),
        format: args.format(),
        describe: args.reading.describe,
        min_confidence: args.min_confidence,
    };
    let cores = || std::thread::available_parallelism().map_or(1, |cores| cores.get());
    Ok(batch.run(args.threads.unwrap_or_else(cores).max(1))?)
}

/// The archives of `--replay`.
async fn replay_of(args: &ExtractArgs, settings: &Settings) -> anyhow::Result<Option<Replay>> {
    if args.replay.is_empty() {
        return Ok(None);
    }
    let sources = ArchiveOpener::new(settings.fetch.clone(), settings.blobs.s3.clone(), Handle::current());
    let named = args.replay.clone();
    tokio::task::spawn_blocking(move || Replay::open(&named, sources)).await?.map(Some)
}

async fn archived(url: &str, replay: &Replay) -> anyhow::Result<Input> {
    let url = parse_address(url)?;
    let ReplayedPage { content, anchor_title } = replay.page(url.as_str()).await?;
    let content_type = content.headers.into_iter().find(|(name, _)| name == "content-type").map(|(_, value)| value);
    let url = Some(url.as_str().to_owned());
    Ok(Input { content_type, url, anchor_title, ..Input::of(content.body.to_vec()) })
}

async fn download(url: &str, config: &FetchConfig) -> anyhow::Result<Input> {
    let response = Client::new(config)?.visit(url.parse()?).await?;
    let hints =
        CharsetHints { content_type: response.headers.content_type.as_deref(), url: Some(response.url.as_str()) };
    let html = decode_with(&response.body.decoded, &hints).text;
    if let Some(found) = wall(&gristmill_walls::WallInput { status: 200, url: response.url.as_str(), html: &html }) {
        tell!("gristmill: what came from `{url}` is {}, and perhaps not the page", found.reason);
    }
    let Headers { content_type, x_robots_tag, tdm_reservation, tdm_policy, .. } = response.headers;
    let answer = UsageHeaders { robots_tags: x_robots_tag, tdm_reservation, tdm_policy };
    Ok(Input { content_type, url: Some(response.url.into()), answer, ..Input::of(response.body.decoded.to_vec()) })
}

/// Extracts the page of a side-car: the tree is the one that the browser had.
fn run_layout(sidecar: &Path, args: &ExtractArgs, settings: &Settings) -> anyhow::Result<Option<String>> {
    let method = args.reading.method.as_deref().unwrap_or(&settings.extractor.method);
    let reader = PageReader {
        method: Method::for_layout(method)?,
        ..args.reading.page_reader(&settings.extractor, &settings.records)?
    };
    let (doc, layout) = Sidecar::parse(&read_file(sidecar)?, &TreeLimits::default())?;
    print_parsed(&reader.parsed(doc, args.url.as_deref()), sidecar.to_str(), Some(&layout), None, args)
}

fn print(input: &Input, name: &str, reader: &PageReader, args: &ExtractArgs) -> anyhow::Result<Option<String>> {
    if let Some(warning) = input.drawn.as_ref().and_then(RenderAttempt::warning) {
        tell!("gristmill: {warning}");
    }
    let url = input.url.as_deref();
    let rendered = input.drawn.as_ref().and_then(|drawn| drawn.outcome.as_ref().ok());
    if let Some(rendered) = rendered.filter(|_| reader.method.extractor().uses_layout()) {
        // The boxes belong to the tree of the side-car.
        let (doc, layout) = Sidecar::parse(&rendered.layout, &TreeLimits::default())?;
        let parsed = reader.parsed(doc, url).answered(input.answer.clone());
        return print_parsed(&parsed, file(name), Some(&layout), Some(input), args);
    }
    // Boxes that are not there are no reason for no text.
    let guessing = match (&args.reading.method, reader.method.extractor().uses_layout()) {
        (_, false) => None,
        (Some(method), true) => Some(PageReader { method: method.parse()?, ..reader.clone() }),
        (None, true) => Some(PageReader { method: reader.method.name().parse()?, ..reader.clone() }),
    };
    let reader = guessing.as_ref().unwrap_or(reader);
    let (bytes, content_type) = match rendered {
        Some(rendered) => (rendered.html.as_bytes(), Some("text/html; charset=utf-8")),
        None => (&input.bytes[..], input.content_type.as_deref()),
    };
    let parsed = match reader.open(bytes, &CharsetHints { content_type, url }) {
        Ok(parsed) => parsed.of_file(name).answered(input.answer.clone()),
        Err(error) => return Ok(Some(error.to_string())),
    };
    print_parsed(&parsed, file(name), None, Some(input), args)
}

/// Prints what was found; why it has no text, if so.
fn print_parsed(
    parsed: &ParsedPage<'_>,
    file: Option<&str>,
    layout: Option<&PageLayout>,
    input: Option<&Input>,
    args: &ExtractArgs,
) -> anyhow::Result<Option<String>> {
    let drawn = input.and_then(|input| input.drawn.as_ref());
    let anchor = input.and_then(|input| input.anchor_title.as_deref());
    let reading = parsed.read(ExtractOptions {
        layout,
        structure: args.structure(),
        describe: args.reading.describe,
        anchor_title: args.anchor_title.as_deref().or(anchor),
        min_confidence: args.min_confidence,
        attach_title: args.format() == OutputFormat::Text,
        parts: args.format() == OutputFormat::Json,
        trace: args.trace,
        ..parsed.reader.options()
    });
    let mut out = std::io::stdout().lock();
    // A product without a text is no failure for who asks for all that is known.
    let mut has_records = false;
    match args.format() {
        _ if args.explain => reading.explain(&mut out)?,
        OutputFormat::Json => {
            let json = json_of(&reading, file, drawn);
            has_records = json["records"].as_array().is_some_and(|records| !records.is_empty());
            writeln!(out, "{json}")?;
        }
        OutputFormat::Marked => write!(out, "{}", reading.form(OutputFormat::Marked))?,
        format => writeln!(out, "{}", reading.form(format))?,
    }
    let document = reading.document;
    if let Some(trace) = document.trace.as_ref().filter(|_| args.format() != OutputFormat::Json) {
        print_trace(trace)?;
    }
    for warning in &document.warnings {
        tell!("gristmill: {warning}");
    }
    Ok(document.reason.filter(|_| !args.explain && !has_records))
}

/// All that was read from a page.
fn json_of(reading: &Reading<'_>, file: Option<&str>, drawn: Option<&RenderAttempt>) -> serde_json::Value {
    let mut answer = reading.json();
    if let Some(drawn) = drawn {
        answer["rendered"] = drawn.json();
    }
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
