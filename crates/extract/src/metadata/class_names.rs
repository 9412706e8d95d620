//! Words of classes and ids that name a byline, a date, or comments.

use gristmill_html::{Doc, LocalName, NodeId};

use super::shapes::WordPrefilter;

/// Words of classes and ids that name a byline.
#[rustfmt::skip]
pub(super) const BYLINES: [&str; 28] = [
    "byline", "author", "authors", "writer", "zuozhe", "autor", "auteur", "autore", "reporter", "journalist", "contributor",
    "authorname", "authornames", "postauthor", "articleauthor", "entryauthor", "bylinename", "autorin", "redakteur", "skribent",
    "yazar", "penulis", "submitted", "by", "szerzo", "kirjoittaja", "forfatter", "autorius",
];

/// Words of classes and ids that make of it a part of a form, a label, or what belongs to a comment.
const NO_BYLINE: [&str; 11] = [
    "prep",
    "comment",
    "comments",
    "commenter",
    "commentform",
    "form",
    "input",
    "label",
    "reply",
    "respond",
    "replies",
];

/// Whether a class or id names a byline, on token boundaries: `post-author` does, `authority` and `author-label` do not.
pub(super) fn is_byline_name(value: &str) -> bool {
    if value.len() > 200 {
        return false;
    }
    const SHAPES: WordPrefilter = WordPrefilter::of(&BYLINES);
    let written = || value.as_bytes().split(|byte| !byte.is_ascii_alphanumeric());
    // `authorDetails` is one, too; the line below the name of a thing that is sold may be `bylineInfo`.
    let tokens = || written().chain(written().filter_map(of_two_words));
    let is_one_of = |token: &[u8], words: &[&str]| words.iter().any(|word| token.eq_ignore_ascii_case(word.as_bytes()));
    // `sort-by` and `powered-by` are no bylines.
    let is_whole = || value.split_ascii_whitespace().any(|word| word.eq_ignore_ascii_case("by"));
    let is_byline = |token: &[u8]| is_one_of(token, &BYLINES) && (!token.eq_ignore_ascii_case(b"by") || is_whole());
    tokens().filter(|token| SHAPES.fits(token)).any(is_byline) && !tokens().any(|token| is_one_of(token, &NO_BYLINE))
}

/// The first part of a word in which another begins with a capital, where that says what of a byline it is: `authorDetails`.
fn of_two_words(word: &[u8]) -> Option<&[u8]> {
    const PARTS: [&[u8]; 6] = [b"Name", b"Names", b"Details", b"Info", b"Link", b"Line"];
    let mut parts = word.chunk_by(|a, b| !(a.is_ascii_lowercase() && b.is_ascii_uppercase()));
    let (first, second) = (parts.next()?, parts.next()?);
    (PARTS.contains(&second) && !first.eq_ignore_ascii_case(b"byline")).then_some(first)
}

/// Words of classes and ids that name a date.
#[rustfmt::skip]
pub(super) const DATES: [&str; 17] = [
    "date", "time", "dateline", "published", "pubdate", "pubtime", "publishtime", "timestamp", "datetime", "posted", "datum",
    "fecha", "riqi", "shijian", "tijd", "zeit", "dato",
];

/// Whether a class or id names a date, on token boundaries: `post-date` and `pubTime` do, `update-button` does not.
pub(super) fn is_date_name(value: &str) -> bool {
    if value.len() > 200 {
        return false;
    }
    const SHAPES: WordPrefilter = WordPrefilter::of(&DATES);
    let is_name =
        |word: &[u8]| SHAPES.fits(word) && DATES.iter().any(|name| word.eq_ignore_ascii_case(name.as_bytes()));
    let bytes = value.as_bytes();
    // A word ends before a capital; it begins after what is no letter or digit, and at a capital after a small letter.
    let mut start: Option<usize> = None;
    let mut before = b' ';
    for (at, &byte) in bytes.iter().enumerate() {
        let ends = !byte.is_ascii_alphanumeric() || byte.is_ascii_uppercase();
        if ends && start.take().is_some_and(|start| is_name(&bytes[start..at])) {
            return true;
        }
        let follows_small = before.is_ascii_lowercase() && byte.is_ascii_uppercase();
        if byte.is_ascii_alphanumeric() && (!before.is_ascii_alphanumeric() || follows_small) {
            start = Some(at);
        }
        before = byte;
    }
    start.is_some_and(|start| is_name(&bytes[start..]))
}

/// Beginnings of the classes and ids of elements that hold comments or the form for one, in several languages.
#[rustfmt::skip]
const COMMENTS: &[&str] = &[
    "comment", "respond", "reply", "replies", "disqus", "kommentar", "commentaire", "comentario", "commenti", "reactie",
    "reacties", "yorum", "pinglun", "kommentti", "komentarz", "komentar",
];
/// Beginnings of the classes and ids of elements that hold what customers and others are quoted with.
const QUOTED: &[&str] = &["testimonial", "customer-review", "customer-quote", "user-review", "reviews", "pullquote"];
/// Elements around a byline that are looked at.
const MAX_AROUND: usize = 12;

/// Whether an element stands in a form, in a label, or among comments and answers, by class or microdata. A page's own elements
/// (`body`, `main`, `article`) often say in a class that comments are open, and programs put whole pages in a form.
pub(super) fn is_comment(doc: &Doc, id: NodeId) -> bool {
    let own = [LocalName::BODY, LocalName::HTML, LocalName::MAIN, LocalName::ARTICLE];
    let mut around = std::iter::once(id).chain(doc.ancestors(id)).take(MAX_AROUND).filter(|&id| doc.is_element(id));
    around.any(|id| {
        let name = doc.name(id);
        matches!(name, LocalName::FORM | LocalName::LABEL | LocalName::FIELDSET) && !holds_most(doc, id)
            || doc.attr(id, LocalName::ITEMPROP).is_some_and(|property| is_reply(property) && !holds_most(doc, id))
            || !own.contains(&name)
                && [LocalName::CLASS, LocalName::ID].iter().any(|&at| holds_comments(doc.attr(id, at)))
    })
}

/// Whether an element holds most of the page: it is no part of it.
pub(super) fn holds_most(doc: &Doc, id: NodeId) -> bool {
    2 * (doc.end(id) - id.index()) > doc.len()
}

/// Whether a property of a question, a text or a thing is what others say of it.
fn is_reply(property: &str) -> bool {
    const REPLIES: [&str; 5] = ["comment", "acceptedAnswer", "suggestedAnswer", "review", "reviews"];
    REPLIES.iter().any(|reply| property.eq_ignore_ascii_case(reply))
}

fn holds_comments(value: Option<&str>) -> bool {
    has_word_like(value, COMMENTS)
}

/// Whether a name stands in a quotation, or in what customers say.
pub(super) fn is_quoted(doc: &Doc, id: NodeId) -> bool {
    let mut around = std::iter::once(id).chain(doc.ancestors(id)).take(MAX_AROUND).filter(|&id| doc.is_element(id));
    around.any(|id| {
        doc.name(id) == LocalName::BLOCKQUOTE
            || [LocalName::CLASS, LocalName::ID].iter().any(|&at| has_word_like(doc.attr(id, at), QUOTED))
    })
}

/// Whether a word of a class or id begins like one of these.
fn has_word_like(value: Option<&str>, beginnings: &[&str]) -> bool {
    let value = value.filter(|value| value.len() <= 200).unwrap_or("");
    value.split_ascii_whitespace().any(|word| {
        let word = word.trim_start_matches("post-").as_bytes();
        let begins =
            |name: &&str| word.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name.as_bytes()));
        beginnings.iter().any(begins)
    })
}
