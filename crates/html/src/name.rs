//! Names of elements and attributes as small numbers, so that the hot loops compare integers.

use std::collections::HashMap;
use std::sync::LazyLock;

/// The lower-case name of an element or attribute: a constant below for the usual ones, else a number that is
/// only meaningful together with the [`Doc`](crate::Doc) it came from (`Doc::name_str`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LocalName(pub(crate) u16);

macro_rules! names {
    ($($constant:ident $text:literal),* $(,)?) => {
        #[allow(clippy::upper_case_acronyms, non_camel_case_types, reason = "only numbers the constants")]
        enum Number { $($constant),* }
        impl LocalName {
            $(#[doc = concat!("`", $text, "`")] pub const $constant: LocalName = LocalName(Number::$constant as u16);)*
        }
        static NAMED: &[&str] = &[$($text),*];
        /// How many names have a constant.
        const N_NAMED: u16 = [$($text),*].len() as u16;
    };
}

names! {
    TEXT "#text", DOCUMENT "#document",
    A "a", ABBR "abbr", ADDRESS "address", ARTICLE "article", ASIDE "aside", AUDIO "audio", B "b", BASE "base",
    BIG "big", BLOCKQUOTE "blockquote", BODY "body", BR "br", BUTTON "button", CANVAS "canvas",
    CAPTION "caption", CENTER "center", CITE "cite", CODE "code", COL "col", COLGROUP "colgroup", DD "dd",
    DEL "del", DETAILS "details", DIALOG "dialog", DIR "dir", DIV "div", DL "dl", DT "dt", EM "em",
    EMBED "embed", FIELDSET "fieldset", FIGCAPTION "figcaption", FIGURE "figure", FONT "font",
    FOOTER "footer", FORM "form", FRAME "frame", FRAMESET "frameset", H1 "h1", H2 "h2", H3 "h3", H4 "h4",
    H5 "h5", H6 "h6", HEAD "head", HEADER "header", HGROUP "hgroup", HR "hr", HTML "html", I "i",
    IFRAME "iframe", IMG "img", INPUT "input", INS "ins", KBD "kbd", LABEL "label", LEGEND "legend", LI "li",
    LINK "link", MAIN "main", MARK "mark", MATH "math", MENU "menu", META "meta", NAV "nav", NOBR "nobr",
    NOEMBED "noembed", NOFRAMES "noframes", NOSCRIPT "noscript", OBJECT "object", OL "ol",
    OPTGROUP "optgroup", OPTION "option", P "p", PARAM "param", PICTURE "picture", PLAINTEXT "plaintext",
    PRE "pre", Q "q", RP "rp", RT "rt", RUBY "ruby", S "s", SAMP "samp", SCRIPT "script", SECTION "section",
    SELECT "select", SMALL "small", SOURCE "source", SPAN "span", STRIKE "strike", STRONG "strong",
    STYLE "style", SUB "sub", SUMMARY "summary", SUP "sup", SVG "svg", TABLE "table", TBODY "tbody", TD "td",
    TEMPLATE "template", TEXTAREA "textarea", TFOOT "tfoot", TH "th", THEAD "thead", TIME "time",
    TITLE "title", TR "tr", TRACK "track", TT "tt", U "u", UL "ul", VAR "var", VIDEO "video", WBR "wbr",
    XMP "xmp",
    CLASS "class", ID "id", HREF "href", SRC "src", ALT "alt", REL "rel", TYPE "type", NAME "name",
    CONTENT "content", PROPERTY "property", ITEMPROP "itemprop", ITEMTYPE "itemtype", ITEMSCOPE "itemscope",
    HTTP_EQUIV "http-equiv", CHARSET "charset", LANG "lang", XML_LANG "xml:lang", DATETIME "datetime",
    PUBDATE "pubdate", ROLE "role", HIDDEN "hidden", ARIA_HIDDEN "aria-hidden", COLSPAN "colspan",
    ROWSPAN "rowspan", SCOPE "scope", MEDIA "media", HREFLANG "hreflang", SIZES "sizes", VALUE "value",
    WIDTH "width", HEIGHT "height", DATA_SRC "data-src", SRCSET "srcset", TARGET "target",
    ARIA_LABEL "aria-label", START "start", TABINDEX "tabindex",
    // From here on: only the rules of tree construction name these. Models count elements with a usual name, so they are none.
    ANNOTATION_XML "annotation-xml", APPLET "applet", AREA "area", BASEFONT "basefont", BGSOUND "bgsound", COLOR "color", DESC "desc",
    ENCODING "encoding", FACE "face", FOREIGNOBJECT "foreignobject", IMAGE "image", KEYGEN "keygen", LISTING "listing",
    MALIGNMARK "malignmark", MARQUEE "marquee", MGLYPH "mglyph", MI "mi", MN "mn", MO "mo", MS "ms", MTEXT "mtext", RB "rb",
    RTC "rtc", SEARCH "search", SELECTED "selected", SELECTEDCONTENT "selectedcontent", SIZE "size",
}

static BY_TEXT: LazyLock<HashMap<&'static str, u16>> =
    LazyLock::new(|| NAMED.iter().zip(0u16..).map(|(&text, n)| (text, n)).collect());

impl LocalName {
    /// The constant for `text` (lower case), if it is one of the usual names.
    pub fn known(text: &str) -> Option<LocalName> {
        LocalName::named(text).filter(|name| name.index() < LocalName::TABLE_LEN)
    }

    /// The text of a usual name; `None` for any other.
    pub fn as_known_str(self) -> Option<&'static str> {
        self.as_named_str().filter(|_| self.index() < LocalName::TABLE_LEN)
    }

    fn named(text: &str) -> Option<LocalName> {
        BY_TEXT.get(text).copied().map(LocalName)
    }

    /// The text of a name that has a constant.
    pub(crate) fn as_named_str(self) -> Option<&'static str> {
        NAMED.get(usize::from(self.0)).copied()
    }

    /// A dense index for tables of flags over the usual names, all of which lie below [`LocalName::TABLE_LEN`].
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Length of a table indexed by [`LocalName::index`] that covers every usual name.
    pub const TABLE_LEN: usize = LocalName::TABINDEX.index() + 1;

    /// The same for every name that has a constant.
    pub(crate) const NAMED_LEN: usize = N_NAMED as usize;
}

/// The names of one document that have no constant.
#[derive(Debug, Clone, Default)]
pub(crate) struct ExtraNames {
    texts: Vec<Box<str>>,
    by_text: HashMap<Box<str>, u16>,
}

impl ExtraNames {
    /// More distinct names than this share one number: a page with that many made them up.
    const MAX: usize = 20_000;

    pub(crate) fn intern(&mut self, text: &str) -> LocalName {
        if let Some(named) = LocalName::named(text) {
            return named;
        }
        if let Some(&n) = self.by_text.get(text) {
            return LocalName(n);
        }
        if self.texts.len() >= Self::MAX {
            return LocalName(N_NAMED + Self::MAX as u16);
        }
        let n = N_NAMED + self.texts.len() as u16;
        self.texts.push(text.into());
        self.by_text.insert(text.into(), n);
        LocalName(n)
    }

    pub(crate) fn find(&self, text: &str) -> Option<LocalName> {
        LocalName::named(text).or_else(|| self.by_text.get(text).copied().map(LocalName))
    }

    pub(crate) fn text(&self, name: LocalName) -> &str {
        match name.as_named_str() {
            Some(text) => text,
            None => self.texts.get(usize::from(name.0 - N_NAMED)).map_or("", |text| text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_constant_names_its_own_text() {
        assert_eq!(LocalName::DIV.as_known_str(), Some("div"));
        assert_eq!(LocalName::known("tabindex"), Some(LocalName::TABINDEX));
        assert_eq!(LocalName::TABINDEX.index() + 1, LocalName::TABLE_LEN);
        assert_eq!((LocalName::known("search"), LocalName::named("search")), (None, Some(LocalName::SEARCH)));
        assert_eq!((LocalName::SEARCH.as_known_str(), ExtraNames::default().text(LocalName::SEARCH)), (None, "search"));
        let distinct: std::collections::HashSet<_> = NAMED.iter().collect();
        assert_eq!(distinct.len(), NAMED.len(), "a name stands twice in the list");
    }

    #[test]
    fn made_up_names_are_bounded_and_never_panic() {
        let mut names = ExtraNames::default();
        for n in 0..30_000 {
            names.intern(&format!("x-{n}"));
        }
        let overflow = names.intern("x-one-too-many");
        assert_eq!(names.text(overflow), "");
        let early = names.intern("x-7");
        assert_eq!(names.text(early), "x-7");
    }
}
