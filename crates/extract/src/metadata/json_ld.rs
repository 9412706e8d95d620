//! Facts from JSON-LD, tolerant of what pages get wrong in it.

use gristmill_html::Doc;
use serde_json::Value;

use super::clean;

/// What the JSON-LD of a page says about its article or product.
#[derive(Debug, Default)]
pub(super) struct Facts {
    pub(super) product: bool,
    pub(super) published: Option<String>,
    pub(super) modified: Option<String>,
    pub(super) authors: Vec<String>,
    /// Organisations named as authors.
    pub(super) organisations: Vec<String>,
    pub(super) publisher: Option<String>,
    pub(super) description: Option<String>,
    pub(super) image: Option<String>,
    pub(super) keywords: Vec<String>,
    pub(super) language: Option<String>,
    pub(super) bodies: Bodies,
}

/// Texts that JSON-LD declares, markup and line breaks as they stand.
#[derive(Debug, Clone, Default)]
pub(crate) struct Bodies {
    /// The longest `articleBody` or `text`; of questions and discussions all texts in their order.
    pub(crate) body: Option<String>,
    /// The longest `description` of an article, product, event or the like.
    pub(crate) description: Option<String>,
}

const MAX_SCRIPT_BYTES: usize = 1 << 20;
const MAX_SCRIPTS: usize = 20;
const MAX_OBJECTS: usize = 2_000;

/// Reads all JSON-LD scripts. One that cannot be read is left out with a warning.
pub(super) fn read(doc: &Doc, warnings: &mut Vec<String>) -> Facts {
    let mut facts = Facts::default();
    let mut roots = Vec::new();
    for script in doc.json_ld().take(MAX_SCRIPTS) {
        match parse(script) {
            Some(value) => roots.push(value),
            None if script.trim().is_empty() => {}
            None => warnings.push("JSON-LD that could not be read left out".to_owned()),
        }
    }
    let objects = objects(&roots);
    facts.product = objects.iter().any(|object| has_type(object, &["Product", "ProductGroup", "IndividualProduct"]));
    facts.bodies = bodies(&objects);
    // Articles first, then pages: a field of the article wins.
    for accept in [is_article, is_page] {
        for object in objects.iter().filter(|object| accept(object)) {
            take(object, &mut facts);
        }
    }
    facts
}

/// `None` for JSON that is broken beyond the usual: HTML comment or CDATA around it, a semicolon behind it, raw line
/// breaks in strings.
fn parse(script: &str) -> Option<Value> {
    if script.len() > MAX_SCRIPT_BYTES {
        return None;
    }
    let mut json = script.trim();
    for (open, close) in [("<!--", "-->"), ("/*<![CDATA[*/", "/*]]>*/"), ("//<![CDATA[", "//]]>"), ("<![CDATA[", "]]>")]
    {
        json = json.strip_prefix(open).unwrap_or(json).trim();
        json = json.strip_suffix(close).unwrap_or(json).trim();
    }
    let json = json.trim_end_matches(';');
    serde_json::from_str(json).ok().or_else(|| {
        let spaced: String = json.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        serde_json::from_str(&spaced).ok()
    })
}

/// All objects that describe the page: roots, arrays of them, `@graph`, and the main entity.
fn objects(roots: &[Value]) -> Vec<&Value> {
    let mut objects = Vec::new();
    let mut todo: Vec<&Value> = roots.iter().rev().collect();
    while let Some(value) = todo.pop() {
        match value {
            Value::Array(values) => todo.extend(values.iter().rev().take(MAX_OBJECTS)),
            Value::Object(map) => {
                objects.push(value);
                todo.extend(["mainEntity", "mainEntityOfPage", "@graph"].iter().filter_map(|key| map.get(*key)));
            }
            _ => {}
        }
        if objects.len() >= MAX_OBJECTS {
            break;
        }
    }
    objects
}

fn types(object: &Value) -> impl Iterator<Item = &str> {
    let types = &object["@type"];
    let many = types.as_array().map_or(&[][..], Vec::as_slice).iter().filter_map(Value::as_str);
    types.as_str().into_iter().chain(many).map(|name| name.rsplit(['/', ':']).next().unwrap_or(name))
}

fn has_type(object: &Value, names: &[&str]) -> bool {
    types(object).any(|name| names.contains(&name))
}

fn is_article(object: &Value) -> bool {
    types(object).any(|name| {
        name.ends_with("Article")
            || name.ends_with("Posting")
            || matches!(name, "Report" | "Review" | "Recipe" | "Question")
    })
}

fn is_page(object: &Value) -> bool {
    types(object).any(|name| name.ends_with("Page") || matches!(name, "Product" | "CreativeWork" | "VideoObject"))
}

fn take(object: &Value, facts: &mut Facts) {
    let text = |key: &str| object[key].as_str().and_then(clean);
    facts.published = facts.published.take().or_else(|| text("datePublished")).or_else(|| text("dateCreated"));
    facts.modified = facts.modified.take().or_else(|| text("dateModified"));
    facts.description = facts.description.take().or_else(|| text("description"));
    facts.language = facts.language.take().or_else(|| text("inLanguage"));
    facts.publisher = facts.publisher.take().or_else(|| names(&object["publisher"]).into_iter().next());
    facts.image = facts.image.take().or_else(|| image(&object["image"]));
    for key in ["author", "creator"] {
        let (organisations, people) = split(&object[key]);
        if facts.authors.is_empty() {
            facts.authors = people.into_iter().flat_map(names).collect();
        }
        if facts.organisations.is_empty() {
            facts.organisations = organisations.into_iter().flat_map(names).collect();
        }
    }
    if facts.keywords.is_empty() {
        facts.keywords = list(&object["keywords"]);
    }
}

const MAX_BODY_BYTES: usize = 1 << 20;
const MAX_POSTS: usize = 200;

fn bodies(objects: &[&Value]) -> Bodies {
    let mut bodies = Bodies::default();
    let longer = |most: &mut Option<String>, text: String| {
        if most.as_ref().is_none_or(|most| most.len() < text.len()) && text.len() <= MAX_BODY_BYTES {
            *most = Some(text);
        }
    };
    // Many questions on one page are a list of those often asked, beside the main text.
    let is_faq = objects.iter().filter(|object| has_type(object, &["Question"])).count() > 1;
    for object in objects {
        let text = |key: &str| object[key].as_str().map(str::trim).filter(|text| !text.is_empty());
        if has_type(object, &["Question"]) && is_faq {
            continue;
        }
        if is_discussion(object) {
            longer(&mut bodies.body, posts(object).join("\n"));
        } else if is_article(object) || is_page(object) {
            text("articleBody")
                .or_else(|| text("text"))
                .into_iter()
                .for_each(|t| longer(&mut bodies.body, t.to_owned()));
        }
        let described = is_article(object)
            || types(object).any(|name| {
                name.ends_with("Event") || name.ends_with("Product") || matches!(name, "JobPosting" | "VideoObject")
            });
        if described {
            text("description").into_iter().for_each(|text| longer(&mut bodies.description, text.to_owned()));
        }
    }
    bodies.body = bodies.body.filter(|body| !body.is_empty());
    bodies
}

fn is_discussion(object: &Value) -> bool {
    types(object).any(|name| matches!(name, "Question" | "DiscussionForumPosting"))
}

/// A question with its answers, or a posting with its replies, depth first.
fn posts(object: &Value) -> Vec<&str> {
    const REPLIES: [&str; 3] = ["comment", "suggestedAnswer", "acceptedAnswer"];
    let mut posts = Vec::new();
    let mut todo = vec![object];
    while let Some(object) = todo.pop() {
        let text =
            ["articleBody", "text", "name"].iter().filter_map(|key| object[*key].as_str()).find(|t| !t.is_empty());
        posts.extend(text);
        if posts.len() >= MAX_POSTS {
            break;
        }
        for key in REPLIES {
            match &object[key] {
                Value::Array(values) => todo.extend(values.iter().rev().take(MAX_POSTS)),
                value @ Value::Object(_) => todo.push(value),
                _ => {}
            }
        }
    }
    posts
}

/// Organisations, and everybody else.
fn split(value: &Value) -> (Vec<&Value>, Vec<&Value>) {
    let all: Vec<&Value> = match value {
        Value::Array(values) => values.iter().take(20).collect(),
        value => vec![value],
    };
    all.into_iter().partition(|value| types(value).any(|name| name.ends_with("Organization")))
}

/// The names of a person or organisation, or of several, given as text or as objects.
fn names(value: &Value) -> Vec<String> {
    let one = |value: &Value| value.as_str().or_else(|| value["name"].as_str()).and_then(clean);
    match value {
        Value::Array(values) => values.iter().take(20).filter_map(one).collect(),
        value => one(value).into_iter().collect(),
    }
}

fn image(value: &Value) -> Option<String> {
    let value = value.as_array().and_then(|values| values.first()).unwrap_or(value);
    value.as_str().or_else(|| value["url"].as_str()).or_else(|| value["contentUrl"].as_str()).and_then(clean)
}

fn list(value: &Value) -> Vec<String> {
    match value {
        Value::String(text) => text.split([',', '，', ';']).take(100).filter_map(clean).collect(),
        Value::Array(values) => values.iter().filter_map(Value::as_str).take(100).filter_map(clean).collect(),
        _ => Vec::new(),
    }
}
