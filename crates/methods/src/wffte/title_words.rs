//! The two words of the title and the subtitles that a page repeats most.

use std::collections::HashMap;

use gristmill_html::LocalName;
use gristmill_page::{MethodInput, Page, Trace, TraceValue, text_of};
use gristmill_text::{BigramSegmenter, for_each_word, hash};

use crate::stop_words::is_stop_word;

/// Words of title and subtitles that are looked for; a page with more is a list of headings.
const MAX_WORDS: usize = 1_000;

/// Counts words of the title while containers are gathered.
pub(super) struct TitleWordCounts {
    words: Vec<String>,
    by_hash: HashMap<u64, u32>,
    totals: Vec<u32>,
    /// (container, word)
    seen: Vec<(u32, u32)>,
    longest: usize,
    lower: String,
}

impl TitleWordCounts {
    /// The words of the declared title (else the title that was found) and of `h1` to `h3`, stop words left out.
    pub(super) fn new(page: &Page<'_>, query: &MethodInput<'_>) -> TitleWordCounts {
        let mut words = TitleWordCounts {
            words: Vec::new(),
            by_hash: HashMap::new(),
            totals: Vec::new(),
            seen: Vec::new(),
            longest: 0,
            lower: String::new(),
        };
        let doc = page.doc;
        words.add(&doc.title().or_else(|| query.title.map(str::to_owned)).unwrap_or_default());
        let mut headings =
            doc.ids().filter(|&id| matches!(doc.name(id), LocalName::H1 | LocalName::H2 | LocalName::H3));
        while words.words.len() < MAX_WORDS
            && let Some(heading) = headings.next()
        {
            words.add(&text_of(doc, heading));
        }
        words.totals = vec![0; words.words.len()];
        words
    }

    fn add(&mut self, text: &str) {
        for_each_word(text, &BigramSegmenter, |word| {
            let word = word.to_lowercase();
            if self.words.len() < MAX_WORDS && !is_stop_word(&word) {
                self.longest = self.longest.max(word.len());
                let next = self.words.len() as u32;
                if *self.by_hash.entry(hash(word.as_bytes())).or_insert(next) == next {
                    self.words.push(word);
                }
            }
        });
    }

    /// Counts a word of a container's own text.
    pub(super) fn see(&mut self, container: u32, word: &str) {
        // Lower case may be shorter or longer than the word, but never by so much.
        if word.len() > 3 * self.longest {
            return;
        }
        self.lower.clear();
        if word.is_ascii() {
            self.lower.push_str(word);
            self.lower.make_ascii_lowercase();
        } else {
            self.lower.extend(word.chars().flat_map(char::to_lowercase));
        }
        if let Some(&known) = self.by_hash.get(&hash(self.lower.as_bytes())) {
            self.totals[known as usize] += 1;
            self.seen.push((container, known));
        }
    }

    /// FirstWord and SecondWord in each of `n` containers: those with the highest total, earlier in the title first.
    pub(super) fn counts(&self, n: usize, trace: &mut Trace) -> Vec<(u32, u32)> {
        let most = |but: Option<usize>| {
            let known = (0..self.totals.len()).filter(|&at| Some(at) != but && self.totals[at] > 0);
            known.max_by_key(|&at| (self.totals[at], std::cmp::Reverse(at)))
        };
        let first = most(None);
        let second = first.and_then(|first| most(Some(first)));
        for (name, word) in [("first_word", first), ("second_word", second)] {
            trace.note(name, || TraceValue::Text(word.map_or(String::new(), |at| self.words[at].clone())));
        }
        let mut counts = vec![(0, 0); n];
        for &(container, word) in &self.seen {
            let (firsts, seconds) = &mut counts[container as usize];
            *firsts += u32::from(first == Some(word as usize));
            *seconds += u32::from(second == Some(word as usize));
        }
        counts
    }
}
