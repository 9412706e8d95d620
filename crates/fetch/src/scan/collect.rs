//! The pass itself: which tags are read, and what is kept of them.

use gristmill_robots::Directives;
use gristmill_urls::join;
use memchr::memchr;
use url::Url;

use super::entities::decode_entities;
use super::script::script_target;
use super::sketch::SketchBuilder;
use super::tags::{MarkupStart, Name, TagEnd, attributes, markup, name, raw_end, script_end};
use super::{Anchor, FeedLink, PageLinks, Refresh, Rel, ScanLimits};
use crate::media::is_feed_type;

/// Most entries of each list besides the anchors and frames.
const MAX_FEW: usize = 1_000;
const MAX_FRAMES: usize = 10_000;

const A: Name = name(b"a");
const AREA: Name = name(b"area");
const BASE: Name = name(b"base");
const BODY: Name = name(b"body");
const EMBED: Name = name(b"embed");
const FRAME: Name = name(b"frame");
const IFRAME: Name = name(b"iframe");
const IMG: Name = name(b"img");
const LINK: Name = name(b"link");
const MATH: Name = name(b"math");
const META: Name = name(b"meta");
const NOEMBED: Name = name(b"noembed");
const OBJECT: Name = name(b"object");
const NOSCRIPT: Name = name(b"noscript");
const NOFRAMES: Name = name(b"noframes");
const SCRIPT: Name = name(b"script");
const STYLE: Name = name(b"style");
const SVG: Name = name(b"svg");
const TEMPLATE: Name = name(b"template");
const TEXTAREA: Name = name(b"textarea");
const TITLE: Name = name(b"title");
const XMP: Name = name(b"xmp");

/// Elements inside a line of text; any other tag separates words.
const INLINE: [Name; 24] = [
    name(b"b"),
    name(b"i"),
    name(b"u"),
    name(b"s"),
    name(b"em"),
    name(b"strong"),
    name(b"span"),
    name(b"font"),
    name(b"small"),
    name(b"big"),
    name(b"sub"),
    name(b"sup"),
    name(b"mark"),
    name(b"code"),
    name(b"tt"),
    name(b"kbd"),
    name(b"abbr"),
    name(b"bdi"),
    name(b"bdo"),
    name(b"cite"),
    name(b"wbr"),
    name(b"ruby"),
    name(b"del"),
    name(b"ins"),
];

/// A link whose end has not come yet.
#[derive(Default)]
struct Open {
    anchor: Anchor,
    n_chars: usize,
    /// White space came after the last word.
    space: bool,
    alt: Option<String>,
}

pub(super) struct LinkCollector<'a> {
    html: &'a str,
    limits: &'a ScanLimits,
    links: PageLinks,
    open: Option<Open>,
    base_href: Option<String>,
    n_text_bytes: usize,
    n_foreign: u32,
    n_templates: u32,
    n_noscripts: u32,
    said: SketchBuilder,
    /// Pages within the page.
    inner: Vec<String>,
}

impl<'a> LinkCollector<'a> {
    pub(super) fn new(html: &'a str, limits: &'a ScanLimits) -> Self {
        Self {
            html,
            limits,
            links: PageLinks::default(),
            open: None,
            base_href: None,
            n_text_bytes: 0,
            n_foreign: 0,
            n_templates: 0,
            n_noscripts: 0,
            said: SketchBuilder::default(),
            inner: Vec::new(),
        }
    }

    pub(super) fn run(mut self, base_url: &str) -> PageLinks {
        self.pass();
        for html in std::mem::take(&mut self.inner) {
            let mut inner = LinkCollector::new(&html, self.limits);
            (inner.links.anchors, inner.n_text_bytes) = (std::mem::take(&mut self.links.anchors), self.n_text_bytes);
            inner.pass();
            self.n_text_bytes = inner.n_text_bytes;
            self.links.anchors = inner.links.anchors;
            self.links.truncated |= inner.links.truncated;
            let room = MAX_FRAMES.saturating_sub(self.links.frames.len());
            self.links.truncated |= inner.links.frames.len() > room;
            self.links.frames.extend(inner.links.frames.into_iter().take(room));
        }
        self.links.sketch = std::mem::take(&mut self.said).sketch();
        let page = Url::parse(base_url).ok();
        let resolved = self.base_href.as_deref().and_then(|href| join(href, Some(page.as_ref()?)).ok());
        self.links.base = resolved.filter(|url| matches!(url.scheme(), "http" | "https")).or(page);
        self.links
    }

    fn pass(&mut self) {
        let bytes = self.html.as_bytes();
        let mut at = 0;
        while let Some(n) = memchr(b'<', &bytes[at..]) {
            let open = at + n;
            self.text(at, open);
            at = match markup(bytes, open, self.n_foreign > 0) {
                MarkupStart::Start { name, attributes } => self.start_tag(name, attributes),
                MarkupStart::End { name, attributes } => self.end_tag(name, attributes),
                MarkupStart::Other { end } => end,
                MarkupStart::Text => {
                    self.text(open, open + 1);
                    open + 1
                }
            };
        }
        self.text(at, bytes.len());
        self.close_anchor();
    }

    /// Reads a start tag and what belongs to it; returns where to go on.
    fn start_tag(&mut self, name: Name, at: usize) -> usize {
        if self.open.is_some() && !INLINE.contains(&name) {
            self.separate();
        }
        let mut is_shadow_root = false;
        let tag = match name {
            TEMPLATE => attributes(self.html, at, |name, value| {
                is_shadow_root |= name.eq_ignore_ascii_case("shadowrootmode")
                    && (value.eq_ignore_ascii_case("open") || value.eq_ignore_ascii_case("closed"));
            }),
            _ if self.n_templates > 0 => attributes(self.html, at, |_, _| {}),
            A => self.anchor(at, false),
            AREA => self.anchor(at, true),
            BASE => self.base(at),
            BODY => self.body(at),
            LINK => self.link(at),
            META => self.meta(at),
            FRAME | IFRAME => self.frame(at),
            EMBED | OBJECT => self.object(at),
            IMG if self.open.is_some() => self.image(at),
            _ => attributes(self.html, at, |_, _| {}),
        };
        let Some(tag) = tag else { return self.html.len() };
        if name == SVG || name == MATH {
            self.n_foreign = self.n_foreign.saturating_add(u32::from(!tag.self_closing));
        } else if name == TEMPLATE {
            // What is in a shadow root is shown; within a template that is not, nothing is.
            self.n_templates = self.n_templates.saturating_add(u32::from(!is_shadow_root || self.n_templates > 0));
        } else if name == NOSCRIPT {
            self.n_noscripts = self.n_noscripts.saturating_add(1);
        }
        // `<style/>` is an empty element inside svg, and the start of raw text outside.
        if self.n_foreign > 0 && tag.self_closing { tag.end } else { self.raw_text(name, at, tag.end) }
    }

    /// Skips the text of elements in which a `<` is no markup.
    fn raw_text(&mut self, name: Name, name_end: usize, at: usize) -> usize {
        let bytes = self.html.as_bytes();
        match name {
            SCRIPT => {
                let end = script_end(bytes, at);
                self.said.add_script();
                self.script(&self.html[at..end]);
                end
            }
            STYLE => raw_end(bytes, at, b"style"),
            TITLE => {
                let end = raw_end(bytes, at, b"title");
                self.said.add_title(&bytes[at..end]);
                end
            }
            TEXTAREA => raw_end(bytes, at, b"textarea"),
            IFRAME => raw_end(bytes, at, b"iframe"),
            XMP => raw_end(bytes, at, b"xmp"),
            NOEMBED => raw_end(bytes, at, b"noembed"),
            NOFRAMES => raw_end(bytes, at, b"noframes"),
            // The one name of interest that is too long to be packed.
            0 if ends_with_ignoring_case(&bytes[..name_end], b"<plaintext") => bytes.len(),
            _ => at,
        }
    }

    fn end_tag(&mut self, name: Name, at: usize) -> usize {
        let Some(tag) = attributes(self.html, at, |_, _| {}) else { return self.html.len() };
        match name {
            A if self.n_templates == 0 => self.close_anchor(),
            SVG | MATH => self.n_foreign = self.n_foreign.saturating_sub(1),
            TEMPLATE => self.n_templates = self.n_templates.saturating_sub(1),
            NOSCRIPT => self.n_noscripts = self.n_noscripts.saturating_sub(1),
            _ if self.open.is_some() && !INLINE.contains(&name) => self.separate(),
            _ => {}
        }
        tag.end
    }

    fn anchor(&mut self, at: usize, is_area: bool) -> Option<TagEnd> {
        let (mut href, mut xlink, mut rel, mut alt) = (None, None, None, None);
        let is_foreign = self.n_foreign > 0;
        let tag = attributes(self.html, at, |name, value| match name.len() {
            4 if name.eq_ignore_ascii_case("href") => keep_first(&mut href, value),
            10 if is_foreign && name.eq_ignore_ascii_case("xlink:href") => keep_first(&mut xlink, value),
            3 if name.eq_ignore_ascii_case("rel") => keep_first(&mut rel, value),
            3 if name.eq_ignore_ascii_case("alt") => keep_first(&mut alt, value),
            _ => {}
        })?;
        if !is_area {
            // A link inside a link ends the outer one, target or not.
            self.close_anchor();
        }
        if let Some(href) = href.or(xlink).and_then(|href| self.target(href)) {
            let anchor = Anchor { href, text: String::new(), rel: rel.map(read_rel).unwrap_or_default() };
            let open = Open { anchor, ..Open::default() };
            if is_area {
                let outer = self.open.replace(open);
                self.words(&decode_entities(alt.unwrap_or_default(), true));
                self.close_anchor();
                self.open = outer;
            } else {
                self.open = Some(open);
            }
        }
        Some(tag)
    }

    /// A target as it is kept, if it may lead to another page.
    fn target(&mut self, raw: &str) -> Option<String> {
        let decoded = decode_entities(raw, true);
        let href = decoded.trim_matches(|c: char| c <= ' ');
        if href.is_empty() || href.starts_with('#') || has_dead_scheme(href) {
            return None;
        }
        // The open link will be an anchor, too.
        let n_anchors = self.links.anchors.len() + usize::from(self.open.is_some());
        if href.len() > self.limits.max_href_bytes || n_anchors >= self.limits.max_anchors {
            self.links.truncated |= n_anchors >= self.limits.max_anchors;
            return None;
        }
        Some(href.to_owned())
    }

    fn close_anchor(&mut self) {
        let Some(mut open) = self.open.take() else { return };
        if open.anchor.text.is_empty()
            && let Some(alt) = open.alt.take()
        {
            self.open = Some(open);
            self.words(&alt);
            open = self.open.take().expect("put back two lines above");
        }
        self.n_text_bytes += open.anchor.text.len();
        self.links.anchors.push(open.anchor);
    }

    fn image(&mut self, at: usize) -> Option<TagEnd> {
        let mut alt = None;
        let tag = attributes(self.html, at, |name, value| {
            if name.eq_ignore_ascii_case("alt") {
                keep_first(&mut alt, value);
            }
        })?;
        if let (Some(open), Some(alt)) = (&mut self.open, alt)
            && open.alt.is_none()
            && !alt.trim().is_empty()
        {
            open.alt = Some(decode_entities(alt, true).into_owned());
        }
        Some(tag)
    }

    fn base(&mut self, at: usize) -> Option<TagEnd> {
        let mut href = None;
        let tag = attributes(self.html, at, |name, value| {
            if name.eq_ignore_ascii_case("href") {
                keep_first(&mut href, value);
            }
        })?;
        if let (None, Some(href)) = (&self.base_href, href) {
            self.base_href = Some(clean(href));
        }
        Some(tag)
    }

    fn link(&mut self, at: usize) -> Option<TagEnd> {
        let (mut href, mut rel, mut type_, mut title, mut language) = (None, None, None, None, None);
        let tag = attributes(self.html, at, |name, value| {
            if name.eq_ignore_ascii_case("href") {
                keep_first(&mut href, value);
            } else if name.eq_ignore_ascii_case("hreflang") {
                keep_first(&mut language, value);
            } else if name.eq_ignore_ascii_case("rel") {
                keep_first(&mut rel, value);
            } else if name.eq_ignore_ascii_case("type") {
                keep_first(&mut type_, value);
            } else if name.eq_ignore_ascii_case("title") {
                keep_first(&mut title, value);
            }
        })?;
        let (Some(href), Some(rel)) = (href.map(clean).filter(|href| !href.is_empty()), rel) else { return Some(tag) };
        if href.len() > self.limits.max_href_bytes {
            return Some(tag);
        }
        let is_feed = is_feed_type(type_.unwrap_or_default());
        let is = |known: &str| rel.split_ascii_whitespace().any(|word| word.eq_ignore_ascii_case(known));
        let links = &mut self.links;
        if is("canonical") {
            push_canonical(&mut links.canonicals, &href);
        }
        let is_translation = is("alternate") && !is_feed && language.is_some() && !is("stylesheet");
        if is("alternate") && is_feed {
            let title = clean(title.unwrap_or_default()).chars().take(self.limits.max_anchor_chars).collect();
            links.truncated |= !push_few(&mut links.feeds, FeedLink { href, title });
        } else if is("sitemap") {
            links.truncated |= !push_few(&mut links.sitemaps, href);
        } else if is_translation || is("next") || is("prev") || is("previous") {
            links.truncated |= !push_few(&mut links.related, href);
        }
        Some(tag)
    }

    fn meta(&mut self, at: usize) -> Option<TagEnd> {
        let (mut name_, mut http_equiv, mut content) = (None, None, None);
        let tag = attributes(self.html, at, |name, value| {
            if name.eq_ignore_ascii_case("name") {
                keep_first(&mut name_, value);
            } else if name.eq_ignore_ascii_case("http-equiv") {
                keep_first(&mut http_equiv, value);
            } else if name.eq_ignore_ascii_case("content") {
                keep_first(&mut content, value);
            }
        })?;
        let Some(content) = content.map(clean) else { return Some(tag) };
        let name_ = name_.unwrap_or_default().trim();
        if name_.eq_ignore_ascii_case("robots") || name_.eq_ignore_ascii_case(&self.limits.agent) {
            let asked = Directives::from_meta(&content);
            self.links.noindex |= asked.noindex;
            self.links.nofollow |= asked.nofollow;
        } else if http_equiv.is_some_and(|word| word.trim().eq_ignore_ascii_case("refresh"))
            && self.links.refresh.as_ref().is_none_or(|refresh| refresh.by_script && self.n_noscripts == 0)
        {
            let without_scripts = self.n_noscripts > 0;
            self.links.refresh = read_refresh(&content)
                .filter(|refresh| refresh.target.len() <= self.limits.max_href_bytes)
                .map(|refresh| Refresh { without_scripts, ..refresh });
        }
        Some(tag)
    }

    /// Takes in where a script leads, unless the page says so itself.
    fn script(&mut self, script: &str) {
        let has_its_own = self.links.refresh.as_ref().is_some_and(|refresh| !refresh.without_scripts);
        if self.n_templates > 0 || has_its_own {
            return;
        }
        let target = script_target(script).filter(|target| target.len() <= self.limits.max_href_bytes);
        if let Some(target) = target {
            self.links.refresh = Some(Refresh { seconds: 0, target, without_scripts: false, by_script: true });
        }
    }

    fn body(&mut self, at: usize) -> Option<TagEnd> {
        let mut onload = None;
        let tag = attributes(self.html, at, |name, value| {
            if name.eq_ignore_ascii_case("onload") {
                keep_first(&mut onload, value);
            }
        })?;
        if let Some(onload) = onload {
            self.script(&clean(onload));
        }
        Some(tag)
    }

    fn frame(&mut self, at: usize) -> Option<TagEnd> {
        let (mut source, mut page) = (None, None);
        let tag = attributes(self.html, at, |name, value| {
            if name.eq_ignore_ascii_case("src") {
                keep_first(&mut source, value);
            } else if name.eq_ignore_ascii_case("srcdoc") {
                keep_first(&mut page, value);
            }
        })?;
        if let Some(page) = page {
            self.inner.push(decode_entities(page, true).into_owned());
        } else if let Some(source) = source {
            self.keep_frame(source);
        }
        Some(tag)
    }

    /// An object that is a page stands in a frame, too.
    fn object(&mut self, at: usize) -> Option<TagEnd> {
        let (mut source, mut type_) = (None, None);
        let tag = attributes(self.html, at, |name, value| {
            if name.eq_ignore_ascii_case("data") || name.eq_ignore_ascii_case("src") {
                keep_first(&mut source, value);
            } else if name.eq_ignore_ascii_case("type") {
                keep_first(&mut type_, value);
            }
        })?;
        let is_page =
            |type_: &str| matches!(&*type_.trim().to_ascii_lowercase(), "text/html" | "application/xhtml+xml");
        if let Some(source) = source.filter(|_| type_.is_some_and(is_page)) {
            self.keep_frame(source);
        }
        Some(tag)
    }

    fn keep_frame(&mut self, source: &str) {
        let source = clean(source);
        if source.is_empty() || has_dead_scheme(&source) || source.len() > self.limits.max_href_bytes {
            return;
        }
        if self.links.frames.len() < MAX_FRAMES {
            self.links.frames.push(source);
        } else {
            self.links.truncated = true;
        }
    }

    fn text(&mut self, from: usize, to: usize) {
        if self.n_templates == 0 {
            let read = &self.html.as_bytes()[from..to];
            self.said.add(read);
            self.links.n_text_bytes += read.iter().filter(|byte| !byte.is_ascii_whitespace()).count();
        }
        if self.open.is_some() && from < to && self.n_templates == 0 {
            self.words(&decode_entities(&self.html[from..to], false));
        }
    }

    fn separate(&mut self) {
        if let Some(open) = &mut self.open {
            open.space = true;
        }
    }

    /// Appends text to the open link, white space collapsed, as long as its limits allow.
    fn words(&mut self, text: &str) {
        let Some(open) = &mut self.open else { return };
        if self.n_text_bytes >= self.limits.max_text_bytes {
            return;
        }
        for c in text.chars() {
            if open.n_chars >= self.limits.max_anchor_chars {
                return;
            }
            if c.is_whitespace() || c.is_control() || c == '\u{feff}' {
                open.space = true;
                continue;
            }
            if std::mem::take(&mut open.space) && !open.anchor.text.is_empty() {
                open.anchor.text.push(' ');
                open.n_chars += 1;
            }
            open.anchor.text.push(c);
            open.n_chars += 1;
        }
    }
}

/// Adds to a short list; false where it is full.
/// Keeps a canonical link that is not there yet; a page that names several names none, so a few are enough.
fn push_canonical(canonicals: &mut Vec<String>, href: &str) {
    const MAX_CANONICALS: usize = 8;
    if canonicals.len() < MAX_CANONICALS && !canonicals.iter().any(|known| known == href) {
        canonicals.push(href.to_owned());
    }
}

fn push_few<T>(list: &mut Vec<T>, item: T) -> bool {
    let has_room = list.len() < MAX_FEW;
    if has_room {
        list.push(item);
    }
    has_room
}

/// The standard keeps the first of two attributes with one name.
fn keep_first<'a>(slot: &mut Option<&'a str>, value: &'a str) {
    slot.get_or_insert(value);
}

fn clean(value: &str) -> String {
    decode_entities(value, true).trim_matches(|c: char| c <= ' ').to_owned()
}

fn has_dead_scheme(href: &str) -> bool {
    ["javascript:", "mailto:", "tel:", "data:"]
        .iter()
        .any(|scheme| href.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme)))
}

fn read_rel(value: &str) -> Rel {
    let mut rel = Rel::default();
    for word in value.split([' ', '\t', '\n', '\r', '\x0c', ',']) {
        rel.nofollow |= word.eq_ignore_ascii_case("nofollow");
        rel.ugc |= word.eq_ignore_ascii_case("ugc");
        rel.sponsored |= word.eq_ignore_ascii_case("sponsored");
    }
    rel
}

/// Reads `5; url=target`. Source: HTML standard §4.2.5.3, shared declarative refresh steps.
pub(super) fn read_refresh(content: &str) -> Option<Refresh> {
    let digits = content.bytes().take_while(u8::is_ascii_digit).count();
    let seconds = content[..digits].parse().unwrap_or(if digits == 0 { 0 } else { u32::MAX });
    if digits == 0 && !content.starts_with('.') {
        return None;
    }
    let rest = content[digits..].trim_start_matches(|c: char| c.is_ascii_digit() || c == '.').trim_start();
    let mut rest = rest.strip_prefix([';', ',']).unwrap_or(rest).trim_start();
    if let Some(start) = rest.get(..3)
        && start.eq_ignore_ascii_case("url")
        && let Some(value) = rest[3..].trim_start().strip_prefix('=')
    {
        rest = value.trim_start();
    }
    let target = match rest.chars().next()? {
        quote @ ('"' | '\'') => rest[1..].split(quote).next().unwrap_or_default(),
        _ => rest,
    };
    let target = target.trim();
    (!target.is_empty()).then(|| Refresh {
        seconds,
        target: target.to_owned(),
        without_scripts: false,
        by_script: false,
    })
}

fn ends_with_ignoring_case(bytes: &[u8], suffix: &[u8]) -> bool {
    bytes.len() >= suffix.len() && bytes[bytes.len() - suffix.len()..].eq_ignore_ascii_case(suffix)
}
