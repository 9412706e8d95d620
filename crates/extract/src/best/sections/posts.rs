//! Short posts of a thread, which are built as the long ones that are kept.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use gristmill_html::{LocalName, NodeId};
use gristmill_page::attribute_words::is_named;
use gristmill_page::{PageType, Row};
use gristmill_text::{hash, lower_letters};

use super::section::{Sections, sum};

/// What a row needs to be a post, beside its like.
const LEAST: f32 = 0.2;
/// Kept rows of one signature that say that it is that of posts, and their share.
const LEAST_KEPT: usize = 3;
const MOSTLY: f32 = 0.7;

/// Letters that tell what a row says.
const BEGIN: usize = 24;

/// What stands before the subject of a reply.
const REPLY: &[&str] = &["re", "aw", "antw", "sv", "vs", "odp", "rép", "res", "ynt", "ответ", "回复", "回覆", "答复"];

/// Words of classes of what stands in a post and is not what its writer says now: data, not code.
const BESIDE: &[&str] = &[
    "quote",
    "quoted",
    "signature",
    "sig",
    "author",
    "user",
    "username",
    "header",
    "footer",
    "date",
    "time",
    "title",
    "avatar",
    "actions",
    "button",
    "buttons",
];

/// All elements of one class, without those within others, and their words.
#[derive(Default)]
struct ClassMembers {
    members: Vec<NodeId>,
    end: usize,
    words: f32,
    kept: f32,
    /// What is kept, and what says that again.
    said: f32,
}

impl Sections<'_> {
    /// Rows of a thread without links that have the signature of rows most of which are kept: `Thanks, that was it.` O(rows).
    pub(super) fn posts(&self) -> Vec<Range<usize>> {
        if self.facts.types.best().0 != PageType::Forum {
            return Vec::new();
        }
        let signatures = &self.facts.signatures;
        // How many rows there are of each signature, and how many of them are kept.
        let mut counts = vec![(0usize, 0usize); signatures.iter().max().map_or(0, |max| *max as usize + 1)];
        let rows = || self.page.rows.iter().zip(signatures).enumerate();
        for (at, (_, &signature)) in rows().filter(|(_, (row, _))| 4 * row.link_chars <= row.chars) {
            let count = &mut counts[signature as usize];
            *count = (count.0 + 1, count.1 + usize::from(self.decision.keep[at]));
        }
        let of_posts = |signature: u32| {
            let (all, kept) = counts[signature as usize];
            kept >= LEAST_KEPT && kept as f32 >= MOSTLY * all as f32
        };
        let fits = |(at, (row, signature)): &(usize, (&Row, &u32))| {
            !self.decision.keep[*at]
                && row.link_chars == 0
                && self.decision.probabilities[*at] >= LEAST
                && of_posts(**signature)
                && self.page.row_text(row).contains(' ')
        };
        rows().filter(fits).map(|(at, _)| at..at + 1).collect()
    }

    /// The texts of short posts of which nothing is kept, where nearly all that is kept stands in elements of the same class, and most of these are
    /// kept. What is quoted stands in the thread already. O(nodes · classes).
    pub(super) fn lost_posts(&self) -> Vec<Range<usize>> {
        const LEAST_OF_POST: f32 = 0.1;
        const MAX_CLASSES: usize = 6;
        const MAX_WORDS: f32 = 60.0;
        const SHARE: f32 = 0.6;
        const PURITY: f32 = 0.6;
        let doc = self.page.doc;
        if self.facts.types.best().0 != PageType::Forum {
            return Vec::new();
        }
        let said = self.kept_or_said();
        let mut classes: HashMap<u64, ClassMembers> = HashMap::new();
        for id in doc.ids().filter(|&id| doc.is_element(id)) {
            let Some(class) = doc.attr(id, LocalName::CLASS) else { continue };
            let rows = self.facts.context.rows(self.page, id);
            let names = class.split_ascii_whitespace().take(MAX_CLASSES).filter(|_| !rows.is_empty());
            names.for_each(|name| {
                let of = classes.entry(hash(name.as_bytes())).or_default();
                if id.index() >= of.end {
                    of.end = doc.end(id);
                    of.words += sum(&self.words, &rows);
                    of.kept += sum(&self.kept, &rows);
                    of.said += sum(&said, &rows);
                    of.members.push(id);
                }
            });
        }
        let text = |row: &usize| self.page.row_rank(&self.page.rows[*row]) == 0;
        let all: f32 = (0..self.page.rows.len()).filter(text).map(|row| sum(&self.kept, &(row..row + 1))).sum();
        let fits = |of: &&ClassMembers| of.members.len() > 1 && of.kept >= SHARE * all && of.said >= PURITY * of.words;
        let purity = |of: &ClassMembers| of.said / of.words;
        let of_posts = classes.values().filter(fits).max_by(|a, b| {
            let purer = purity(a).total_cmp(&purity(b)).then(a.words.total_cmp(&b.words));
            purer.then(b.members[0].cmp(&a.members[0]))
        });
        let members = of_posts.map_or(&[][..], |of| &of.members);
        // Previews of replies say the same in fewer words or with other signs.
        let begins: HashSet<String> = (0..self.page.rows.len())
            .filter(|&row| self.decision.keep[row])
            .filter_map(|row| begin(self.page.row_text(&self.page.rows[row])))
            .collect();
        let is_new = |row: usize| {
            let begin = begin(self.page.row_text(&self.page.rows[row]));
            sum(&said, &(row..row + 1)) <= 0.0 && begin.is_none_or(|begin| !begins.contains(&begin))
        };
        let lost = members.iter().map(|&id| (id, self.facts.context.rows(self.page, id))).filter(|(_, rows)| {
            let words = sum(&self.words, rows);
            sum(&self.kept, rows) <= 0.0 && words <= MAX_WORDS && sum(&self.main, rows) >= LEAST_OF_POST * words
        });
        let own = lost.flat_map(|(id, rows)| rows.filter(move |&row| self.is_said_in(id, row)));
        own.filter(|&row| is_new(row)).map(|row| row..row + 1).collect()
    }

    /// The rows of a thread that say its subject again above each reply: `Re: Why tallow squeaks`. O(rows).
    pub(super) fn subjects_of_replies(&self) -> Vec<usize> {
        const MAX_CHARS: u32 = 200;
        if self.facts.types.best().0 != PageType::Forum {
            return Vec::new();
        }
        let mut said: HashSet<String> = HashSet::new();
        let rows = self.page.rows.iter().enumerate().filter(|(_, row)| row.chars <= MAX_CHARS);
        let mut is_again = |row: &Row| {
            let text = self.page.row_text(row);
            let reply = reply_to(text);
            let letters = first_letters(reply.unwrap_or(text));
            !letters.is_empty() && !said.insert(letters) && reply.is_some()
        };
        rows.filter(|(_, row)| is_again(row)).map(|(at, _)| at).collect()
    }

    /// Lists without links in a post right below a kept row that leads on to them: `This is how I do it:`. O(nodes).
    pub(super) fn announced_lists(&self) -> Vec<Range<usize>> {
        const MAX_ROWS: usize = 40;
        let doc = self.page.doc;
        if self.facts.types.best().0 != PageType::Forum {
            return Vec::new();
        }
        let lists = doc.ids().filter(|&id| matches!(doc.name(id), LocalName::UL | LocalName::OL));
        let rows = lists.map(|id| self.facts.context.rows(self.page, id));
        let leads_on = |row: usize| self.page.row_text(&self.page.rows[row]).ends_with([':', '：']);
        let is_announced = |rows: &Range<usize>| {
            let before = rows.start.checked_sub(1).filter(|&row| self.decision.keep[row] && leads_on(row));
            let own = &self.page.rows[rows.clone()];
            before.is_some()
                && (1..=MAX_ROWS).contains(&own.len())
                && own.iter().all(|row| row.link_chars == 0 && !self.is_control(row))
        };
        rows.filter(is_announced).collect()
    }

    /// Sums over the rows before each of the words that are kept, and of those that say again what is.
    fn kept_or_said(&self) -> Vec<f32> {
        let copies = &self.facts.copies;
        let kept = copies.iter().zip(&self.decision.keep).filter(|(_, keep)| **keep);
        let said: HashSet<u32> = kept.map(|(copy, _)| *copy).collect();
        let mut sums = vec![0.0; copies.len() + 1];
        for (row, copy) in copies.iter().enumerate() {
            sums[row + 1] = sums[row] + if said.contains(copy) { sum(&self.words, &(row..row + 1)) } else { 0.0 };
        }
        sums
    }

    /// Whether a row of a post is what its writer says.
    fn is_said_in(&self, post: NodeId, at: usize) -> bool {
        let (doc, row) = (self.page.doc, &self.page.rows[at]);
        let first = self.page.leaves[row.first_leaf as usize].node;
        let is_beside = |id: NodeId| doc.name(id) == LocalName::BLOCKQUOTE || is_named(doc, id, BESIDE);
        !self.is_control(row) && !row.is_link() && !doc.ancestors(first).take_while(|&id| id != post).any(is_beside)
    }
}

/// What a text says behind the mark of a reply.
fn reply_to(text: &str) -> Option<&str> {
    let (mark, subject) = text.split_once([':', '：'])?;
    REPLY.contains(&mark.trim().to_lowercase().as_str()).then_some(subject)
}

fn first_letters(text: &str) -> String {
    lower_letters(text).take(BEGIN).collect()
}

/// The first letters of a text that has so many.
fn begin(text: &str) -> Option<String> {
    Some(first_letters(text)).filter(|letters| letters.chars().count() == BEGIN)
}
