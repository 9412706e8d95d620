//! What a page says about itself: title, meta, links, base, language, JSON-LD.

use crate::doc::{Doc, NodeId};
use crate::name::LocalName;

/// One `meta` element with a content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MetaElement<'d> {
    /// The element.
    pub id: NodeId,
    /// The value of `property`, `name`, `itemprop` or `http-equiv`, whichever comes first in this order.
    pub key: &'d str,
    /// The value of `content`.
    pub content: &'d str,
}

/// One `link` element with an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LinkElement<'d> {
    /// Space-separated relations, as written.
    pub rel: &'d str,
    /// Address as written, relative to [`Doc::base_href`].
    pub href: &'d str,
    /// `type`, empty when absent.
    pub media_type: &'d str,
    /// `title`, empty when absent.
    pub title: &'d str,
}

impl LinkElement<'_> {
    /// Whether `rel` lists this relation, in any case.
    pub fn has_rel(&self, relation: &str) -> bool {
        self.rel.split_ascii_whitespace().any(|rel| rel.eq_ignore_ascii_case(relation))
    }
}

impl Doc {
    /// The text of the first `title`, white space as in the source; `None` when there is none or it is blank.
    ///
    /// One over 2,000 bytes was not closed and holds the page: what stands before its first tag or line break, of that
    /// at most so much.
    pub fn title(&self) -> Option<String> {
        const MAX_BYTES: usize = 2_000;
        let id = self.head_elements(LocalName::TITLE).next()?;
        let mut title = self.text_content(id);
        if title.len() > MAX_BYTES {
            let start = title.trim_start();
            let end = start.find(['<', '\n', '\r']).unwrap_or(start.len());
            title = start[..start.floor_char_boundary(end.min(MAX_BYTES))].to_owned();
        }
        (!title.trim().is_empty()).then_some(title)
    }

    /// All `meta` elements that have a key and a content, wherever they stand.
    pub fn metas(&self) -> impl Iterator<Item = MetaElement<'_>> {
        const KEYS: [LocalName; 4] = [LocalName::PROPERTY, LocalName::NAME, LocalName::ITEMPROP, LocalName::HTTP_EQUIV];
        self.head_elements(LocalName::META).filter_map(|id| {
            let rank = |at: &usize| KEYS.iter().position(|&name| name == self.attribute_name(*at));
            let keys = self.attribute_range(id).filter_map(|at| Some((rank(&at)?, at)));
            let (_, key) = keys.min()?;
            Some(MetaElement { id, key: self.attribute_value(key).trim(), content: self.attr(id, LocalName::CONTENT)? })
        })
    }

    /// The content of the first `meta` with this key, in any case, that is not blank.
    pub fn meta(&self, key: &str) -> Option<&str> {
        self.metas()
            .find(|meta| meta.key.eq_ignore_ascii_case(key) && !meta.content.trim().is_empty())
            .map(|meta| meta.content.trim())
    }

    /// All `link` elements with `rel` and `href`.
    pub fn links(&self) -> impl Iterator<Item = LinkElement<'_>> {
        self.head_elements(LocalName::LINK).filter_map(|id| {
            Some(LinkElement {
                rel: self.attr(id, LocalName::REL)?,
                href: self.attr(id, LocalName::HREF)?.trim(),
                media_type: self.attr(id, LocalName::TYPE).unwrap_or(""),
                title: self.attr(id, LocalName::TITLE).unwrap_or(""),
            })
        })
    }

    /// The source text of each `application/ld+json` script.
    pub fn json_ld(&self) -> impl Iterator<Item = &str> {
        self.head_elements(LocalName::SCRIPT).filter_map(|id| self.first_child(id)).map(|id| self.text(id))
    }

    /// `href` of the first `base` that has one, as written.
    pub fn base_href(&self) -> Option<&str> {
        self.head_elements(LocalName::BASE).find_map(|id| self.attr(id, LocalName::HREF)).map(str::trim)
    }

    /// The language that `html` declares (`lang`, else `xml:lang`), as written, e.g. `zh-Hans-CN`.
    pub fn lang(&self) -> Option<&str> {
        let html = self.children(NodeId::DOCUMENT).find(|&id| self.name(id) == LocalName::HTML)?;
        let lang = self.attr(html, LocalName::LANG).or_else(|| self.attr(html, LocalName::XML_LANG))?.trim();
        (!lang.is_empty()).then_some(lang)
    }

    /// Addresses of the frames of a frameset, as written.
    pub fn frames(&self) -> &[String] {
        &self.frames
    }

    fn head_elements(&self, name: LocalName) -> impl Iterator<Item = NodeId> + '_ {
        self.head.iter().copied().filter(move |&id| self.name(id) == name)
    }
}

impl Doc {
    /// Notes the elements that the head is interested in; once all nodes are there.
    pub(crate) fn find_head(&mut self) {
        let is_named = |name| {
            matches!(name, LocalName::TITLE | LocalName::BASE | LocalName::META | LocalName::LINK | LocalName::SCRIPT)
        };
        let named = self.nodes.iter().zip(0u32..).filter(|(node, _)| is_named(node.name));
        self.head = named.map(|(_, id)| NodeId(id)).filter(|&id| self.interests(id)).collect();
    }

    fn interests(&self, id: NodeId) -> bool {
        match self.name(id) {
            LocalName::SCRIPT => self.attr(id, LocalName::TYPE).is_some_and(is_json_ld),
            _ => !self.is_foreign(id),
        }
    }
}

fn is_json_ld(media_type: &str) -> bool {
    let essence = media_type.split(';').next().unwrap_or("").trim();
    essence.eq_ignore_ascii_case("application/ld+json")
}

#[cfg(test)]
mod tests {
    use crate::{Doc, TreeLimits};

    const PAGE: &str = r#"<html lang=" zh-CN "><head><base href="/a/"><title> A &amp; B </title>
        <meta property="og:title" name="x" content="O"><meta name="Description" content=" d ">
        <link rel="alternate CANONICAL" href=" /c " type="t"><script type="Application/LD+json">{"a":1}</script>
        <script>var a = "<title>no</title>"</script></head><body><svg><title>icon</title></svg></body></html>"#;

    #[test]
    fn the_head_is_read_in_any_case_and_order() {
        let doc = Doc::parse(PAGE, &TreeLimits::default());
        assert_eq!(doc.title().as_deref(), Some(" A & B "));
        assert_eq!(doc.lang(), Some("zh-CN"));
        assert_eq!(doc.base_href(), Some("/a/"));
        assert_eq!(doc.meta("OG:title"), Some("O"));
        assert_eq!(doc.meta("description"), Some("d"));
        assert_eq!(doc.json_ld().collect::<Vec<_>>(), [r#"{"a":1}"#]);
        let link = doc.links().next().unwrap();
        assert!(link.has_rel("canonical") && !link.has_rel("canon"));
        assert_eq!(link.href, "/c");
    }

    #[test]
    fn a_title_that_is_not_closed_ends_with_its_line() {
        let page = "<p>word</p>".repeat(1_000);
        let title = |html: &str| Doc::parse(html, &TreeLimits::default()).title();
        assert_eq!(title(&format!("<title>\nThe page<meta name=a content=b>\n{page}")).as_deref(), Some("The page"));
        assert_eq!(title(&format!("<title>The page \n{page}")).as_deref(), Some("The page "));
        assert_eq!(title(&format!("<title>{}", "é".repeat(5_000))).unwrap().len(), 2_000);
    }

    #[test]
    fn the_title_of_an_icon_is_not_the_title_of_the_page() {
        let doc = Doc::parse("<body><svg><title>icon</title></svg>", &TreeLimits::default());
        assert_eq!(doc.title(), None);
    }
}
