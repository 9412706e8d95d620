//! Words of the index that begin or are spelt like one of a query, and queries that were meant instead.

use std::cmp::Reverse;
use std::collections::HashMap;

use tantivy::Term;
use tantivy::query::FuzzyTermQuery;
use tantivy::schema::Field;

use crate::analyser::{AnalysisMode, analyse};
use crate::shards::ShardsSnapshot;

/// Most words that a beginning or a spelling stands for: the commonest.
pub(crate) const MAX_WORDS: usize = 64;
/// Words of a segment that are looked at for one beginning.
const MAX_LOOKED_AT: usize = 100_000;
/// Shorter words are never taken for slips: too many others are near.
const MIN_LETTERS: usize = 4;
/// From so many letters on, two of them may be wrong.
const LETTERS_OF_TWO: usize = 8;
/// How much commoner a word must be to be meant instead of one that is there.
const COMMONER: u64 = 20;

/// Words with the number of documents that have them, summed over fields and segments.
type Frequencies = HashMap<String, u64>;

/// The words of these fields that begin with `prefix`, the commonest first, and whether there are more than are told.
pub(crate) fn beginning_with(
    prefix: &str,
    fields: &[Field],
    snapshot: &ShardsSnapshot,
) -> tantivy::Result<(Vec<String>, bool)> {
    let mut found = Frequencies::new();
    let mut cut = false;
    for ord in 0..snapshot.n_segments() {
        for field in fields {
            let index = snapshot.segment(ord).inverted_index(*field)?;
            let mut words = index.terms().range().ge(prefix.as_bytes()).into_stream()?;
            let mut looked_at = 0;
            while words.advance() && words.key().starts_with(prefix.as_bytes()) {
                add(&mut found, words.key(), words.value().doc_freq);
                looked_at += 1;
                if looked_at == MAX_LOOKED_AT {
                    cut = true;
                    break;
                }
            }
        }
    }
    let cut = cut || found.len() > MAX_WORDS;
    Ok((commonest(found), cut))
}

/// The words of these fields that become `word` by changing, adding, leaving out or swapping at most `edits` letters, the commonest
/// first.
pub(crate) fn spelt_like(
    word: &str,
    edits: u8,
    fields: &[Field],
    snapshot: &ShardsSnapshot,
) -> tantivy::Result<Vec<String>> {
    Ok(commonest(near(word, edits, fields, snapshot)?))
}

fn near(word: &str, edits: u8, fields: &[Field], snapshot: &ShardsSnapshot) -> tantivy::Result<Frequencies> {
    let mut found = Frequencies::new();
    for field in fields {
        let query = FuzzyTermQuery::new(Term::from_field_text(*field, word), edits, true);
        for ord in 0..snapshot.n_segments() {
            let index = snapshot.segment(ord).inverted_index(*field)?;
            let mut words = index.terms().search(query.automaton()?).into_stream()?;
            while words.advance() {
                add(&mut found, words.key(), words.value().doc_freq);
            }
        }
    }
    Ok(found)
}

fn add(found: &mut Frequencies, word: &[u8], n_docs: u32) {
    if let Ok(word) = std::str::from_utf8(word).map(str::to_owned)
        && word.starts_with(char::is_alphanumeric)
    {
        *found.entry(word).or_default() += u64::from(n_docs);
    }
}

fn commonest(found: Frequencies) -> Vec<String> {
    let mut words: Vec<(String, u64)> = found.into_iter().collect();
    words.sort_unstable_by(|(a, of_a), (b, of_b)| of_b.cmp(of_a).then_with(|| a.cmp(b)));
    words.into_iter().take(MAX_WORDS).map(|(word, _)| word).collect()
}

/// Whether a word is long enough, and made of letters, to be taken for a slip.
pub(crate) fn may_be_slip(word: &str) -> bool {
    let all = word.chars().all(char::is_alphabetic);
    all && word.chars().count() >= MIN_LETTERS
}

/// The query with common words in place of rare ones that are spelt like them; `None` if no word is like that.
///
/// `doubtful` are words of the query with the number of documents that have them.
pub(crate) fn meant(
    query: &str,
    doubtful: &[(String, u64)],
    fields: &[Field],
    snapshot: &ShardsSnapshot,
) -> tantivy::Result<Option<String>> {
    let mut better: HashMap<&str, String> = HashMap::new();
    for (word, known) in doubtful {
        if let Some(other) = commoner(word, *known, fields, snapshot)? {
            better.insert(word, other);
        }
    }
    let mut out = String::with_capacity(query.len());
    let mut done = 0;
    for piece in analyse(query, AnalysisMode::Base) {
        let Some(other) = better.get(piece.term.as_str()) else { continue };
        out.push_str(&query[done..piece.from]);
        out.push_str(other);
        done = piece.to;
    }
    out.push_str(&query[done..]);
    Ok((done > 0).then_some(out))
}

/// The commonest word that is spelt like one that `known` documents have.
fn commoner(word: &str, known: u64, fields: &[Field], snapshot: &ShardsSnapshot) -> tantivy::Result<Option<String>> {
    let most_edits = if word.chars().count() < LETTERS_OF_TWO { 1 } else { 2 };
    for edits in 1..=most_edits {
        let mut found = near(word, edits, fields, snapshot)?;
        found.retain(|other, n_docs| other != word && may_be_slip(other) && *n_docs > known * COMMONER);
        let first = word.chars().next();
        let best = found.into_iter().min_by_key(|(other, n_docs)| {
            // The first letter is seldom the wrong one.
            (Reverse(*n_docs / if other.chars().next() == first { 1 } else { 4 }), other.clone())
        });
        if best.is_some() {
            return Ok(best.map(|(other, _)| other));
        }
    }
    Ok(None)
}
