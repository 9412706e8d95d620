//! Facts from JSON-LD, tolerant of what pages get wrong in it.

use gristmill_html::{Doc, LocalName, unescape};
use gristmill_page::Page;
use gristmill_page::declared::{Item, Items, PropertyValue};
use gristmill_text::collapse;

use super::value::clean;

/// What the JSON-LD of a page says about its article or product.
#[derive(Debug, Default)]
pub(super) struct JsonLdFields {
    pub(super) product: bool,
    pub(super) published: Option<String>,
    pub(super) modified: Option<String>,
    /// Days of other things: when an event is, an offer ends, a review was written.
    pub(super) other_days: Vec<String>,
    pub(super) authors: Vec<String>,
    /// Organisations named as authors.
    pub(super) organisations: Vec<String>,
    pub(super) publisher: Option<String>,
    /// The name of the site.
    pub(super) site: Option<String>,
    pub(super) description: Option<String>,
    pub(super) image: Option<String>,
    pub(super) keywords: Vec<String>,
    pub(super) language: Option<String>,
    pub(super) bodies: DeclaredTexts,
}

/// Texts that JSON-LD declares, markup and line breaks as they stand.
#[derive(Debug, Clone, Default)]
pub(crate) struct DeclaredTexts {
    /// The longest `articleBody` or `text`; of questions and discussions all texts in their order.
    pub(crate) body: Option<String>,
    /// The longest `description` of an article, product, event or the like.
    pub(crate) description: Option<String>,
}

const MAX_NAMES: usize = 20;

/// Reads all JSON-LD scripts. What cannot be read of one is left out with a warning.
pub(super) fn read(page: &Page<'_>, warnings: &mut Vec<String>) -> JsonLdFields {
    let mut facts = JsonLdFields::default();
    let (doc, json_ld) = (page.doc, page.json_ld());
    warnings.extend(json_ld.unread.iter().map(|_| "JSON-LD that could not be read left out".to_owned()));
    let items = &json_ld.items;
    if items.items.is_empty() {
        return facts;
    }
    facts.other_days = other_days(items);
    let mut page = of_page(items);
    keep_own_article(&mut page, doc);
    facts.product = page.iter().any(|item| has_type(item, &["Product", "ProductGroup", "IndividualProduct"]));
    facts.bodies = bodies(items, &page);
    // Articles first, then pages: a field of the article wins.
    for accept in [is_article, is_page] {
        for item in page.iter().filter(|item| accept(item)) {
            take(items, item, &mut facts);
        }
    }
    // Beside an article it may be of another day.
    let has_article = page.iter().any(|item| is_article(item) && !item.is("JobPosting"));
    let dated = page.iter().filter(|_| !has_article && !facts.product).find_map(|item| of_kind(item, doc));
    facts.published = facts.published.take().or(dated);
    let site = items.items.iter().find(|item| item.is("WebSite"));
    facts.site = site.and_then(|site| site.text("name")).and_then(shown);
    facts
}

/// When a film was put up, or an opening or a house was offered, where that is what the page shows.
fn of_kind(item: &Item, doc: &Doc) -> Option<String> {
    const KINDS: [(&str, &str); 3] =
        [("VideoObject", "uploadDate"), ("JobPosting", "datePosted"), ("RealEstateListing", "datePosted")];
    let title = || doc.title().or_else(|| doc.meta("og:title").map(str::to_owned)).map(|title| collapse(&title));
    let is_shown = |name: &str| title().is_some_and(|title| title.contains(name));
    // A film may stand on a page of something else.
    let is_own = !item.is("VideoObject") || item.text("name").and_then(shown).is_some_and(|name| is_shown(&name));
    let (_, key) = KINDS.iter().find(|(kind, _)| is_own && item.is(kind))?;
    item.text(key).and_then(shown)
}

fn other_days(items: &Items) -> Vec<String> {
    const MOST: usize = 30;
    const KEYS: [&str; 11] = [
        "startDate",
        "endDate",
        "doorTime",
        "validFrom",
        "validThrough",
        "priceValidUntil",
        "availabilityStarts",
        "availabilityEnds",
        "birthDate",
        "deathDate",
        "foundingDate",
    ];
    let of = |item: &Item| {
        let written = item.is("Review").then(|| item.text("datePublished")).flatten();
        let days = KEYS.iter().filter_map(|key| item.text(key)).chain(written);
        days.map(str::to_owned).collect::<Vec<_>>()
    };
    items.items.iter().flat_map(of).take(MOST).collect()
}

/// The items that describe the page: those that no other holds, and the main entities of these. O(items).
fn of_page(items: &Items) -> Vec<&Item> {
    let mut seen = vec![false; items.items.len()];
    let mut page = Vec::new();
    let mut todo: Vec<usize> = (0..items.items.len()).rev().filter(|&at| items.items[at].top).collect();
    while let Some(at) = todo.pop() {
        if std::mem::replace(&mut seen[at], true) {
            continue;
        }
        let item = &items.items[at];
        page.push(item);
        todo.extend(["mainEntityOfPage", "mainEntity"].iter().flat_map(|key| item.all(key)).filter_map(index));
    }
    page
}

/// Of several articles leaves the one that has the page's title for its headline, if one has: the page leads to the others.
fn keep_own_article(page: &mut Vec<&Item>, doc: &Doc) {
    let title = || doc.first(LocalName::TITLE).map(|id| collapse(&doc.text_content(id)));
    let Some(title) = doc.meta("og:title").map(collapse).or_else(title) else { return };
    let headline = |item: &Item| item.text("headline").and_then(shown).filter(|_| is_article(item));
    let is_title = |headline: &String| title.starts_with(headline.as_str()) || headline.starts_with(&title);
    if page.iter().any(|item| headline(item).is_some_and(|headline| is_title(&headline))) {
        page.retain(|item| headline(item).is_none_or(|headline| is_title(&headline)));
    }
}

fn index(content: &PropertyValue) -> Option<usize> {
    match content {
        PropertyValue::Item(at) => Some(*at),
        _ => None,
    }
}

fn has_type(item: &Item, names: &[&str]) -> bool {
    names.iter().any(|name| item.is(name))
}

fn is_article(item: &Item) -> bool {
    item.types.iter().any(|name| {
        name.ends_with("Article")
            || name.ends_with("Posting")
            || matches!(name.as_str(), "Report" | "Review" | "Recipe" | "Question")
    })
}

fn is_page(item: &Item) -> bool {
    const WORKS: [&str; 12] = [
        "Product",
        "CreativeWork",
        "VideoObject",
        "Dataset",
        "HowTo",
        "Course",
        "PodcastEpisode",
        "Chapter",
        "Thesis",
        "ClaimReview",
        "LearningResource",
        "SoftwareSourceCode",
    ];
    item.types.iter().any(|name| name.ends_with("Page") || WORKS.contains(&name.as_str()))
}

/// A text as readers would see it: pages often escape for HTML what they write into a script.
fn shown(text: &str) -> Option<String> {
    clean(&unescape(text))
}

fn take(items: &Items, item: &Item, facts: &mut JsonLdFields) {
    let text = |key: &str| item.text(key).and_then(shown);
    facts.published = facts.published.take().or_else(|| text("datePublished")).or_else(|| text("dateCreated"));
    facts.modified = facts.modified.take().or_else(|| text("dateModified"));
    facts.description = facts.description.take().or_else(|| text("description"));
    facts.language = facts.language.take().or_else(|| text("inLanguage"));
    facts.publisher = facts.publisher.take().or_else(|| item.all("publisher").find_map(|value| name(items, value)));
    facts.image = facts.image.take().or_else(|| image(items, item));
    for key in ["author", "creator"] {
        let names = |wanted: bool| {
            let all = item.all(key).take(MAX_NAMES).filter(|value| is_organisation(items, value) == wanted);
            all.flat_map(|value| names_of(items, value)).take(MAX_NAMES).collect::<Vec<String>>()
        };
        if facts.authors.is_empty() {
            facts.authors = names(false);
        }
        if facts.organisations.is_empty() {
            facts.organisations = names(true);
        }
    }
    if facts.keywords.is_empty() {
        facts.keywords = keywords(item);
    }
}

const MAX_BODY_BYTES: usize = 1 << 20;
const MAX_POSTS: usize = 200;

fn bodies(items: &Items, page: &[&Item]) -> DeclaredTexts {
    let mut bodies = DeclaredTexts::default();
    let longer = |most: &mut Option<String>, text: &str| {
        let text = text.trim();
        if most.as_ref().is_none_or(|most| most.len() < text.len()) && text.len() <= MAX_BODY_BYTES {
            *most = Some(text.to_owned());
        }
    };
    // Many questions on one page are a list of those often asked, beside the main text.
    let is_faq = page.iter().filter(|item| item.is("Question")).count() > 1;
    for item in page {
        if item.is("Question") && is_faq {
            continue;
        }
        if is_discussion(item) {
            longer(&mut bodies.body, &posts(items, item).join("\n"));
        } else if is_article(item) || is_page(item) {
            let body = item.text("articleBody").or_else(|| item.text("text"));
            body.into_iter().for_each(|text| longer(&mut bodies.body, text));
        }
        if is_article(item) || is_described(item) {
            item.text("description").into_iter().for_each(|text| longer(&mut bodies.description, text));
        }
    }
    bodies.body = bodies.body.filter(|body| !body.is_empty());
    bodies
}

/// Whether its description may stand for a text, beside that of an article.
fn is_described(item: &Item) -> bool {
    let is = |name: &String| {
        name.ends_with("Event") || name.ends_with("Product") || matches!(name.as_str(), "JobPosting" | "VideoObject")
    };
    item.types.iter().any(is)
}

fn is_discussion(item: &Item) -> bool {
    has_type(item, &["Question", "DiscussionForumPosting"])
}

/// A question with its answers, or a posting with its replies, depth first, each once: links may form circles.
fn posts<'i>(items: &'i Items, first: &'i Item) -> Vec<&'i str> {
    const REPLIES: [&str; 3] = ["acceptedAnswer", "suggestedAnswer", "comment"];
    let mut seen = vec![false; items.items.len()];
    let mut posts = Vec::new();
    let mut todo = vec![first];
    while let Some(item) = todo.pop() {
        posts.extend(["articleBody", "text", "name"].iter().find_map(|key| item.text(key)));
        if posts.len() >= MAX_POSTS {
            break;
        }
        let from = todo.len();
        let replies = REPLIES.iter().flat_map(|key| item.all(key).take(MAX_POSTS)).filter_map(index);
        let new = replies.filter(|&at| !std::mem::replace(&mut seen[at], true)).map(|at| &items.items[at]);
        todo.extend(new.filter(|item| !std::ptr::eq(*item, first)));
        todo[from..].reverse();
    }
    posts
}

fn is_organisation(items: &Items, value: &PropertyValue) -> bool {
    items.get(value).is_some_and(|item| item.types.iter().any(|name| name.ends_with("Organization")))
}

/// The name of a person or organisation, given as text or as an item; of a person perhaps in parts.
fn name(items: &Items, value: &PropertyValue) -> Option<String> {
    // Some programs put the person once more where the name belongs.
    let of_inner = || items.get(items.get(value)?.all("name").next()?)?.text("name");
    let of_item = || items.get(value)?.text("name");
    let whole = value.as_text().or_else(of_item).or_else(of_inner).and_then(shown);
    whole.or_else(|| {
        let person = items.get(value)?;
        let parts = ["givenName", "additionalName", "familyName"].iter().filter_map(|key| person.text(key));
        let parts: Vec<String> = parts.filter_map(shown).collect();
        (!parts.is_empty()).then(|| parts.join(" "))
    })
}

/// The names of a writer, of whom some programs make one person with several.
fn names_of(items: &Items, value: &PropertyValue) -> Vec<String> {
    let names = items.get(value).into_iter().flat_map(|person| person.all("name")).filter_map(PropertyValue::as_text);
    let names: Vec<String> = names.take(MAX_NAMES).filter_map(shown).collect();
    if names.len() > 1 { names } else { name(items, value).into_iter().collect() }
}

fn image(items: &Items, item: &Item) -> Option<String> {
    let value = ["image", "primaryImageOfPage", "thumbnailUrl"].iter().find_map(|key| item.all(key).next())?;
    let of_item = || items.get(value).and_then(|image| image.text("url").or_else(|| image.text("contentUrl")));
    value.as_text().or_else(of_item).and_then(clean)
}

/// A list of texts, or one text with commas.
fn keywords(item: &Item) -> Vec<String> {
    let texts: Vec<&str> = item.all("keywords").filter_map(PropertyValue::as_text).take(100).collect();
    match texts[..] {
        [one] => one.split([',', '，', ';', '、', '،']).take(100).filter_map(shown).collect(),
        _ => texts.into_iter().filter_map(shown).collect(),
    }
}
