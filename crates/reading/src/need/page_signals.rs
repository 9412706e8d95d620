//! One walk over a page: text, scripts, and the marks of what is to be drawn.

use gristmill_html::{Doc, LocalName, NodeId};

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
const MARKS: [&str; 12] = [
    "data-reactroot",
    "ng-version",
    "ng-app",
    "data-v-app",
    "data-server-rendered",
    "data-sveltekit-preload-data",
    "data-sveltekit-hydrate",
    "x-data",
    "v-cloak",
    "ng-cloak",
    "data-bind",
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

/// Words of classes that stand where something is still to come.
const PLACEHOLDERS: [&str; 8] =
    ["loading", "loader", "preloader", "skeleton", "spinner", "placeholder", "shimmer", "lazy"];

/// What scripts call to ask for more.
const REQUESTS: [&str; 3] = ["fetch(", "XMLHttpRequest", ".ajax("];

/// Nodes of an element that may be a placeholder, itself and its words included.
const SMALL: usize = 4;

/// Nodes that are looked at; a page that is longer is no shell.
const MAX_NODES: usize = 1_500;

/// Bytes of inline scripts that are searched for requests.
const MAX_SEARCHED: usize = 4_096;

#[derive(Debug, Default)]
pub(crate) struct PageSignals {
    pub(crate) visible: usize,
    pub(crate) inline: usize,
    pub(crate) linked: usize,
    pub(crate) module: bool,
    pub(crate) empty_root: bool,
    pub(crate) framework: bool,
    pub(crate) noscript: bool,
    pub(crate) links: usize,
    pub(crate) link_text: usize,
    pub(crate) empty: usize,
    /// Of these, those with an id.
    pub(crate) empty_named: usize,
    /// Bytes of JSON for scripts.
    pub(crate) state: usize,
    /// Bytes of JSON-LD.
    pub(crate) declared: usize,
    pub(crate) placeholders: usize,
    /// Texts with `{{`.
    pub(crate) templates: usize,
    pub(crate) headings: usize,
    pub(crate) paragraphs: usize,
    pub(crate) elements: usize,
    pub(crate) fetches: bool,
    /// Bytes of inline scripts that were searched for that.
    searched: usize,
}

/// Looks at a page. O(nodes), up to a limit.
pub(crate) fn look(doc: &Doc) -> PageSignals {
    let framework = MARKS.iter().any(|mark| doc.find_name(mark).is_some());
    let mut seen = PageSignals { framework, ..PageSignals::default() };
    let (mut at, end) = (0, doc.len().min(MAX_NODES));
    let mut link_end = 0;
    while at < end {
        let id = doc.id(at);
        at += 1;
        if doc.is_text(id) {
            text(doc.text(id), id.index() < link_end, &mut seen);
            continue;
        }
        match doc.name(id) {
            LocalName::SCRIPT => {
                script(doc, id, &mut seen);
                at = doc.end(id);
            }
            LocalName::STYLE | LocalName::TEMPLATE | LocalName::TITLE => at = doc.end(id),
            LocalName::NOSCRIPT => {
                seen.noscript |= asks_for_scripts(doc, id);
                at = doc.end(id);
            }
            LocalName::A => {
                seen.links += 1;
                link_end = doc.end(id);
            }
            LocalName::H1 | LocalName::H2 | LocalName::H3 | LocalName::H4 => seen.headings += 1,
            name => element(doc, id, name, &mut seen),
        }
        seen.elements += 1;
    }
    seen
}

fn text(text: &str, is_link: bool, seen: &mut PageSignals) {
    let size = visible(text);
    seen.visible += size;
    if is_link {
        seen.link_text += size;
    }
    seen.templates += usize::from(size > 3 && text.as_bytes().contains(&b'{') && text.contains("{{"));
}

/// Bytes of a text without the white space around it.
fn visible(text: &str) -> usize {
    text.trim_ascii().len()
}

fn asks_for_scripts(doc: &Doc, noscript: NodeId) -> bool {
    let says = |text: &str| {
        let words = text.as_bytes().windows(10);
        text.len() < 1_000 && words.into_iter().any(|word| word.eq_ignore_ascii_case(b"javascript"))
    };
    doc.subtree(noscript).take(20).any(|id| says(doc.text(id)))
}

fn script(doc: &Doc, id: NodeId, seen: &mut PageSignals) {
    let kind = doc.attr(id, LocalName::TYPE).unwrap_or_default().trim();
    let is = |part: &[u8]| kind.as_bytes().get(..part.len()).is_some_and(|head| head.eq_ignore_ascii_case(part));
    let inline = || doc.children(id).map(|child| doc.text(child).len()).sum::<usize>();
    if kind.contains("json") {
        *(if kind.contains("ld+") { &mut seen.declared } else { &mut seen.state }) += inline();
        return;
    }
    if is(b"text/x-") || is(b"text/template") {
        seen.templates += 1;
        return;
    }
    seen.module |= kind.eq_ignore_ascii_case("module");
    match doc.attr(id, LocalName::SRC) {
        Some(address) => {
            seen.linked += 1;
            seen.framework = seen.framework || BUNDLES.iter().any(|part| address.contains(part));
        }
        None => {
            seen.inline += inline();
            for child in doc.children(id) {
                let code = doc.text(child);
                let code = &code[..code.floor_char_boundary(MAX_SEARCHED.saturating_sub(seen.searched))];
                seen.searched += code.len();
                seen.fetches = seen.fetches || REQUESTS.iter().any(|call| code.contains(call));
            }
        }
    }
}

fn element(doc: &Doc, id: NodeId, name: LocalName, seen: &mut PageSignals) {
    let is_box = matches!(
        name,
        LocalName::DIV
            | LocalName::SECTION
            | LocalName::MAIN
            | LocalName::UL
            | LocalName::TBODY
            | LocalName::ARTICLE
            | LocalName::P
    );
    seen.paragraphs += usize::from(name == LocalName::P);
    let is_custom = !is_box && name.as_known_str().is_none() && doc.name_str(name).contains('-');
    if !is_box && !is_custom {
        return;
    }
    let is_hollow = is_hollow(doc, id);
    let is_small = is_hollow || doc.end(id) - id.index() <= SMALL;
    if !is_small {
        return;
    }
    let class = doc.attr(id, LocalName::CLASS).unwrap_or_default();
    seen.placeholders += usize::from(is_placeholder(class));
    if !is_hollow {
        return;
    }
    seen.empty += 1;
    let own = doc.attr(id, LocalName::ID).unwrap_or_default();
    seen.empty_named += usize::from(!own.is_empty());
    let is_root = [own, class]
        .into_iter()
        .flat_map(str::split_ascii_whitespace)
        .any(|word| ROOTS.iter().any(|root| word.eq_ignore_ascii_case(root)));
    seen.empty_root |= is_root || is_custom && doc.depth(id) <= 4;
}

fn is_placeholder(class: &str) -> bool {
    class.len() >= 4 && class.split([' ', '-', '_']).any(|word| PLACEHOLDERS.contains(&word))
}

/// Whether an element has no text within it, as far as its first few nodes show.
fn is_hollow(doc: &Doc, id: NodeId) -> bool {
    let end = doc.end(id).min(id.index() + 12);
    end == doc.end(id) && (id.index() + 1..end).all(|at| visible(doc.text(doc.id(at))) == 0)
}
