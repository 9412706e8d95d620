//! What is looked at: a few numbers of one page.

use gristmill_html::{Doc, Name, NodeId};

/// What extraction got of a page without a browser.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Got {
    /// Characters of main text.
    pub chars: usize,
    /// The word F1 that the text is expected to have.
    pub confidence: f32,
    /// How probable it is that the page shows a product.
    pub product: f32,
    /// Attributes and fields of product records.
    pub pairs: usize,
    /// Whether the text stood in JSON-LD, or in the state that the page carries for its scripts, and not in the tree.
    pub declared: bool,
}

/// Number of features.
pub const N_FEATURES: usize = 14;

/// Their names, for reports.
pub const NAMES: [&str; N_FEATURES] = [
    "main text",
    "visible text",
    "inline script",
    "linked scripts",
    "module script",
    "empty root",
    "framework",
    "noscript asks for scripts",
    "confidence",
    "product without pairs",
    "pairs",
    "links",
    "empty boxes",
    "script share",
];

/// The numbers of one page; sizes as natural logarithms, the rest from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Features {
    /// In the order of [`NAMES`].
    pub values: [f32; N_FEATURES],
    /// Whether any script could change the page.
    pub has_scripts: bool,
}

/// Elements of these ids or classes are where frameworks put what they draw.
const ROOTS: [&str; 14] = [
    "root",
    "app",
    "__next",
    "__nuxt",
    "svelte",
    "main-app",
    "app-root",
    "react-root",
    "mount",
    "q-app",
    "___gatsby",
    "container-root",
    "vue-app",
    "application",
];

/// Attributes that frameworks leave on what they draw, or where they draw.
const MARKS: [&str; 10] = [
    "data-reactroot",
    "ng-version",
    "ng-app",
    "data-v-app",
    "data-server-rendered",
    "data-sveltekit-preload-data",
    "data-sveltekit-hydrate",
    "x-data",
    "v-cloak",
    "data-ember-extension",
];

/// Parts of the addresses of scripts that such frameworks bundle.
const BUNDLES: [&str; 9] = [
    "/_next/",
    "/_nuxt/",
    "/assets/index-",
    "/static/js/main.",
    "/_app/immutable/",
    "chunk-vendors",
    "bundle.js",
    "runtime.",
    "polyfills.",
];

/// Nodes that are looked at; a page that is longer is no shell.
const MAX_NODES: usize = 3_000;

#[derive(Default)]
struct Seen {
    visible: usize,
    inline: usize,
    linked: usize,
    module: bool,
    empty_root: bool,
    framework: bool,
    noscript: bool,
    links: usize,
    empty: usize,
}

impl Features {
    /// Looks at a page. O(nodes), up to a limit.
    pub fn of(doc: &Doc, got: &Got) -> Self {
        let seen = look(doc);
        let size = |n: usize| (1.0 + n as f32).ln();
        let flag = |is: bool| f32::from(u8::from(is));
        let script_share = seen.inline as f32 / (seen.inline + seen.visible + 200) as f32;
        let values = [
            size(got.chars),
            size(seen.visible),
            size(seen.inline),
            size(seen.linked),
            flag(seen.module),
            flag(seen.empty_root),
            flag(seen.framework),
            flag(seen.noscript),
            got.confidence,
            flag(got.product > 0.3 && got.pairs == 0),
            size(got.pairs),
            size(seen.links),
            size(seen.empty),
            script_share,
        ];
        Self { values, has_scripts: seen.inline + seen.linked > 0 }
    }
}

fn look(doc: &Doc) -> Seen {
    let mut seen = Seen::default();
    let marks: Vec<Name> = MARKS.iter().filter_map(|mark| doc.find_name(mark)).collect();
    let (mut at, end) = (0, doc.len().min(MAX_NODES));
    while at < end {
        let id = doc.id(at);
        at += 1;
        if doc.is_text(id) {
            seen.visible += visible(doc.text(id));
            continue;
        }
        seen.framework |= !marks.is_empty() && doc.attributes(id).any(|attribute| marks.contains(&attribute.name));
        match doc.name(id) {
            Name::SCRIPT => {
                script(doc, id, &mut seen);
                at = doc.end(id);
            }
            Name::STYLE | Name::TEMPLATE | Name::TITLE => at = doc.end(id),
            Name::NOSCRIPT => {
                let text = doc.text_content(id).to_ascii_lowercase();
                seen.noscript |= text.len() < 1_000 && text.contains("javascript");
                at = doc.end(id);
            }
            Name::A => seen.links += 1,
            name => element(doc, id, name, &mut seen),
        }
    }
    seen
}

/// Bytes of a text without the white space around it.
fn visible(text: &str) -> usize {
    text.trim().len()
}

fn script(doc: &Doc, id: NodeId, seen: &mut Seen) {
    let kind = doc.attr(id, Name::TYPE).unwrap_or_default().trim().to_ascii_lowercase();
    if kind.contains("json") || kind.starts_with("text/x-") || kind == "text/template" {
        return;
    }
    seen.module |= kind == "module";
    match doc.attr(id, Name::SRC) {
        Some(address) => {
            seen.linked += 1;
            seen.framework |= BUNDLES.iter().any(|part| address.contains(part));
        }
        None => seen.inline += doc.children(id).map(|child| doc.text(child).len()).sum::<usize>(),
    }
}

fn element(doc: &Doc, id: NodeId, name: Name, seen: &mut Seen) {
    let is_box =
        matches!(name, Name::DIV | Name::SECTION | Name::MAIN | Name::UL | Name::TBODY | Name::ARTICLE | Name::P);
    let is_custom = doc.name_str(name).contains('-');
    if !is_box && !is_custom || !is_hollow(doc, id) {
        return;
    }
    seen.empty += 1;
    let named = [Name::ID, Name::CLASS].into_iter().filter_map(|attribute| doc.attr(id, attribute));
    let is_root = named
        .flat_map(str::split_ascii_whitespace)
        .any(|word| ROOTS.iter().any(|root| word.eq_ignore_ascii_case(root)));
    seen.empty_root |= is_root || is_custom && doc.depth(id) <= 4;
}

/// Whether an element has no text within it, as far as its first few nodes show.
fn is_hollow(doc: &Doc, id: NodeId) -> bool {
    let end = doc.end(id).min(id.index() + 12);
    end == doc.end(id) && (id.index() + 1..end).all(|at| visible(doc.text(doc.id(at))) == 0)
}
