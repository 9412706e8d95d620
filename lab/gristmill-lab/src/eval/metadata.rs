//! `gristmill-lab eval --metadata`: judges title, author, date, language and site.

use std::collections::BTreeMap;

use gristmill_eval::metadata::{FieldScore, MetadataField, tally};
use gristmill_eval::{BatchCommand, CommandLine, FoundMetadata, GoldPage, guarded};
use gristmill_extract::{ValueSource, ValueSources};
use gristmill_reading::{CharsetHints, PageReader};

use super::{EvalArgs, list_of_problems, read_packages, table};
use crate::threads::each;

/// Prints the exact-match rates of our own metadata and of each batch command.
pub fn run(args: &EvalArgs) -> anyhow::Result<()> {
    let (documents, problems) = read_packages(args)?;
    anyhow::ensure!(!documents.is_empty(), "{}nothing to score: no document is left", list_of_problems(&problems));
    let threads = args.threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
    let (found, sources): (Vec<_>, Vec<_>) = own(&documents, threads).into_iter().unzip();
    let by_source = by_source(&documents, &found, &sources);
    let mut systems = vec![("gristmill".to_owned(), found)];
    for given in &args.command_batch {
        let batch = BatchCommand { timeout: *args.timeout, ..BatchCommand::new(CommandLine::parse(given)?) };
        systems.push((batch.name.clone(), answers(&batch, &documents, threads)));
    }
    print!("{}{by_source}", table(&documents, &systems));
    eprint!("{}", list_of_problems(&problems));
    Ok(())
}

/// What we find, page by page, and where.
fn own(documents: &[GoldPage], threads: usize) -> Vec<(FoundMetadata, ValueSources)> {
    let reader = PageReader::default();
    each(documents.len(), threads, |at| {
        let document = &documents[at];
        let Ok(bytes) = document.read_html() else { return Default::default() };
        let found = guarded(|| {
            let parsed = reader.parse(&bytes, &CharsetHints { content_type: None, url: document.url.as_deref() });
            parsed.read(reader.options()).document
        });
        let found = found.unwrap_or_default();
        let metadata = FoundMetadata {
            title: found.title,
            author: found.author,
            date: found.published,
            language: found.language,
            site: found.site_name,
        };
        (metadata, found.sources)
    })
}

/// For each source of a field: on how many pages with gold it gave the value, the share of these on which the value is the one of
/// the package, what follows for the confidence, and the one that the product states.
fn by_source(documents: &[GoldPage], found: &[FoundMetadata], sources: &[ValueSources]) -> String {
    let mut tallies: BTreeMap<(MetadataField, ValueSource), (usize, usize, f64)> = BTreeMap::new();
    for ((document, found), sources) in documents.iter().zip(found).zip(sources) {
        let fields = [
            (MetadataField::Title, sources.title),
            (MetadataField::Author, sources.author),
            (MetadataField::Date, sources.published),
        ];
        for (field, provenance) in fields {
            let (Some(provenance), Some(right)) = (provenance, field.is_right(document, found)) else { continue };
            let tally = tallies.entry((field, provenance.source)).or_default();
            *tally = (tally.0 + 1, tally.1 + usize::from(right), provenance.confidence);
        }
    }
    let mut lines = vec![["by source", "pages with gold", "exact", "confidence", "stated"].map(str::to_owned).to_vec()];
    for ((field, source), (n, right, confidence)) in tallies {
        let name = format!("{}: {}", field.name(), source.name());
        let measured = (right + 1) as f64 / (n + 2) as f64;
        lines.push(vec![name, n.to_string(), share(right, n), format!("{measured:.2}"), format!("{confidence:.2}")]);
    }
    table::markdown(&lines)
}

/// What a command finds: one process a thread, each with its share of the pages.
fn answers(batch: &BatchCommand, documents: &[GoldPage], threads: usize) -> Vec<FoundMetadata> {
    let share = documents.len().div_ceil(threads.max(1)).max(1);
    let shares: Vec<&[GoldPage]> = documents.chunks(share).collect();
    let found = each(shares.len(), threads, |at| {
        let pages: Vec<&GoldPage> = shares[at].iter().collect();
        let mut found = vec![FoundMetadata::default(); pages.len()];
        batch.answer_all(&pages, &mut |n, answer| match answer {
            Ok(output) => found[n] = output.metadata,
            Err(error) => eprintln!("gristmill: {} on {}/{}: {error}", batch.name, pages[n].package, pages[n].id),
        });
        found
    });
    found.into_iter().flatten().collect()
}

fn table(documents: &[GoldPage], systems: &[(String, Vec<FoundMetadata>)]) -> String {
    let tallies: Vec<_> = systems.iter().map(|(_, found)| tally(documents.iter().zip(found))).collect();
    let mut head = vec!["exact match".to_owned(), "pages with gold".to_owned()];
    for (name, _) in systems {
        head.extend([name.clone(), format!("{name}: found"), format!("{name}: without gold")]);
    }
    let mut lines = vec![head];
    for key @ (package, field) in tallies[0].keys().filter(|key| tallies[0][*key].gold > 0) {
        let mut line = vec![format!("{package}: {}", field.name()), tallies[0][key].gold.to_string()];
        for tallies in &tallies {
            let tally = tallies.get(key).copied().unwrap_or_default();
            line.extend([rate(&tally), share(tally.found, tally.gold), tally.extra.to_string()]);
        }
        lines.push(line);
    }
    table::markdown(&lines)
}

fn rate(tally: &FieldScore) -> String {
    tally.rate().map_or_else(|| "–".to_owned(), |rate| format!("{rate:.3}"))
}

fn share(part: usize, whole: usize) -> String {
    if whole == 0 { "–".to_owned() } else { format!("{:.3}", part as f64 / whole as f64) }
}
