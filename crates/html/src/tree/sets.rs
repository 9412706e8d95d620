//! Sets of elements that the rules of tree construction name, as bits by name.

use crate::name::Name;

/// HTML §13.2.4.2, "special".
pub(crate) const SPECIAL: u32 = 1;
/// Ends the search of every scope but that of tables.
pub(crate) const SCOPE: u32 = 1 << 1;
/// Is closed without its end tag.
pub(crate) const IMPLIED_END: u32 = 1 << 2;
/// Is closed without its end tag at the end of a template.
pub(crate) const THOROUGHLY_IMPLIED_END: u32 = 1 << 3;
/// Goes into the list of active formatting elements.
pub(crate) const FORMATTING: u32 = 1 << 4;
pub(crate) const HEADING: u32 = 1 << 5;
/// Closes a paragraph and is inserted.
pub(crate) const BLOCK: u32 = 1 << 6;
/// Belongs to the structure of tables: text below it is put before the table.
pub(crate) const TABLE_PART: u32 = 1 << 7;
/// Start tags that no element in SVG or MathML may have.
pub(crate) const BREAKOUT: u32 = 1 << 8;
/// What the rules of the head take in the body too.
pub(crate) const HEAD_CONTENT: u32 = 1 << 9;
/// Ends the search of the scope of tables.
pub(crate) const TABLE_SCOPE: u32 = 1 << 10;
/// Start tags that the body ignores.
pub(crate) const IGNORED_IN_BODY: u32 = 1 << 11;
/// End tags of blocks, and of what else they close up to.
pub(crate) const CLOSED_IN_SCOPE: u32 = 1 << 12;
/// Never stays open, or must reach the tree builder since it switches the tokenizer.
pub(crate) const OPENS_NOTHING: u32 = 1 << 13;

/// What only a table is made of.
pub(crate) const IN_TABLE: u32 = 1 << 14;
/// Has an end tag that means something else than its end, or more, in the body or in a cell.
pub(crate) const ENDS_OTHERWISE: u32 = 1 << 15;
pub(crate) const FRAMES: u32 = 1 << 16;

/// The sets that an element of HTML is in.
pub(crate) fn sets(name: Name) -> u32 {
    SETS.get(name.index()).copied().unwrap_or(0)
}

pub(crate) fn is(name: Name, set: u32) -> bool {
    sets(name) & set != 0
}

static SETS: [u32; Name::NAMED_LEN] = table();

const fn table() -> [u32; Name::NAMED_LEN] {
    let mut table = [0; Name::NAMED_LEN];
    let mut at = 0;
    while at < MEMBERS.len() {
        let (set, names) = MEMBERS[at];
        let mut n = 0;
        while n < names.len() {
            table[names[n].index()] |= set;
            n += 1;
        }
        at += 1;
    }
    table
}

const MEMBERS: &[(u32, &[Name])] = &[
    (SPECIAL | SCOPE, &[Name::APPLET, Name::CAPTION, Name::HTML, Name::TABLE, Name::TD, Name::TH, Name::MARQUEE]),
    (SPECIAL | SCOPE, &[Name::OBJECT, Name::SELECT, Name::TEMPLATE]),
    (TABLE_SCOPE, &[Name::HTML, Name::TABLE, Name::TEMPLATE]),
    (SPECIAL, SPECIAL_BESIDE),
    (IMPLIED_END | THOROUGHLY_IMPLIED_END, &[Name::DD, Name::DT, Name::LI, Name::OPTION, Name::OPTGROUP, Name::P]),
    (IMPLIED_END | THOROUGHLY_IMPLIED_END, &[Name::RB, Name::RP, Name::RT, Name::RTC]),
    (THOROUGHLY_IMPLIED_END, &[Name::CAPTION, Name::COLGROUP, Name::TBODY, Name::TD, Name::TFOOT, Name::TH]),
    (THOROUGHLY_IMPLIED_END, &[Name::THEAD, Name::TR]),
    (FORMATTING, &[Name::A, Name::B, Name::BIG, Name::CODE, Name::EM, Name::FONT, Name::I, Name::NOBR, Name::S]),
    (FORMATTING, &[Name::SMALL, Name::STRIKE, Name::STRONG, Name::TT, Name::U]),
    (ENDS_OTHERWISE, &[Name::CAPTION, Name::COL, Name::COLGROUP, Name::TBODY, Name::TD, Name::TFOOT, Name::TH]),
    (
        ENDS_OTHERWISE,
        &[Name::THEAD, Name::TR, Name::TABLE, Name::BODY, Name::HTML, Name::FORM, Name::TEMPLATE, Name::BR],
    ),
    (ENDS_OTHERWISE, &[Name::APPLET, Name::MARQUEE, Name::OBJECT]),
    (FRAMES, &[Name::FRAMESET, Name::NOFRAMES, Name::FRAME]),
    (HEADING, &[Name::H1, Name::H2, Name::H3, Name::H4, Name::H5, Name::H6]),
    (BLOCK | CLOSED_IN_SCOPE, BLOCKS),
    (BLOCK, &[Name::P]),
    (CLOSED_IN_SCOPE, &[Name::BUTTON, Name::LISTING, Name::PRE, Name::SELECT]),
    (TABLE_PART, &[Name::TABLE, Name::TBODY, Name::TFOOT, Name::THEAD, Name::TR]),
    (BREAKOUT, BREAKOUTS),
    (HEAD_CONTENT, &[Name::BASE, Name::BASEFONT, Name::BGSOUND, Name::LINK, Name::META, Name::NOFRAMES, Name::SCRIPT]),
    (HEAD_CONTENT, &[Name::STYLE, Name::TEMPLATE, Name::TITLE]),
    (
        IGNORED_IN_BODY | IN_TABLE,
        &[Name::CAPTION, Name::COL, Name::COLGROUP, Name::TBODY, Name::TD, Name::TFOOT, Name::TH],
    ),
    (IGNORED_IN_BODY | IN_TABLE, &[Name::THEAD, Name::TR]),
    (IGNORED_IN_BODY, &[Name::FRAME, Name::HEAD]),
    (OPENS_NOTHING, &[Name::BASE, Name::BR, Name::COL, Name::EMBED, Name::HR, Name::IMG, Name::INPUT, Name::LINK]),
    (OPENS_NOTHING, &[Name::META, Name::PARAM, Name::SOURCE, Name::TRACK, Name::WBR, Name::SCRIPT, Name::STYLE]),
    (OPENS_NOTHING, &[Name::TITLE, Name::TEXTAREA, Name::XMP, Name::IFRAME, Name::NOEMBED, Name::PLAINTEXT]),
];

const SPECIAL_BESIDE: &[Name] = &[
    Name::ADDRESS,
    Name::AREA,
    Name::ARTICLE,
    Name::ASIDE,
    Name::BASE,
    Name::BASEFONT,
    Name::BGSOUND,
    Name::BLOCKQUOTE,
    Name::BODY,
    Name::BR,
    Name::BUTTON,
    Name::CENTER,
    Name::COL,
    Name::COLGROUP,
    Name::DD,
    Name::DETAILS,
    Name::DIR,
    Name::DIV,
    Name::DL,
    Name::DT,
    Name::EMBED,
    Name::FIELDSET,
    Name::FIGCAPTION,
    Name::FIGURE,
    Name::FOOTER,
    Name::FORM,
    Name::FRAME,
    Name::FRAMESET,
    Name::H1,
    Name::H2,
    Name::H3,
    Name::H4,
    Name::H5,
    Name::H6,
    Name::HEAD,
    Name::HEADER,
    Name::HGROUP,
    Name::HR,
    Name::IFRAME,
    Name::IMG,
    Name::INPUT,
    Name::KEYGEN,
    Name::LI,
    Name::LINK,
    Name::LISTING,
    Name::MAIN,
    Name::MENU,
    Name::META,
    Name::NAV,
    Name::NOEMBED,
    Name::NOFRAMES,
    Name::NOSCRIPT,
    Name::OL,
    Name::P,
    Name::PARAM,
    Name::PLAINTEXT,
    Name::PRE,
    Name::SCRIPT,
    Name::SEARCH,
    Name::SECTION,
    Name::SOURCE,
    Name::STYLE,
    Name::SUMMARY,
    Name::TBODY,
    Name::TEXTAREA,
    Name::TFOOT,
    Name::THEAD,
    Name::TITLE,
    Name::TR,
    Name::TRACK,
    Name::UL,
    Name::WBR,
    Name::XMP,
];

const BLOCKS: &[Name] = &[
    Name::ADDRESS,
    Name::ARTICLE,
    Name::ASIDE,
    Name::BLOCKQUOTE,
    Name::CENTER,
    Name::DETAILS,
    Name::DIALOG,
    Name::DIR,
    Name::DIV,
    Name::DL,
    Name::FIELDSET,
    Name::FIGCAPTION,
    Name::FIGURE,
    Name::FOOTER,
    Name::HEADER,
    Name::HGROUP,
    Name::MAIN,
    Name::MENU,
    Name::NAV,
    Name::OL,
    Name::SEARCH,
    Name::SECTION,
    Name::SUMMARY,
    Name::UL,
];

const BREAKOUTS: &[Name] = &[
    Name::B,
    Name::BIG,
    Name::BLOCKQUOTE,
    Name::BODY,
    Name::BR,
    Name::CENTER,
    Name::CODE,
    Name::DD,
    Name::DIV,
    Name::DL,
    Name::DT,
    Name::EM,
    Name::EMBED,
    Name::H1,
    Name::H2,
    Name::H3,
    Name::H4,
    Name::H5,
    Name::H6,
    Name::HEAD,
    Name::HR,
    Name::I,
    Name::IMG,
    Name::LI,
    Name::LISTING,
    Name::MENU,
    Name::META,
    Name::NOBR,
    Name::OL,
    Name::P,
    Name::PRE,
    Name::RUBY,
    Name::S,
    Name::SMALL,
    Name::SPAN,
    Name::STRIKE,
    Name::STRONG,
    Name::SUB,
    Name::SUP,
    Name::TABLE,
    Name::TT,
    Name::U,
    Name::UL,
    Name::VAR,
];
