//! Answering a query: the best matches, which of them are shown, and what is told of each.

use std::time::{Duration, Instant};

use tantivy::DocAddress;

use crate::attributes::head;
use crate::collapse::{CollapsedHit, collapse};
use crate::compile::{CompiledQuery, compile};
use crate::document::{DocumentKind, ProductAttribute, RenderInfo};
use crate::error::IndexError;
use crate::facets::Facets;
use crate::folding::fold;
use crate::highlight::{Pattern, Snippet};
use crate::history::History;
use crate::query::{MAX_LIMIT, MAX_OFFSET, SearchQuery};
use crate::reader::IndexReader;
use crate::shards::ShardsSnapshot;
use crate::spelling::meant;
use crate::top::{TopDocs, TopKRequest};

/// Width of a snippet in columns; an ideograph takes two.
const SNIPPET_COLUMNS: usize = 240;
/// Width of a title in columns.
const TITLE_COLUMNS: usize = 200;
/// Near-duplicates are sought among this many of the best hits.
const COLLAPSE_WINDOW: usize = 2000;

/// Lines above the one that repeats the title, such as the name of a rubric.
const MAX_LINES_ABOVE: usize = 3;
/// Longest beginning of a text, that line included, that a snippet leaves out.
const MAX_HEADING_BYTES: usize = 500;
/// Matches that are so few that another spelling may have been meant.
const FEW: u64 = 3;

/// One document that answers a query.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    /// URL key: the identity of the document.
    pub key: String,
    /// URL of the page.
    pub url: String,
    /// Title as extracted, not escaped.
    pub title: String,
    /// The title with ranges to mark, cut if it is endless.
    pub title_marked: Snippet,
    /// Registrable domain.
    pub site: String,
    /// Author or authors; empty if unknown.
    pub author: String,
    /// Publication time in seconds since 1970-01-01 UTC.
    pub published: Option<i64>,
    /// Language code; empty if unknown.
    pub language: String,
    /// What the page is about as a whole.
    pub kind: DocumentKind,
    /// What is known of a product; empty for other kinds.
    pub attributes: Vec<ProductAttribute>,
    /// How a browser drew the page, where the document is what it drew.
    pub rendered: Option<RenderInfo>,
    /// BM25 over title and text; comparable within one answer only.
    pub score: f32,
    /// The best piece of the text, not escaped, with ranges to mark.
    pub snippet: Snippet,
    /// The same as HTML: escaped, matches in `<mark>`.
    pub snippet_html: String,
    /// When the page was fetched, in seconds since 1970-01-01 UTC.
    pub fetched_at: i64,
    /// Near-duplicates among the hits that this one stands for; 0 unless collapsed.
    pub duplicates: u64,
    /// What changed on the page since it was first seen.
    pub history: History,
}

impl Hit {
    /// When the page last changed for a reader, or else was first seen, in seconds since 1970-01-01 UTC.
    pub fn updated(&self) -> i64 {
        self.history.updated(self.fetched_at)
    }
}

/// The answer to a query.
#[derive(Debug, Clone, Default)]
pub struct SearchResults {
    /// Documents that match, near-duplicates counted each.
    pub total: u64,
    /// There are more than `total`: see [`SearchQuery::count_up_to`]. Larger totals are told where they cost nothing.
    pub at_least: bool,
    /// The hits asked for, best first.
    pub hits: Vec<Hit>,
    /// Whether there are hits behind these.
    pub more: bool,
    /// Counts over all matches.
    pub facets: Facets,
    /// The counts are estimates, from some thousands of matches spread evenly over the index.
    pub facets_sampled: bool,
    /// What was odd about the query, in words for its author.
    pub warnings: Vec<String>,
    /// The query with other words for those that look like slips, where few documents match.
    pub suggestion: Option<String>,
    /// The time limit ended the search: `total`, `facets` and `hits` cover a part of the index.
    pub partial: bool,
    /// Time taken.
    pub elapsed: Duration,
}

impl IndexReader {
    /// Answers a query by a pass over its matches.
    pub(crate) fn answer(
        &self,
        query: &SearchQuery,
        pass: fn(&TopKRequest) -> tantivy::Result<TopDocs>,
    ) -> Result<SearchResults, IndexError> {
        let started = Instant::now();
        let deadline = query.time_limit.map(|limit| started + limit);
        let (limit, offset) = (query.limit.min(MAX_LIMIT), query.offset.min(MAX_OFFSET));
        let snapshot = self.snapshot();
        let CompiledQuery { tree, loosened, patterns, doubtful, mut warnings } =
            compile(query, &self.fields, &snapshot)?;
        // One more than asked for tells whether there are more.
        let want = if query.collapse { COLLAPSE_WINDOW.max(offset + limit + 1) } else { offset + limit + 1 };
        let search = |tree| TopKRequest {
            snapshot: &snapshot,
            fields: &self.fields,
            tree,
            sort: query.sort,
            want,
            count_up_to: query.count_up_to,
            deadline,
        };
        let mut found = pass(&search(&tree))?;
        let mut suggestion = None;
        if found.total <= FEW && !found.is_partial {
            let fields = [self.fields.title, self.fields.text];
            suggestion = meant(&query.text, &doubtful, &fields, &snapshot)?;
        }
        if let Some(loosened) = loosened.filter(|_| found.total == 0 && !found.is_partial) {
            found = pass(&search(&loosened))?;
            if found.total > 0 {
                warnings.push("no document has all the words; these have some of them".to_owned());
            }
        }
        let top = found.top;
        let shown = if query.collapse { collapsed(&snapshot, &top)? } else { each(top.len()) };
        let more = shown.len() > offset + limit;
        let page = shown.into_iter().skip(offset).take(limit);
        let hits = page.map(|shown| {
            let (score, address) = top[shown.rank];
            self.hit(&snapshot, score, address, shown.duplicates, &patterns)
        });
        Ok(SearchResults {
            hits: hits.collect::<Result<_, _>>()?,
            total: found.total,
            at_least: !found.is_exact,
            more,
            facets: found.facets,
            facets_sampled: found.is_sampled,
            warnings,
            suggestion,
            partial: found.is_partial,
            elapsed: started.elapsed(),
        })
    }

    fn hit(
        &self,
        snapshot: &ShardsSnapshot,
        score: f32,
        address: DocAddress,
        duplicates: u64,
        patterns: &[Pattern],
    ) -> Result<Hit, IndexError> {
        let document = self.document(snapshot, address)?;
        let text = behind_title(&document.text, &document.title);
        let text = if text.trim().is_empty() { &document.description } else { text };
        let language = &document.language;
        let snippet = Snippet::best(text, language, patterns, SNIPPET_COLUMNS);
        Ok(Hit {
            title_marked: Snippet::whole(&document.title, language, patterns, TITLE_COLUMNS),
            snippet_html: snippet.to_html(),
            snippet,
            score,
            duplicates,
            key: document.key,
            url: document.url,
            title: document.title,
            site: document.site,
            author: document.author,
            published: document.published,
            language: document.language,
            kind: document.kind,
            attributes: document.attributes,
            rendered: document.rendered,
            fetched_at: document.fetched_at,
            history: document.history,
        })
    }
}

/// The text behind a line near its beginning that repeats the title; all of it where there is none.
fn behind_title<'t>(text: &'t str, title: &str) -> &'t str {
    let letters = |line: &str| -> String { fold(line).chars().filter(|c| c.is_alphanumeric()).collect() };
    let title = head(title, MAX_HEADING_BYTES);
    // Titles often end with the name of the site.
    let parts = title.split(['|', '–', '—', '·', '»']).flat_map(|part| part.split(" - "));
    let parts: Vec<String> = parts.map(letters).collect();
    let title = letters(title);
    let (mut end, mut behind) = (0, 0);
    for line in text.split_inclusive('\n').take(MAX_LINES_ABOVE + 1) {
        end += line.len();
        if end > MAX_HEADING_BYTES {
            break;
        }
        let heading = letters(line);
        let begins = title.starts_with(&heading) && 2 * heading.len() >= title.len();
        if !heading.is_empty() && (begins || parts.contains(&heading)) {
            behind = end;
        }
    }
    &text[behind..]
}

fn collapsed(snapshot: &ShardsSnapshot, top: &[(f32, DocAddress)]) -> Result<Vec<CollapsedHit>, IndexError> {
    let segments = (0..snapshot.n_segments()).map(|ord| snapshot.segment(ord));
    let columns = segments.map(|segment| segment.fast_fields().u64("duplicate_hash"));
    let columns = columns.collect::<tantivy::Result<Vec<_>>>()?;
    let fingerprint = |&(_, at): &(f32, DocAddress)| columns[at.segment_ord as usize].first(at.doc_id).unwrap_or(0);
    Ok(collapse(&top.iter().map(fingerprint).collect::<Vec<_>>()))
}

/// Every hit shown, standing for itself.
fn each(n_hits: usize) -> Vec<CollapsedHit> {
    (0..n_hits).map(|rank| CollapsedHit { rank, duplicates: 0 }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_repeats_the_title_is_left_out() {
        let cases = [
            ("Café opens\nThe doors are open.", "Cafe opens", "The doors are open."),
            ("News\nCafé opens!\nThe doors.", "Café opens | The Mill Post", "The doors."),
            ("The doors.\nMore.", "Café opens", "The doors.\nMore."),
            ("Mill\nThe doors.", "Mill stones of the valley", "Mill\nThe doors."),
            ("One line alone", "One line alone", ""),
            ("", "", ""),
            ("!\nText", "?", "!\nText"),
        ];
        for (text, title, rest) in cases {
            assert_eq!(behind_title(text, title), rest, "{text}");
        }
        let far = format!("{}\nTitle here\nText", "x".repeat(600));
        assert_eq!(behind_title(&far, "Title here"), far);
    }
}
