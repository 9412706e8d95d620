//! Sets of elements that the rules of tree construction name, as bits by name.

use crate::name::LocalName;

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
pub(crate) fn sets(name: LocalName) -> u32 {
    SETS.get(name.index()).copied().unwrap_or(0)
}

pub(crate) fn is(name: LocalName, set: u32) -> bool {
    sets(name) & set != 0
}

static SETS: [u32; LocalName::NAMED_LEN] = table();

const fn table() -> [u32; LocalName::NAMED_LEN] {
    let mut table = [0; LocalName::NAMED_LEN];
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

const MEMBERS: &[(u32, &[LocalName])] = &[
    (
        SPECIAL | SCOPE,
        &[
            LocalName::APPLET,
            LocalName::CAPTION,
            LocalName::HTML,
            LocalName::TABLE,
            LocalName::TD,
            LocalName::TH,
            LocalName::MARQUEE,
        ],
    ),
    (SPECIAL | SCOPE, &[LocalName::OBJECT, LocalName::SELECT, LocalName::TEMPLATE]),
    (TABLE_SCOPE, &[LocalName::HTML, LocalName::TABLE, LocalName::TEMPLATE]),
    (SPECIAL, SPECIAL_BESIDE),
    (
        IMPLIED_END | THOROUGHLY_IMPLIED_END,
        &[LocalName::DD, LocalName::DT, LocalName::LI, LocalName::OPTION, LocalName::OPTGROUP, LocalName::P],
    ),
    (IMPLIED_END | THOROUGHLY_IMPLIED_END, &[LocalName::RB, LocalName::RP, LocalName::RT, LocalName::RTC]),
    (
        THOROUGHLY_IMPLIED_END,
        &[LocalName::CAPTION, LocalName::COLGROUP, LocalName::TBODY, LocalName::TD, LocalName::TFOOT, LocalName::TH],
    ),
    (THOROUGHLY_IMPLIED_END, &[LocalName::THEAD, LocalName::TR]),
    (
        FORMATTING,
        &[
            LocalName::A,
            LocalName::B,
            LocalName::BIG,
            LocalName::CODE,
            LocalName::EM,
            LocalName::FONT,
            LocalName::I,
            LocalName::NOBR,
            LocalName::S,
        ],
    ),
    (FORMATTING, &[LocalName::SMALL, LocalName::STRIKE, LocalName::STRONG, LocalName::TT, LocalName::U]),
    (
        ENDS_OTHERWISE,
        &[
            LocalName::CAPTION,
            LocalName::COL,
            LocalName::COLGROUP,
            LocalName::TBODY,
            LocalName::TD,
            LocalName::TFOOT,
            LocalName::TH,
        ],
    ),
    (
        ENDS_OTHERWISE,
        &[
            LocalName::THEAD,
            LocalName::TR,
            LocalName::TABLE,
            LocalName::BODY,
            LocalName::HTML,
            LocalName::FORM,
            LocalName::TEMPLATE,
            LocalName::BR,
        ],
    ),
    (ENDS_OTHERWISE, &[LocalName::APPLET, LocalName::MARQUEE, LocalName::OBJECT]),
    (FRAMES, &[LocalName::FRAMESET, LocalName::NOFRAMES, LocalName::FRAME]),
    (HEADING, &[LocalName::H1, LocalName::H2, LocalName::H3, LocalName::H4, LocalName::H5, LocalName::H6]),
    (BLOCK | CLOSED_IN_SCOPE, BLOCKS),
    (BLOCK, &[LocalName::P]),
    (CLOSED_IN_SCOPE, &[LocalName::BUTTON, LocalName::LISTING, LocalName::PRE, LocalName::SELECT]),
    (TABLE_PART, &[LocalName::TABLE, LocalName::TBODY, LocalName::TFOOT, LocalName::THEAD, LocalName::TR]),
    (BREAKOUT, BREAKOUTS),
    (
        HEAD_CONTENT,
        &[
            LocalName::BASE,
            LocalName::BASEFONT,
            LocalName::BGSOUND,
            LocalName::LINK,
            LocalName::META,
            LocalName::NOFRAMES,
            LocalName::SCRIPT,
        ],
    ),
    (HEAD_CONTENT, &[LocalName::STYLE, LocalName::TEMPLATE, LocalName::TITLE]),
    (
        IGNORED_IN_BODY | IN_TABLE,
        &[
            LocalName::CAPTION,
            LocalName::COL,
            LocalName::COLGROUP,
            LocalName::TBODY,
            LocalName::TD,
            LocalName::TFOOT,
            LocalName::TH,
        ],
    ),
    (IGNORED_IN_BODY | IN_TABLE, &[LocalName::THEAD, LocalName::TR]),
    (IGNORED_IN_BODY, &[LocalName::FRAME, LocalName::HEAD]),
    (
        OPENS_NOTHING,
        &[
            LocalName::BASE,
            LocalName::BR,
            LocalName::COL,
            LocalName::EMBED,
            LocalName::HR,
            LocalName::IMG,
            LocalName::INPUT,
            LocalName::LINK,
        ],
    ),
    (
        OPENS_NOTHING,
        &[
            LocalName::META,
            LocalName::PARAM,
            LocalName::SOURCE,
            LocalName::TRACK,
            LocalName::WBR,
            LocalName::SCRIPT,
            LocalName::STYLE,
        ],
    ),
    (
        OPENS_NOTHING,
        &[
            LocalName::TITLE,
            LocalName::TEXTAREA,
            LocalName::XMP,
            LocalName::IFRAME,
            LocalName::NOEMBED,
            LocalName::PLAINTEXT,
        ],
    ),
];

const SPECIAL_BESIDE: &[LocalName] = &[
    LocalName::ADDRESS,
    LocalName::AREA,
    LocalName::ARTICLE,
    LocalName::ASIDE,
    LocalName::BASE,
    LocalName::BASEFONT,
    LocalName::BGSOUND,
    LocalName::BLOCKQUOTE,
    LocalName::BODY,
    LocalName::BR,
    LocalName::BUTTON,
    LocalName::CENTER,
    LocalName::COL,
    LocalName::COLGROUP,
    LocalName::DD,
    LocalName::DETAILS,
    LocalName::DIR,
    LocalName::DIV,
    LocalName::DL,
    LocalName::DT,
    LocalName::EMBED,
    LocalName::FIELDSET,
    LocalName::FIGCAPTION,
    LocalName::FIGURE,
    LocalName::FOOTER,
    LocalName::FORM,
    LocalName::FRAME,
    LocalName::FRAMESET,
    LocalName::H1,
    LocalName::H2,
    LocalName::H3,
    LocalName::H4,
    LocalName::H5,
    LocalName::H6,
    LocalName::HEAD,
    LocalName::HEADER,
    LocalName::HGROUP,
    LocalName::HR,
    LocalName::IFRAME,
    LocalName::IMG,
    LocalName::INPUT,
    LocalName::KEYGEN,
    LocalName::LI,
    LocalName::LINK,
    LocalName::LISTING,
    LocalName::MAIN,
    LocalName::MENU,
    LocalName::META,
    LocalName::NAV,
    LocalName::NOEMBED,
    LocalName::NOFRAMES,
    LocalName::NOSCRIPT,
    LocalName::OL,
    LocalName::P,
    LocalName::PARAM,
    LocalName::PLAINTEXT,
    LocalName::PRE,
    LocalName::SCRIPT,
    LocalName::SEARCH,
    LocalName::SECTION,
    LocalName::SOURCE,
    LocalName::STYLE,
    LocalName::SUMMARY,
    LocalName::TBODY,
    LocalName::TEXTAREA,
    LocalName::TFOOT,
    LocalName::THEAD,
    LocalName::TITLE,
    LocalName::TR,
    LocalName::TRACK,
    LocalName::UL,
    LocalName::WBR,
    LocalName::XMP,
];

const BLOCKS: &[LocalName] = &[
    LocalName::ADDRESS,
    LocalName::ARTICLE,
    LocalName::ASIDE,
    LocalName::BLOCKQUOTE,
    LocalName::CENTER,
    LocalName::DETAILS,
    LocalName::DIALOG,
    LocalName::DIR,
    LocalName::DIV,
    LocalName::DL,
    LocalName::FIELDSET,
    LocalName::FIGCAPTION,
    LocalName::FIGURE,
    LocalName::FOOTER,
    LocalName::HEADER,
    LocalName::HGROUP,
    LocalName::MAIN,
    LocalName::MENU,
    LocalName::NAV,
    LocalName::OL,
    LocalName::SEARCH,
    LocalName::SECTION,
    LocalName::SUMMARY,
    LocalName::UL,
];

const BREAKOUTS: &[LocalName] = &[
    LocalName::B,
    LocalName::BIG,
    LocalName::BLOCKQUOTE,
    LocalName::BODY,
    LocalName::BR,
    LocalName::CENTER,
    LocalName::CODE,
    LocalName::DD,
    LocalName::DIV,
    LocalName::DL,
    LocalName::DT,
    LocalName::EM,
    LocalName::EMBED,
    LocalName::H1,
    LocalName::H2,
    LocalName::H3,
    LocalName::H4,
    LocalName::H5,
    LocalName::H6,
    LocalName::HEAD,
    LocalName::HR,
    LocalName::I,
    LocalName::IMG,
    LocalName::LI,
    LocalName::LISTING,
    LocalName::MENU,
    LocalName::META,
    LocalName::NOBR,
    LocalName::OL,
    LocalName::P,
    LocalName::PRE,
    LocalName::RUBY,
    LocalName::S,
    LocalName::SMALL,
    LocalName::SPAN,
    LocalName::STRIKE,
    LocalName::STRONG,
    LocalName::SUB,
    LocalName::SUP,
    LocalName::TABLE,
    LocalName::TT,
    LocalName::U,
    LocalName::UL,
    LocalName::VAR,
];
