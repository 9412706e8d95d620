//! Words of classes and ids that say what an element is: data, not code.

use std::sync::LazyLock;

use gristmill_page::attribute_words::words;
use gristmill_text::PhraseMatcher;

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
/// Of these the words that name other things as well.
const NOT_ONLY_COMMENTS: &[&str] = &["reply", "replies", "response", "responses", "discussion"];
/// What may stand beside them in the name of their box.
const BOX: &[&str] = &[
    "area",
    "list",
    "section",
    "wrapper",
    "wrap",
    "container",
    "block",
    "box",
    "thread",
    "content",
    "template",
    "inner",
    "outer",
    "module",
    "component",
    "view",
    "tree",
    "feed",
    "holder",
    "panel",
    "group",
    "main",
    "user",
    "users",
    "reader",
    "readers",
    "article",
    "post",
    "page",
    "entry",
    "single",
    "blog",
    "fb",
    "wp",
    "the",
    "all",
    "id",
    "js",
    "item",
    "body",
    "text",
    "reply",
    "form",
    "title",
    "heading",
    "header",
    "new",
    "old",
];

/// Whether a class or id, one of several that an element may have, names a box of comments: `article-comments`,
/// `commentList`, but not `comments-open` or `comment-link`.
pub(super) fn is_comment_box(name: &str) -> bool {
    let is = |part: &str, words: &[&str]| words.iter().any(|word| part.eq_ignore_ascii_case(word));
    let comments_only = |part: &str| is(part, COMMENT) && !is(part, NOT_ONLY_COMMENTS);
    words(name).any(comments_only) && words(name).all(|part| comments_only(part) || is(part, BOX))
}

/// Words of addresses of weblogs.
pub(super) const WEBLOG: &[&str] = &["blog", "blogs", "weblog", "blogspot", "wordpress"];
/// Words of classes and ids of what shows one entry after the other: data, not code.
pub(super) const CAROUSEL: &[&str] =
    &["carousel", "swiper", "slick", "slider", "playlist", "upnext", "flickity", "splide"];
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
    "blockpost",
    "email",
    "tpost",
    "postwrapper",
    "postrow",
    "forumpost",
    "pid",
    "pcontent",
];
/// Words of `id` and class that name the text of a post within a post.
pub(super) const POST_BODY: &[&str] = &["post", "postarea", "inner", "md", "trix", "html", "usertext"];
/// Words of what stands within a post beside its text, even if it is called a body or message, too.
pub(super) const BESIDE: &[&str] = &[
    "user",
    "author",
    "attribution",
    "header",
    "head",
    "footer",
    "foot",
    "signature",
    "sig",
    "meta",
    "actions",
    "action",
    "controls",
    "buttons",
    "title",
    "name",
    "avatar",
    "details",
    "extras",
    "number",
    "count",
    "num",
    "date",
    "time",
    "info",
    "menu",
    "nav",
    "badge",
    "profile",
    "votes",
    "vote",
    "share",
    "reactions",
    "subject",
    "link",
    "links",
    "placeholder",
    "form",
    "editor",
    "mention",
    "mentioned",
    "replies",
    "comments",
];
/// Words of what is below each post of somebody.
pub(super) const SIGNATURE: &[&str] = &["signature", "sig"];
/// Posts that differ in name on one page.
pub(super) const ASKED: &[&str] = &["question", "answer"];
/// Class words of the day since when somebody is a member.
pub(super) const JOINED: &[&str] = &["joined", "joindate", "registered", "regdate", "membersince"];
/// What stands before that day.
const JOINED_LEADS: &[&str] = &[
    "join",
    "registered",
    "member since",
    "registriert",
    "dabei seit",
    "beigetreten",
    "inscrit",
    "inscription",
    "membre depuis",
    "registrado",
    "iscritto",
    "geregistreerd",
    "зарегистрирован",
    "регистрация",
    "注册",
    "登録",
    "last seen",
    "last visit",
    "last active",
];
/// Addresses of people, as the programs behind forums make them.
const PERSON_PATHS: &[&str] = &[
    "/user/",
    "/users/",
    "/u/",
    "/member",
    "/profile",
    "member.php?u=",
    "memberlist.php?mode=viewprofile",
    "uid=",
    "/people/",
    "/author/",
    "action=profile;u=",
    "profile.php?id=",
    "member.php?action=profile",
    "/@",
];
/// Who wrote it.
pub(super) const AUTHOR: &[&str] = &[
    "author",
    "username",
    "user",
    "byline",
    "poster",
    "nickname",
    "nick",
    "fn",
    "creator",
    "name",
    "usercard",
    "zuozhe",
    "autor",
    "auteur",
    "member",
    "handle",
    "bigusername",
    "posterid",
    "authi",
    "postauthor",
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
    "timeago",
    "permalink",
    "meta",
    "metadata",
    "shijian",
    "fecha",
    "datum",
    "authorposton",
    "posted",
    "age",
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
    "postmessage",
    "postmsg",
    "posttext",
    "neirong",
];

/// Properties that state when.
pub(super) const DATE_PROPS: &[&str] = &["datePublished", "dateCreated", "commentTime"];
/// Class words of a name alone.
pub(super) const USERNAME: &[&str] = &["username", "bigusername", "nickname", "nick"];
/// Words of buttons beside a name.
const NO_NAMES: &[&str] = &[
    "post",
    "reply",
    "quote",
    "flag",
    "report",
    "share",
    "logged",
    "ignore",
    "profile",
    "homepage",
    "website",
    "journal",
    "permalink",
    "edit",
    "link",
    "antworten",
    "zitieren",
    "répondre",
    "回复",
    "举报",
    "引用",
];

/// Whether what stands for a name is a button.
pub(super) fn is_no_name(name: &str) -> bool {
    let lower = name.to_lowercase();
    let state = ["offline", "online"].iter().any(|state| lower.ends_with(state));
    state || NO_NAMES.contains(&lower.as_str()) || is_joined(name)
}

/// Whether a short text is about since when somebody is a member, or was last seen.
pub(crate) fn is_joined(text: &str) -> bool {
    static LEADS: LazyLock<PhraseMatcher> = LazyLock::new(|| PhraseMatcher::in_any_case(JOINED_LEADS));
    if text.is_ascii() { LEADS.is_in(text) } else { LEADS.is_in(&text.to_lowercase()) }
}

/// Whether an address is that of somebody.
pub(super) fn is_profile(href: &str) -> bool {
    static PATHS: LazyLock<PhraseMatcher> = LazyLock::new(|| PhraseMatcher::new(PERSON_PATHS));
    href.len() <= 300 && PATHS.is_in(href)
}

/// Whether an `itemtype` is one of comments and posts.
pub(super) fn is_comment_item(kind: &str) -> bool {
    ["/Comment", "/UserComments", "/Answer", "/Question", "/DiscussionForumPosting"]
        .iter()
        .any(|end| kind.ends_with(end))
}
