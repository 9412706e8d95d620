//! The categories above a product, as its page shows them.

use std::sync::LazyLock;

use gristmill_html::{LocalName, NodeId};
use gristmill_text::{PhraseMatcher, lower_letters};

use super::{SURE, leaves, rows};
use crate::heading::heading;
use crate::sourced::SourcedValue;
use crate::view::RecordView;

/// Most categories, and the longest name of one in characters.
const MAX_STEPS: usize = 12;
const MAX_STEP: usize = 80;
/// Rows before the heading and behind it in which links with arrows between them are the path to the product.
const ROWS_BEFORE: usize = 15;
const ROWS_BEHIND: usize = 4;

/// The categories of an element that calls itself a breadcrumb, or else of links with arrows between them beside the heading, without the
/// product at their end.
pub(crate) fn breadcrumb(view: &RecordView, title: Option<&str>) -> Option<SourcedValue<Vec<String>>> {
    let doc = view.doc;
    let is_crumb = |id: &NodeId| {
        let is_of_program = |at: usize| {
            doc.name_str(doc.attribute_name(at)).starts_with("data-") && doc.attribute_value(at).len() <= MAX_STEP
        };
        let names = |at: &usize| {
            matches!(
                doc.attribute_name(*at),
                LocalName::CLASS | LocalName::ID | LocalName::ARIA_LABEL | LocalName::ITEMPROP
            ) || is_of_program(*at)
        };
        doc.attribute_range(*id).filter(names).any(|at| CRUMB.is_in(doc.attribute_value(at)))
    };
    let steps = doc.ids().filter(|&id| doc.is_element(id)).filter(is_crumb).map(|id| steps(view, id));
    let named = steps.take(20).find(|steps| steps.len() >= 2);
    let mut steps = named
        .or_else(|| in_old_words(view))
        .or_else(|| led(view))
        .or_else(|| unnamed(view, title, false))
        .or_else(|| listed(view, title))
        .or_else(|| unnamed(view, title, true))?;
    steps.retain(|step| {
        !step.is_empty() && !BACK.contains(&step.trim_matches(SEPARATORS).trim().to_lowercase().as_str())
    });
    // Some shops write the path from the product up, and turn it round by their style sheet.
    let is_title = |step: &String| title.is_some_and(|title| title.trim() == step);
    if steps.first().is_some_and(is_title) {
        steps.reverse();
    }
    let steps = above(view, steps, title);
    (!steps.is_empty()).then(|| SourcedValue::new(steps, "breadcrumb", SURE))
}

/// A path without the product at its end: its title, that of the page's heading, or the beginning of one of them that was cut.
pub(crate) fn above(view: &RecordView, mut steps: Vec<String>, title: Option<&str>) -> Vec<String> {
    let heading = heading(view).map(|id| plain(view.slice(view.span_of(id.index()))));
    let names: Vec<String> = title.map(plain).into_iter().chain(heading).filter(|name| !name.is_empty()).collect();
    let Some(last) = steps.last().map(|last| plain(last)) else { return steps };
    // A category may begin as the product does: `Lamp`, `Lamp Nova`.
    let is_cut = steps.last().is_some_and(|last| last.trim_end().ends_with(['…', '.']));
    let is_own = |name: &String| {
        *name == last || name.starts_with(&last) && (is_cut || 4 * last.len() > 3 * name.len()) && steps.len() > 1
    };
    if names.iter().any(is_own) {
        steps.pop();
    }
    steps
}

/// The links behind words that say where the visitor is, above the heading: between them a style sheet may draw the arrows.
fn led(view: &RecordView) -> Option<Vec<String>> {
    const MAX_AROUND: usize = 3;
    let rows = rows(view, ROWS_BEFORE, ROWS_BEFORE);
    let says_here = |text: &str| HERE.contains(&text.trim().trim_end_matches([':', '：']).to_lowercase().as_str());
    let leaf =
        view.leaves[leaves(rows)].iter().find(|leaf| says_here(&view.text[leaf.start as usize..leaf.end as usize]))?;
    let around = view.doc.ancestors(view.doc.id(leaf.node.index())).take(MAX_AROUND);
    let links = |id: NodeId| {
        let (from, to) = view.leaf_range(id.index());
        let texts = view.leaves[from..to].iter().filter(|leaf| leaf.in_link);
        texts.map(|leaf| view.text[leaf.start as usize..leaf.end as usize].trim().to_owned()).collect::<Vec<_>>()
    };
    let is_path = |steps: &Vec<String>| {
        (2..=MAX_STEPS).contains(&steps.len()) && steps.iter().all(|step| !step.is_empty() && step.len() <= MAX_STEP)
    };
    around.map(links).find(is_path)
}

/// Words for where a visitor is, in lower case.
const HERE: [&str; 22] = [
    "you are here",
    "current location",
    "sie sind hier",
    "sie befinden sich hier",
    "vous êtes ici",
    "estás aquí",
    "usted está aquí",
    "está aquí",
    "você está aqui",
    "tu sei qui",
    "ti trovi in",
    "u bent hier",
    "je bent hier",
    "jesteś tutaj",
    "nacházíte se",
    "вы здесь",
    "buradasınız",
    "現在地",
    "現在位置",
    "您的位置",
    "当前位置",
    "현재 위치",
];

/// The links beside a path that lead back, in lower case.
const BACK: [&str; 16] = [
    "back",
    "return",
    "zurück",
    "retour",
    "volver",
    "voltar",
    "indietro",
    "terug",
    "tillbaka",
    "tilbage",
    "tilbake",
    "takaisin",
    "wstecz",
    "zpět",
    "назад",
    "geri",
];

/// What elements that hold the categories call themselves.
static CRUMB: LazyLock<PhraseMatcher> = LazyLock::new(|| {
    PhraseMatcher::in_any_case(&[
        "breadcrumb",
        "bread-crumb",
        "crumbs",
        "brdcrmb",
        "brotkrum",
        "krümelpfad",
        "kruemelpfad",
        "ariane",
        "kruimel",
        "migas",
        "briciole",
        "okruszk",
        "drobeck",
        "drobečk",
        "kroshk",
        "крошк",
        "morzsa",
        "navigationpath",
        "hierarchyelements",
    ])
});

/// Marks between categories.
const SEPARATORS: [char; 20] =
    ['>', '›', '»', '/', '|', '→', '·', '-', '<', '«', '\\', '❯', '〉', '＞', '–', '—', '•', '▸', '►', '⟩'];
/// Those of them that stand between nothing else.
const ARROWS: [char; 7] = ['>', '›', '»', '→', '❯', '〉', '＞'];

/// The words between separators: those of one link or item together.
fn steps(view: &RecordView, id: NodeId) -> Vec<String> {
    let (a, b) = view.leaf_range(id.index());
    let mut steps: Vec<(usize, String)> = Vec::new();
    for leaf in &view.leaves[a..b] {
        let text = view.text[leaf.start as usize..leaf.end as usize].trim();
        let text = if text.contains('«') { text } else { text.trim_matches(SEPARATORS).trim() };
        // A heading without a link says what the list is, and so do words with a colon before it.
        let says_here = || text.ends_with([':', '：', '?']) || HERE.contains(&text.to_lowercase().as_str());
        let is_label = leaf.in_heading || steps.is_empty() && says_here();
        if !text.chars().any(char::is_alphanumeric) || is_label && !leaf.in_link {
            continue;
        }
        let Some(place) = item(view, leaf.node.index(), id.index()) else { continue };
        if let Some((_, words)) = steps.last_mut().filter(|(last, _)| *last == place) {
            words.push(' ');
            words.push_str(text);
        } else if steps.len() >= MAX_STEPS {
            return Vec::new();
        } else if text.chars().count() > MAX_STEP {
            // The product may have a long name.
            break;
        } else {
            steps.push((place, text.to_owned()));
        }
    }
    steps.into_iter().map(|(_, text)| text).collect()
}

/// The link or list item around a node inside of `limit`, or the node itself; none within a menu that an item opens.
fn item(view: &RecordView, node: usize, limit: usize) -> Option<usize> {
    let mut found = None;
    let mut at = view.parent(node);
    while at > limit {
        if matches!(view.name(at), LocalName::A | LocalName::LI) {
            found = found.or(Some(at));
        }
        if is_menu(view, view.doc.id(at)) {
            return None;
        }
        at = view.parent(at);
    }
    Some(found.unwrap_or(node))
}

/// Whether an element is a list of several items within an item of another.
fn is_menu(view: &RecordView, id: NodeId) -> bool {
    let doc = view.doc;
    let is_list = |id: NodeId| matches!(doc.name(id), LocalName::UL | LocalName::OL);
    let n_items = || doc.children(id).filter(|&id| doc.name(id) == LocalName::LI).take(2).count();
    is_list(id) && doc.ancestors(id).take(4).any(|around| doc.name(around) == LocalName::LI) && n_items() > 1
}

/// The steps in the words of the vocabulary before that of schema.org: `itemtype=http://data-vocabulary.org/Breadcrumb`, `typeof=v:Breadcrumb`.
fn in_old_words(view: &RecordView) -> Option<Vec<String>> {
    let doc = view.doc;
    let says = |id: NodeId, name: &str, values: &[&str]| {
        doc.attributes(id)
            .any(|own| doc.name_str(own.name) == name && values.iter().any(|value| own.value.ends_with(value)))
    };
    let is_step = |id: NodeId| says(id, "itemtype", &["/Breadcrumb"]) || says(id, "typeof", &[":Breadcrumb"]);
    let is_name = |id: NodeId| says(id, "itemprop", &["title"]) || says(id, "property", &[":title"]);
    let name = |id: NodeId| {
        let within = || doc.subtree(id).skip(1).take_while(|&id| !is_step(id));
        let named = within().find(|&id| is_name(id)).or_else(|| within().find(|&id| doc.name(id) == LocalName::A))?;
        Some(view.slice(view.span_of(named.index())).trim().trim_matches(SEPARATORS).trim().to_owned())
    };
    let steps = doc.ids().filter(|&id| doc.is_element(id) && is_step(id)).take(MAX_STEPS).filter_map(name);
    let steps: Vec<String> = steps.filter(|step| !step.is_empty()).collect();
    (steps.len() >= 2).then_some(steps)
}

/// The items of a list above the heading of which the first leads to the home page, the last is the product, and all between are links.
fn listed(view: &RecordView, title: Option<&str>) -> Option<Vec<String>> {
    let doc = view.doc;
    let heading = heading(view)?;
    let name = plain(view.slice(view.span_of(heading.index())));
    let names = [title.map(plain).unwrap_or_default(), name];
    let is_home = |link: NodeId| {
        let href = doc.attr(link, LocalName::HREF).unwrap_or_default();
        let path =
            href.find("://").map_or(href, |at| href[at + 3..].find('/').map_or("", |slash| &href[at + 3 + slash..]));
        matches!(path, "" | "/")
    };
    let link = |item: NodeId| doc.subtree(item).find(|&id| doc.name(id) == LocalName::A);
    let text = |id: NodeId| view.slice(view.span_of(id.index())).trim().trim_matches(SEPARATORS).trim().to_owned();
    let path = |list: NodeId| {
        let items: Vec<NodeId> =
            doc.children(list).filter(|&id| doc.name(id) == LocalName::LI).take(MAX_STEPS + 1).collect();
        let (last, others) = items.split_last().filter(|(_, others)| (1..MAX_STEPS).contains(&others.len()))?;
        let links: Vec<NodeId> = others.iter().map(|&item| link(item)).collect::<Option<_>>()?;
        let product = plain(&text(*last));
        let ends = !product.is_empty() && names.iter().any(|name| name == &product);
        (ends && is_home(links[0])).then(|| links.into_iter().map(text).collect::<Vec<String>>())
    };
    let lists =
        doc.ids().take_while(|id| *id < heading).filter(|&id| matches!(doc.name(id), LocalName::UL | LocalName::OL));
    lists.filter_map(path).last()
}

/// The letters and digits of a text, in lower case.
fn plain(text: &str) -> String {
    lower_letters(text).collect()
}

/// The first two or more links near the heading with arrows between them, and what stands behind the last arrow. Words before the first
/// link are no category (`You are here:`). With slashes between them, as menus have, they must end in the product.
fn unnamed(view: &RecordView, title: Option<&str>, by_slash: bool) -> Option<Vec<String>> {
    let arrows = |c: char| if by_slash { c == '/' } else { ARROWS.contains(&c) };
    let rows = rows(view, ROWS_BEFORE, ROWS_BEFORE + ROWS_BEHIND);
    let (mut steps, mut n_links, mut is_open) = (Vec::new(), 0, false);
    for leaf in &view.leaves[leaves(rows)] {
        let written = view.text[leaf.start as usize..leaf.end as usize].trim();
        let text = written.trim_matches(arrows).trim();
        let (opens, closes) = (written.starts_with(arrows), written.ends_with(arrows));
        if text.is_empty() {
            is_open |= opens;
            continue;
        }
        let goes_on = (is_open || opens) && !steps.is_empty() && steps.len() < MAX_STEPS;
        if !goes_on {
            if n_links >= 2 {
                break;
            }
            (steps, n_links) = (Vec::new(), 0);
        }
        is_open = closes;
        let is_last = title.is_some_and(|title| title.trim() == text);
        if text.len() <= MAX_STEP && (leaf.in_link || goes_on || is_last) {
            steps.push(text.to_owned());
            n_links += usize::from(leaf.in_link);
        }
    }
    let is_product = || steps.last().is_some_and(|last| title.is_some_and(|title| title.trim() == last));
    (n_links >= 2 && (!by_slash || is_product())).then_some(steps)
}

#[cfg(test)]
mod tests {
    use super::super::tests::of;
    use super::*;

    #[test]
    fn the_breadcrumb_ends_above_the_product() {
        let html = "<nav aria-label=Breadcrumb><ol><li><a href=/>Home</a> ›<li><a href=/l><b>Desk</b> lamps</a> › <li>Nova</ol></nav>";
        let names = of(html, |view| breadcrumb(view, Some("Nova")).map(|known| known.value));
        assert_eq!(names, Some(vec!["Home".to_owned(), "Desk lamps".to_owned()]));
        let turned = "<h3>Trail</h3><a>Nova</a><a>Desk lamps</a><a>Home</a>";
        let turned = of(&format!("<div class=breadcrumbs>{turned}</div>"), |view| breadcrumb(view, Some("Nova")));
        assert_eq!(turned.unwrap().value, ["Home", "Desk lamps"]);
        let led = "<div class=breadcrumb>You are here: <a>Home</a> › <a>Desk lamps</a> › Nova</div>";
        assert_eq!(of(led, |view| breadcrumb(view, Some("Nova"))).unwrap().value, ["Home", "Desk lamps"]);
        let tested = "<div data-testid=breadcrumbs><a href=/>Home</a> <a href=/l>Desk lamps</a></div>";
        assert_eq!(of(tested, |view| breadcrumb(view, Some("Nova"))).unwrap().value, ["Home", "Desk lamps"]);
        assert_eq!(of("<div class=breadcrumb>Home</div>", |view| breadcrumb(view, None)), None);
    }

    #[test]
    fn paths_are_read_in_old_vocabularies_lists_and_without_menus() {
        let path = |html: &str| {
            of(&format!("{html}<h1>Nova</h1>"), |view| breadcrumb(view, Some("Nova")).map(|known| known.value))
        };
        let step = |name: &str| {
            format!(
                "<span itemscope itemtype='http://data-vocabulary.org/Breadcrumb'><a href=/x><b itemprop=title>{name}</b></a></span>"
            )
        };
        let rdfa = |name: &str| format!("<li typeof=v:Breadcrumb><a href=/x property=v:title>{name}</a> |");
        let menu = "<div class=menu><ul><li><a href=/a>Floor lamps</a><li><a href=/b>Wall lamps</a></ul></div>";
        for html in [
            format!("<h3>{}{}</h3>", step("Home"), step("Desk lamps")),
            format!("<ul>{}{}</ul>", rdfa("Home"), rdfa("Desk lamps")),
            "<ul><li><a href=https://shop.example>Home</a><li><a href=/l>Desk lamps</a><li>Nova</ul>".to_owned(),
            format!("<ul class=breadcrumb><li><a href=/>Home</a><li><a href=/l>Desk lamps</a>{menu}<li>Nova</ul>"),
            "<div class=fil-ariane>Wo bin ich? <a href=/back>« Zurück</a> <a href=/>Home</a> – <a href=/l>Desk lamps</a> – Nova</div>".to_owned(),
            format!("<p class=crumbs><a href=/>Home</a> / <a href=/l>Desk lamps</a> / {}</p>", "Nova ".repeat(30)),
        ] {
            assert_eq!(path(&html), Some(vec!["Home".to_owned(), "Desk lamps".to_owned()]), "{html}");
        }
        for html in [
            "<ul><li><a href=/>Home</a><li><a href=/l>Login</a><li><a href=/c>Contact</a></ul>",
            "<ul><li><a href=/l>Desk lamps</a><li>Nova</ul>",
        ] {
            assert_eq!(path(html), None, "{html}");
        }
    }

    #[test]
    fn links_with_arrows_between_them_beside_the_heading_are_a_path() {
        let path = |html: &str| of(html, |view| breadcrumb(view, Some("Nova")).map(|known| known.value));
        let links = "<a href=/>Home</a> › <a href=/l>Desk lamps</a>";
        for html in [
            format!("<p>You are here: {links} › Nova</p><h1>Nova</h1>"),
            format!("<div>{links}</div><h1>Nova</h1>"),
            "<ul><li><a href=/>Home</a> &gt;</li><li><a href=/l>Desk lamps</a> &gt;</li></ul><h1>Nova</h1>".to_owned(),
            format!("<p>{} / Nova</p><h1>Nova</h1>", links.replace('›', "/")),
            "<h1>Nova</h1><p><a href=/>Home</a><i>»</i><a href=/l>Desk lamps</a></p>".to_owned(),
            "<div><span>You are here:</span> <a href=/>Home</a> <a href=/l>Desk lamps</a></div><h1>Nova</h1>"
                .to_owned(),
        ] {
            assert_eq!(path(&html), Some(vec!["Home".to_owned(), "Desk lamps".to_owned()]), "{html}");
        }
        for html in [
            "<p><a href=/>Home</a> / <a href=/l>Login</a></p><h1>Nova</h1>",
            "<p><a href=/>Home</a> | <a href=/l>Login</a></p><h1>Nova</h1>",
            "<p><a href=/>Home</a> <a href=/l>More ›</a></p><h1>Nova</h1>",
        ] {
            assert_eq!(path(html), None, "{html}");
        }
    }
}
