//! `gristmill search`: hits on the terminal or as JSON.

use std::io::{IsTerminal, Write};

use gristmill_index::{
    COUNT_UP_TO, DocumentKind, Hit, IndexError, IndexReader, Period, SearchFilter, SearchQuery, SearchResults, Snippet,
    Sort, format_minute, format_time, parse_period_at,
};
use serde_json::json;

use crate::cli::SearchArgs;
use crate::command_line;
use crate::failure::wrong_use;
use crate::settings::Settings;

/// Searches the index of the data directory.
pub fn run(args: &SearchArgs, settings: &Settings) -> anyhow::Result<()> {
    let kind = args.kind.map(DocumentKind::from);
    let now = now();
    let from = args.from.as_deref().map(|text| period("from", text, now)).transpose()?.map(|period| period.start);
    let to = args.to.as_deref().map(|text| period("to", text, now)).transpose()?.map(|period| period.end);
    if from.zip(to).is_some_and(|(from, to)| from >= to) {
        return Err(wrong_use(anyhow::anyhow!(
            "`--from` lies after `--to`, so that no time is left: `--from 2024 --to 2025`"
        )));
    }
    let reader = IndexReader::open(&settings.index_dir()).map_err(|error| match error {
        IndexError::Missing { .. } => anyhow::anyhow!(
            "nothing is indexed in `{}` yet; a crawl fills it:\n  {}",
            settings.data.display(),
            command_line::command(settings, &["crawl"]) + " URL"
        ),
        other => other.into(),
    })?;
    let filter = SearchFilter { site: args.site.clone(), kind, language: args.lang.clone(), from, to };
    let text = args.query.iter().map(|words| words.trim()).collect::<Vec<_>>().join(" ");
    let (sort, collapse) = (Sort::from(args.sort), args.collapse);
    let (limit, count_up_to, now) = (args.limit, COUNT_UP_TO, Some(now));
    let query = SearchQuery { text, filter, limit, sort, collapse, count_up_to, now, ..SearchQuery::default() };
    let results = reader.search(&query)?;
    for warning in &results.warnings {
        tell!("gristmill: {warning}");
    }
    if let Some(suggestion) = &results.suggestion {
        eprintln!("gristmill: did you mean `{}`?", clean(suggestion));
    }
    if args.json { print_json(&query.text, &results) } else { print_text(&results) }
}

fn now() -> i64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    since.map_or(0, |since| i64::try_from(since.as_secs()).unwrap_or(i64::MAX))
}

fn period(option: &str, text: &str, now: i64) -> anyhow::Result<Period> {
    parse_period_at(text, now).ok_or_else(|| {
        wrong_use(anyhow::anyhow!(
            "`--{option} {text}` is no time; write 2024, 2024-05, 2024-05-31, 2024-05-31T10:30, today or yesterday"
        ))
    })
}

fn print_json(query: &str, results: &SearchResults) -> anyhow::Result<()> {
    let hits: Vec<_> = results
        .hits
        .iter()
        .map(|hit| {
            json!({
                "key": hit.key, "url": hit.url, "title": hit.title, "domain": hit.site, "author": hit.author,
                "published": hit.published.and_then(format_time), "language": hit.language, "kind": hit.kind.as_str(), "score": hit.score,
                "snippet": hit.snippet.text, "snippet_html": hit.snippet_html, "fetched_at": format_time(hit.fetched_at),
                "duplicates": hit.duplicates, "attributes": hit.attributes, "rendered": hit.rendered,
            })
        })
        .collect();
    let answer = json!({
        "query": query, "total": results.total, "total_is_exact": !results.at_least,
        "hits": hits, "warnings": results.warnings, "suggestion": results.suggestion,
        "partial": results.partial, "seconds": results.elapsed.as_secs_f64(),
    });
    writeln!(std::io::stdout(), "{answer}")?;
    Ok(())
}

fn print_text(results: &SearchResults) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    let colour = out.is_terminal();
    for (number, hit) in (1..).zip(&results.hits) {
        print_hit(&mut out, number, hit, colour)?;
    }
    let millis = results.elapsed.as_secs_f64() * 1000.0;
    let more = if results.at_least { "more than " } else { "" };
    writeln!(out, "{} of {more}{} documents, {millis:.1} ms", results.hits.len(), results.total)?;
    Ok(())
}

fn print_hit(out: &mut impl Write, number: usize, hit: &Hit, colour: bool) -> std::io::Result<()> {
    let title = if hit.title.is_empty() { "(no title)" } else { &hit.title };
    writeln!(out, "{number:>2}. {}", clean(title))?;
    writeln!(out, "    {}", clean(&hit.url))?;
    let mut facts = vec![hit.site.clone(), hit.language.clone(), hit.kind.to_string()];
    facts.extend(hit.published.map(format_minute));
    facts.extend(hit.rendered.as_ref().map(|_| "drawn by a browser".to_owned()));
    if hit.duplicates > 0 {
        facts.push(format!("{} near-duplicates", hit.duplicates));
    }
    facts.retain(|fact| !fact.is_empty());
    writeln!(out, "    {}", clean(&facts.join(" · ")))?;
    writeln!(out, "    {}", marked(&hit.snippet, colour))?;
    for attribute in hit.attributes.iter().take(MAX_ATTRIBUTES) {
        writeln!(out, "    {} = {}", clean(&attribute.name), clean(&attribute.value))?;
    }
    writeln!(out)
}

/// Attributes of a product that are shown with a hit; `--json` has all.
const MAX_ATTRIBUTES: usize = 8;

/// Strangers' text must not drive the terminal.
fn clean(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).collect()
}

fn marked(snippet: &Snippet, colour: bool) -> String {
    let (on, off) = if colour { ("\x1b[1m", "\x1b[0m") } else { ("[", "]") };
    let mut text = String::new();
    let mut from = 0;
    for range in &snippet.ranges {
        text.push_str(&clean(&snippet.text[from..range.start]));
        text.push_str(on);
        text.push_str(&clean(&snippet.text[range.clone()]));
        text.push_str(off);
        from = range.end;
    }
    text.push_str(&clean(&snippet.text[from..]));
    text
}
