//! Words of classes and ids that say what an element is: data, not code.

/// A post or comment, or what holds them.
pub(super) const COMMENT: &[&str] = &[
    "comment",
    "comments",
    "commentlist",
    "commenters",
    "reply",
    "replies",
    "respond",
    "response",
    "responses",
    "disqus",
    "discussion",
    "kommentar",
    "kommentare",
    "commentaire",
    "commentaires",
    "comentario",
    "comentarios",
    "commento",
    "commenti",
    "reactie",
    "reacties",
    "komentar",
    "komentarz",
    "yorum",
    "yorumlar",
    "pinglun",
    "huifu",
    "liuyan",
    "gentie",
];
/// A post of a thread.
pub(super) const POST: &[&str] = &[
    "post",
    "posts",
    "postcontainer",
    "message",
    "answer",
    "question",
    "reply",
    "comment",
    "topic",
    "thread",
    "beitrag",
    "mensaje",
    "lou",
    "floor",
    "postbit",
    "tie",
];
/// Who wrote it.
pub(super) const AUTHOR: &[&str] = &[
    "author", "username", "user", "byline", "poster", "nickname", "nick", "fn", "creator", "name", "usercard",
    "zuozhe", "autor", "auteur", "member", "handle",
];
/// When.
pub(super) const DATE: &[&str] = &[
    "date",
    "time",
    "datetime",
    "timestamp",
    "postdate",
    "posttime",
    "created",
    "ago",
    "permalink",
    "meta",
    "metadata",
    "shijian",
    "fecha",
    "datum",
];
/// What it says.
pub(super) const BODY: &[&str] = &[
    "body",
    "content",
    "text",
    "message",
    "postbody",
    "postcontent",
    "cooked",
    "entry",
    "prose",
    "msg",
    "bbwrapper",
    "commenttext",
    "neirong",
];

/// Whether a class or id has one of `words` between its boundaries: signs that are no letters, and capitals.
pub(crate) fn has(value: &str, words: &[&str]) -> bool {
    parts(value).any(|part| words.iter().any(|word| part.eq_ignore_ascii_case(word)))
}

/// Words of a class or id; `postBody` is two.
fn parts(value: &str) -> impl Iterator<Item = &str> {
    const MAX_BYTES: usize = 200;
    let value = &value[..value.floor_char_boundary(MAX_BYTES)];
    value.split(|c: char| !c.is_ascii_alphabetic()).flat_map(|run| {
        let mut from = 0;
        let bytes = run.as_bytes();
        let mut cuts: Vec<&str> = Vec::new();
        for at in 1..bytes.len() {
            if bytes[at].is_ascii_uppercase() && bytes[at - 1].is_ascii_lowercase() {
                cuts.push(&run[from..at]);
                from = at;
            }
        }
        cuts.push(&run[from..]);
        cuts.into_iter().filter(|part| !part.is_empty())
    })
}
