//! The rules: a mark of a provider on a page with little to read, or a page that calls itself what it is.

use url::Url;

use crate::fault::{fault_of, is_bare_json};
use crate::tables::{
    BLOCKED_HEADINGS, BLOCKED_TEXTS, BLOCKED_WHOLES, CLOSED_HEADINGS, CONSENT_CONTROLS, CONSENT_HEADINGS,
    CONSENT_PATHS, CONSENT_WORDS, LOGIN_HEADINGS, LOGIN_PATHS, LOGIN_TEXTS, MARKS, NOT_FOUND_HEADINGS, NOT_FOUND_TEXTS,
    PARKED_HEADINGS, PARKED_TEXTS, PARKED_WHOLES, PhraseSet, Providers, SUBJECT_VERBS,
};
use crate::view::{View, collapsed};
use crate::{Wall, WallFinding, WallInput};

/// A page with more to read, in bytes without white space, is a page whatever it is called.
const MUCH_TEXT: usize = 8_000;
/// The most that pages say which block, park or ask for a password.
const LITTLE_TEXT: usize = 1_500;
/// The most that a page says which is known by a single phrase.
const VERY_LITTLE_TEXT: usize = 700;
/// The most that a page says, and links, of a site that is closed for a while, whose words head other pages too.
const CLOSED_TEXT: usize = 350;
const CLOSED_LINKS: usize = 4;

/// What stands in the way instead of a page, if anything does.
///
/// Looks at a page at all only where its title is one of a wall, or where it has little to read: cheap for all others. O(bytes).
pub fn wall(answer: &WallInput<'_>) -> Option<WallFinding> {
    let title = title_of(answer.html).map(collapsed).unwrap_or_default();
    if !calls_itself_wall(&title) && has_much_text(answer.html) {
        return None;
    }
    let view = View::of(answer.html);
    if view.n_bytes > MUCH_TEXT {
        return None;
    }
    let providers = if view.n_bytes > LITTLE_TEXT { Providers::default() } else { MARKS.providers(answer.html) };
    blocked(answer, &view, &providers)
        .or_else(|| not_found(&view))
        .or_else(|| login(answer, &view, &providers))
        .or_else(|| parked(answer, &view, &providers))
        .or_else(|| consent(answer, &view))
}

fn finding(wall: Wall, reason: String) -> Option<WallFinding> {
    Some(WallFinding { wall, reason })
}

fn blocked(answer: &WallInput<'_>, view: &View, providers: &Providers) -> Option<WallFinding> {
    if view.n_bytes > LITTLE_TEXT {
        return None;
    }
    let heading = named_in(&BLOCKED_HEADINGS, view);
    let text = BLOCKED_TEXTS.longest_in(&view.text());
    let refuses = !(200..300).contains(&answer.status);
    let says = heading.or(text).is_some();
    if let Some(provider) = providers.challenge.or(providers.guard.filter(|_| says || refuses)) {
        return finding(Wall::Blocked, format!("a challenge of {provider}"));
    }
    if let Some(captcha) = providers.captcha.filter(|_| says) {
        return finding(Wall::Blocked, format!("a challenge with {captcha}"));
    }
    // `429 Too Many Requests` heads the page of a server that says no more, and a page of a book.
    let is_chapter = view.heading.starts_with(|first: char| first.is_ascii_digit()) && documents(view);
    if refuses || explains(view) || is_chapter {
        return None;
    }
    let whole = view.text();
    if is_bare_json(&whole) || BLOCKED_WHOLES.has(&whole) {
        return finding(Wall::Blocked, format!("`{whole}` in place of a page"));
    }
    let heading = heading.filter(|_| view.n_bytes <= VERY_LITTLE_TEXT || text.is_some());
    let text = text.filter(|_| view.n_bytes <= VERY_LITTLE_TEXT && view.n_links <= 5);
    let phrase = heading.or(text).or_else(|| closed(view)).or_else(|| fault_of(view))?;
    finding(Wall::Blocked, format!("a page that says `{phrase}`"))
}

/// What a page calls itself, or says first, that says hardly anything else: maintenance, a site to come, an account of a provider that
/// was suspended.
fn closed(view: &View) -> Option<&'static str> {
    let is_bare = view.n_bytes <= CLOSED_TEXT && view.n_links <= CLOSED_LINKS;
    if !is_bare {
        return None;
    }
    named_in(&CLOSED_HEADINGS, view).or_else(|| view.blocks.iter().find_map(|block| opening_words(block)))
}

/// The words of a closed site that are all of a block's first sentence. A short one is as often a part of it.
fn opening_words(block: &str) -> Option<&'static str> {
    const LEAST_BYTES: usize = 16;
    let sentence = block.split(['.', '!', ',', ':', '。', '！']).next().map(trimmed)?;
    CLOSED_HEADINGS.longest_in(sentence).filter(|phrase| phrase.len() >= LEAST_BYTES && *phrase == sentence)
}

/// Whether a sentence of the page has what the page is called as its subject, as the one on a film or a word has: `Forbidden is a film`.
fn explains(view: &View) -> bool {
    /// Before the name may stand an article and a word more.
    const BEFORE_NAME: usize = 24;
    let name = if view.heading.is_empty() { &view.title } else { &view.heading };
    let name = trimmed(name);
    let is_told = |block: &String| {
        let at = block.find(name).filter(|at| *at <= BEFORE_NAME)?;
        Some(SUBJECT_VERBS.begins(block[at + name.len()..].trim_start_matches(|c: char| !c.is_alphanumeric())))
    };
    !name.is_empty() && view.blocks.iter().any(|block| is_told(block) == Some(true))
}

/// Whether paragraphs below its heading tell more than a page does that is not there.
fn documents(view: &View) -> bool {
    const PARAGRAPHS: usize = 2;
    const BYTES: usize = 500;
    let is_long = view.told.n >= PARAGRAPHS && view.told.n_bytes >= BYTES;
    is_long && NOT_FOUND_TEXTS.longest_in(&view.text()).is_none()
}

fn not_found(view: &View) -> Option<WallFinding> {
    if explains(view) || documents(view) {
        return None;
    }
    let [title, heading] =
        [&view.title, &view.heading].map(|text| strongly(&NOT_FOUND_HEADINGS, text, &FILLERS, view.tells));
    let mentions = |text: &str| NOT_FOUND_HEADINGS.longest_in(text).filter(|phrase| text.len() <= phrase.len() + 60);
    let phrase = match (title, heading) {
        (Some(phrase), Some(_)) => phrase,
        // One that names it and another that has it among others.
        (Some(phrase), None) if view.heading.is_empty() && view.n_bytes <= 3_000 => phrase,
        (Some(phrase), None) if view.n_bytes <= LITTLE_TEXT || mentions(&view.heading).is_some() => phrase,
        (None, Some(phrase)) if view.n_bytes <= 3_000 || mentions(&view.title).is_some() => phrase,
        (None, None) if view.n_bytes <= VERY_LITTLE_TEXT && !view.tells => {
            let long = |phrase: &&str| phrase.len() >= 12;
            let heading = mentions(&view.heading).or_else(|| mentions(&view.title)).filter(long);
            // Called nothing of the kind: `Information`.
            heading.or_else(|| NOT_FOUND_TEXTS.longest_in(&view.text()))?
        }
        _ => return None,
    };
    finding(Wall::SoftNotFound, format!("a page that calls itself `{phrase}`"))
}

fn login(answer: &WallInput<'_>, view: &View, providers: &Providers) -> Option<WallFinding> {
    if let Some(provider) = providers.login.filter(|_| view.n_bytes <= CLOSED_TEXT) {
        return finding(Wall::Login, format!("a login of {provider}"));
    }
    let heading = named_in(&LOGIN_HEADINGS, view);
    let path = || path_part(&LOGIN_PATHS, answer.url);
    let asks = match (view.asks_password, view.asks_name) {
        (true, _) => heading.is_some() && view.n_bytes <= 3_000 || path().is_some() && view.n_bytes <= LITTLE_TEXT,
        (false, true) => heading.is_some() && view.n_bytes <= VERY_LITTLE_TEXT,
        // A login whose form a script draws.
        (false, false) => heading.is_some() && path().is_some() && view.n_bytes <= VERY_LITTLE_TEXT,
    };
    let is_short = view.asks_password && view.n_bytes <= CLOSED_TEXT;
    // `Log in to the wiki`
    let begins = |text: &String| LOGIN_HEADINGS.longest_in(text).filter(|phrase| text.starts_with(phrase));
    let said =
        || LOGIN_TEXTS.longest_in(&view.text()).or_else(|| [&view.title, &view.heading].into_iter().find_map(begins));
    let text = if is_short { said() } else { None };
    let by = heading.or(text).map(str::to_owned).or_else(path).unwrap_or_default();
    if asks || text.is_some() { finding(Wall::Login, format!("a login, `{by}`")) } else { None }
}

fn parked(answer: &WallInput<'_>, view: &View, providers: &Providers) -> Option<WallFinding> {
    if view.n_bytes > LITTLE_TEXT {
        return None;
    }
    if PARKED_WHOLES.has(&view.text()) {
        return finding(Wall::Parked, "the page of a server that nobody has set up".to_owned());
    }
    if let Some(provider) = providers.parked {
        return finding(Wall::Parked, format!("a domain parked at {provider}"));
    }
    let title = collapsed(&view.title);
    let heading = named_in(&PARKED_HEADINGS, view);
    let names_domain = host_of(answer.url).is_some_and(|host| title.contains(&host) || view.heading.contains(&host));
    // A short phrase among other words is one about such domains, and so is any above a text of its own.
    let is_about = view.tells && !names_domain;
    let is_said = |text: &str, phrase: &str| !is_about && phrase.len() >= 16 && text.len() <= phrase.len() + 60;
    let long = |text: &str| PARKED_HEADINGS.longest_in(text).filter(|phrase| is_said(text, phrase));
    let heading = heading.or_else(|| long(&title)).or_else(|| long(&view.heading));
    let text = PARKED_TEXTS.longest_in(&view.text());
    let phrase = match (heading, text) {
        (Some(phrase), _) => phrase,
        (None, Some(phrase)) if names_domain || view.n_bytes <= VERY_LITTLE_TEXT / 2 && phrase.contains("domain") => {
            phrase
        }
        _ => return None,
    };
    finding(Wall::Parked, format!("a page that says `{phrase}`"))
}

/// A page that is nothing but the question whether one agrees.
fn consent(answer: &WallInput<'_>, view: &View) -> Option<WallFinding> {
    const LEAST_WORDS: usize = 2;
    let accepts = view.controls.iter().any(|control| CONSENT_CONTROLS.has(trimmed(control)));
    if !accepts || view.n_bytes > 5_000 || CONSENT_WORDS.count_in(&view.text()) < LEAST_WORDS {
        return None;
    }
    let about: usize = view.blocks.iter().filter(|block| is_of_consent(block)).map(String::len).sum();
    let all: usize = view.blocks.iter().map(String::len).sum();
    let heading = named_in(&CONSENT_HEADINGS, view);
    let by = heading.map(str::to_owned).or_else(|| path_part(&CONSENT_PATHS, answer.url))?;
    // Menus and the like stand around some.
    if 2 * about < all {
        return None;
    }
    finding(Wall::Blocked, format!("a question for consent, `{by}`"))
}

fn is_of_consent(block: &str) -> bool {
    CONSENT_WORDS.longest_in(block).is_some() || CONSENT_CONTROLS.has(trimmed(block))
}

/// Words that stand around what such a page calls itself.
const FILLERS: [&str; 22] = [
    "oops",
    "ooops",
    "whoops",
    "uh oh",
    "uh-oh",
    "sorry",
    "error",
    "http",
    "404",
    "410",
    "status",
    "code",
    "the",
    "this",
    "that",
    "ups",
    "hoppla",
    "désolé",
    "lo sentimos",
    "spiacenti",
    "ошибка",
    "fehler",
];

/// The phrase that the title, a part of it, or the heading is.
fn named_in(words: &PhraseSet, view: &View) -> Option<&'static str> {
    [&view.title, &view.heading].into_iter().find_map(|text| strongly(words, text, &[], view.tells))
}

/// The phrase that a text of small letters or a part of it is, `fillers` around it aside.
///
/// * `tells`: the page tells something itself, so that behind a colon stands what it is about.
fn strongly(words: &PhraseSet, text: &str, fillers: &[&str], tells: bool) -> Option<&'static str> {
    let whole = std::iter::once(text);
    let is_between = |c| matches!(c, '|' | '·' | '•' | '»' | '«' | '—' | '–' | '›' | '‹' | '<' | '>' | '_');
    let parts = text.split(|c| is_between(c) || c == ':' && !tells).chain(text.split(" - "));
    whole.chain(parts).find_map(|part| {
        let bare = without(trimmed(part), fillers);
        let part = trimmed(part);
        let phrase = words.longest_in(part)?;
        (phrase == part || phrase == bare || trimmed(phrase) == part).then_some(phrase)
    })
}

fn without<'t>(mut text: &'t str, fillers: &[&str]) -> &'t str {
    loop {
        let before = text;
        for filler in fillers {
            let rest = text.strip_prefix(filler).filter(|rest| !rest.starts_with(char::is_alphanumeric));
            text = rest.map_or(text, trimmed);
            let rest = text.strip_suffix(filler).filter(|rest| !rest.ends_with(char::is_alphanumeric));
            text = rest.map_or(text, trimmed);
        }
        if text.len() == before.len() || text.is_empty() {
            return if text.is_empty() { before } else { text };
        }
    }
}

fn trimmed(text: &str) -> &str {
    text.trim_matches(|c: char| !c.is_alphanumeric() && !is_mark(c))
}

/// Whether it belongs to the letter before it.
fn is_mark(c: char) -> bool {
    matches!(c, '\u{900}'..='\u{dff}' | '\u{e00}'..='\u{eff}' | '\u{300}'..='\u{36f}' | '\u{600}'..='\u{6ff}')
}

/// A part of the path or of the host that tells what the page is.
fn path_part(words: &PhraseSet, url: &str) -> Option<String> {
    let url = Url::parse(url).ok()?;
    let path = url.path().to_ascii_lowercase();
    let labels = url.host_str()?.split('.').map(str::to_owned);
    let mut parts = path.split('/').map(str::to_owned).chain(labels);
    parts.find(|part| words.has(part.as_str()))
}

fn host_of(url: &str) -> Option<String> {
    let url = Url::parse(url).ok()?;
    let host = url.host_str()?;
    Some(host.strip_prefix("www.").unwrap_or(host).to_owned())
}

/// The text of the first `title`, found without a tree.
fn title_of(html: &str) -> Option<&str> {
    const LOOK: usize = 64 * 1024;
    let head = &html.as_bytes()[..html.len().min(LOOK)];
    let start = head.windows(6).position(|window| window.eq_ignore_ascii_case(b"<title"))?;
    let start = start + head[start..].iter().position(|byte| *byte == b'>')? + 1;
    let end = start + head[start..].iter().position(|byte| *byte == b'<')?;
    html.get(start..end)
}

fn calls_itself_wall(title: &str) -> bool {
    title.len() <= 200 && (title.contains("404") || NOT_FOUND_HEADINGS.longest_in(title).is_some())
}

/// Whether more than walls say stands between the tags, scripts and styles aside. O(bytes), and stops early.
fn has_much_text(html: &str) -> bool {
    let (mut n_bytes, mut rest) = (0, html);
    while let Some(start) = rest.find('<') {
        n_bytes += rest[..start].bytes().filter(|byte| !byte.is_ascii_whitespace()).count();
        if n_bytes > 2 * LITTLE_TEXT + MUCH_TEXT / 2 {
            return true;
        }
        rest = &rest[start + 1..];
        let raw = ["script", "style", "template", "noscript", "svg", "!--"];
        let name = raw.iter().find(|name| {
            rest.as_bytes().get(..name.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(name.as_bytes()))
        });
        let end = match name {
            Some(&"!--") => rest.find("-->").map(|at| at + 3),
            Some(name) => end_of(rest, name),
            None => rest.find('>').map(|at| at + 1),
        };
        rest = &rest[end.unwrap_or(rest.len())..];
    }
    false
}

/// Behind the end tag of an element of that name.
fn end_of(text: &str, name: &str) -> Option<usize> {
    let mut from = 0;
    while let Some(at) = text[from..].find("</") {
        let begin = from + at + 2;
        let tag = text.as_bytes().get(begin..begin + name.len())?;
        if tag.eq_ignore_ascii_case(name.as_bytes()) {
            return Some(begin + name.len());
        }
        from = begin;
    }
    None
}
