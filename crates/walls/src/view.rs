//! What a visitor sees of a page, as far as walls are concerned.

use gristmill_html::{Doc, LocalName, NodeId, TreeLimits};
use gristmill_page::{hidden::hides_text, is_block, is_heading};

use crate::tables::CONSENT_WORDS;

/// Least of a paragraph, and of all paragraphs of a page that tells something, in bytes without white space.
const PARAGRAPH: usize = 150;
const MUCH_TOLD: usize = 350;

/// Texts in small letters, white space collapsed.
#[derive(Debug, Default)]
pub(crate) struct View {
    pub(crate) title: String,
    /// The first heading of the highest rank.
    pub(crate) heading: String,
    /// One for each block.
    pub(crate) blocks: Vec<String>,
    /// Bytes of the blocks without white space.
    pub(crate) n_bytes: usize,
    /// Whether it tells something itself, in paragraphs, whatever it is called.
    pub(crate) tells: bool,
    /// Paragraphs below its heading, and their bytes, without links, forms, and what stands beside the text of a page.
    pub(crate) told: ToldParagraphs,
    /// What buttons and links say.
    pub(crate) controls: Vec<String>,
    pub(crate) n_links: usize,
    /// Whether it asks for a password.
    pub(crate) asks_password: bool,
    /// Whether it asks for a name or an address of mail, in a form of few fields.
    pub(crate) asks_name: bool,
}

/// Paragraphs of a page, and their bytes without white space.
#[derive(Debug, Default)]
pub(crate) struct ToldParagraphs {
    pub(crate) n: usize,
    pub(crate) n_bytes: usize,
}

/// A block whose text is being read.
#[derive(Default)]
struct OpenBlock {
    text: String,
    /// Bytes without white space of what is neither a link nor beside the text of the page.
    n_own: usize,
    /// Whether a heading stands before its end.
    is_below: bool,
}

impl OpenBlock {
    fn push(&mut self, text: &str, is_beside: bool, is_below: bool) {
        self.text.push_str(text);
        self.n_own += if is_beside { 0 } else { text.split_whitespace().map(str::len).sum() };
        self.is_below = is_below;
    }
}

impl View {
    /// Reads a page. O(bytes).
    pub(crate) fn of(html: &str) -> Self {
        let doc = Doc::parse(html, &TreeLimits::default());
        let mut view = Self { title: collapsed(&doc.title().unwrap_or_default()), ..Self::default() };
        view.read_body(&doc);
        let n_bytes = |block: &String| block.split(' ').map(str::len).sum::<usize>();
        view.n_bytes = view.blocks.iter().map(n_bytes).sum();
        view.tells = view.blocks.iter().map(n_bytes).filter(|n| *n >= PARAGRAPH).sum::<usize>() >= MUCH_TOLD;
        view.name_by_only_words();
        view
    }

    /// A page that has neither title nor heading, and one or two lines, is called what the first one says.
    fn name_by_only_words(&mut self) {
        const LONGEST_NAME: usize = 100;
        let is_nameless = self.title.is_empty() && self.heading.is_empty() && self.blocks.len() <= 2;
        if let Some(words) = self.blocks.first().filter(|words| is_nameless && words.len() <= LONGEST_NAME) {
            self.heading.clone_from(words);
        }
    }

    pub(crate) fn text(&self) -> String {
        self.blocks.join("\n")
    }

    fn read_body(&mut self, doc: &Doc) {
        let body = doc.body().unwrap_or(NodeId::DOCUMENT);
        let (mut block, mut n_fields, mut names) = (OpenBlock::default(), 0, 0);
        let mut beside_until = 0;
        let mut headings: [Option<String>; 2] = [None, None];
        let mut at = body.index() + 1;
        while at < doc.end(body) {
            let id = doc.id(at);
            if doc.is_text(id) {
                block.push(doc.text(id), at < beside_until, headings.iter().any(Option::is_some));
            } else if doc.is_element(id) {
                let name = doc.name(id);
                if is_unread(name) || hides_text(doc, id) {
                    at = doc.end(id);
                    continue;
                }
                if is_block(name) {
                    self.end_block(&mut block);
                }
                if is_beside(name) {
                    beside_until = beside_until.max(doc.end(id));
                }
                if matches!(name, LocalName::H1 | LocalName::H2) {
                    headings[usize::from(name == LocalName::H2)]
                        .get_or_insert_with(|| collapsed(&doc.text_content(id)));
                }
                self.read_control(doc, id, &mut n_fields, &mut names);
            }
            at += 1;
            self.end_blocks(doc, at, &mut block);
        }
        self.end_block(&mut block);
        let [first, second] = headings;
        self.heading = first.filter(|text| !text.is_empty()).or(second).unwrap_or_default();
        self.asks_name = names > 0 && n_fields <= 3;
    }

    /// Where a block ended before the node at `at`, the text behind it is another.
    fn end_blocks(&mut self, doc: &Doc, at: usize, block: &mut OpenBlock) {
        if at >= doc.len() || block.text.is_empty() {
            return;
        }
        let (before, next) = (doc.id(at - 1), doc.id(at));
        let left = doc.ancestors(before).take_while(|id| doc.end(*id) <= next.index());
        if left.into_iter().any(|id| is_block(doc.name(id)) || is_heading(doc.name(id))) {
            self.end_block(block);
        }
    }

    fn end_block(&mut self, block: &mut OpenBlock) {
        let OpenBlock { text, n_own, is_below } = std::mem::take(block);
        let text = collapsed(&text);
        if is_below && n_own >= PARAGRAPH && CONSENT_WORDS.longest_in(&text).is_none() {
            self.told.n += 1;
            self.told.n_bytes += n_own;
        }
        if !text.is_empty() {
            self.blocks.push(text);
        }
    }

    fn read_control(&mut self, doc: &Doc, id: NodeId, n_fields: &mut usize, names: &mut usize) {
        match doc.name(id) {
            LocalName::A => {
                self.n_links += 1;
                self.add_control(&doc.text_content(id));
            }
            LocalName::BUTTON => self.add_control(&doc.text_content(id)),
            LocalName::INPUT => {
                let kind = doc.attr(id, LocalName::TYPE).unwrap_or("text").trim().to_ascii_lowercase();
                match kind.as_str() {
                    "hidden" | "checkbox" | "radio" | "image" | "search" => {}
                    "submit" | "button" => self.add_control(doc.attr(id, LocalName::VALUE).unwrap_or_default()),
                    "password" => self.asks_password = true,
                    _ => {
                        *n_fields += 1;
                        *names += usize::from(kind == "email" || is_name_field(doc, id));
                    }
                }
            }
            _ => {}
        }
    }

    fn add_control(&mut self, text: &str) {
        const MAX_BYTES: usize = 60;
        let text = collapsed(text);
        if !text.is_empty() && text.len() <= MAX_BYTES {
            self.controls.push(text);
        }
    }
}

/// Whether a field is for who one is.
fn is_name_field(doc: &Doc, id: NodeId) -> bool {
    let names = [LocalName::NAME, LocalName::ID].into_iter().filter_map(|name| doc.attr(id, name));
    names.into_iter().any(|name| {
        let name = name.to_ascii_lowercase();
        ["user", "login", "email", "account", "identifier"].iter().any(|part| name.contains(part))
    })
}

/// Whether what is below it is a link, a form, or stands beside the text of a page.
fn is_beside(name: LocalName) -> bool {
    matches!(
        name,
        LocalName::A | LocalName::NAV | LocalName::ASIDE | LocalName::FOOTER | LocalName::FORM | LocalName::DIALOG
    )
}

/// Whether nothing below it is shown while scripts run.
fn is_unread(name: LocalName) -> bool {
    matches!(
        name,
        LocalName::SCRIPT
            | LocalName::STYLE
            | LocalName::TEMPLATE
            | LocalName::NOSCRIPT
            | LocalName::HEAD
            | LocalName::SVG
            | LocalName::SELECT
    )
}

/// Small letters, white space collapsed, apostrophes of one kind.
pub(crate) fn collapsed(text: &str) -> String {
    let mut collapsed = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !collapsed.is_empty() {
            collapsed.push(' ');
        }
        collapsed.extend(word.chars().map(|c| if c == '’' { '\'' } else { c }).flat_map(char::to_lowercase));
    }
    collapsed
}
