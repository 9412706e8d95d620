//! Films, sounds and frames, which are shown as links.

use std::borrow::Cow;

use gristmill_html::{Doc, LocalName, NodeId};

use super::addresses::is_safe;
use super::spans::{StyledRun, plain};

/// Hosts whose frames show what an article is about: data, not code. Of others the address must say that it is a film.
const PLAYERS: [&str; 26] = [
    "youtube.com",
    "youtube-nocookie.com",
    "youtu.be",
    "vimeo.com",
    "dailymotion.com",
    "bilibili.com",
    "youku.com",
    "v.qq.com",
    "rutube.ru",
    "vk.com",
    "ok.ru",
    "twitch.tv",
    "ted.com",
    "wistia.",
    "brightcove",
    "jwplayer",
    "jwplatform",
    "kaltura",
    "streamable.com",
    "loom.com",
    "soundcloud.com",
    "spotify.com",
    "archive.org",
    "odysee.com",
    "peertube",
    "arte.tv",
];
/// Parts of the addresses of other players.
const PARTS: [&str; 4] = ["/embed/", "/player", "/video", ".mp4"];
/// Elements of scripts that put a film in their place, with the attribute that names it.
const ELEMENTS: [(&str, &str); 5] = [
    ("amp-youtube", "data-videoid"),
    ("lite-youtube", "videoid"),
    ("youtube-video", "videoid"),
    ("amp-vimeo", "data-videoid"),
    ("lite-vimeo", "videoid"),
];

/// A link to what a frame or film shows; `None` for other elements, and for frames of advertisements and the like.
pub(super) fn frame<'d>(doc: &'d Doc, id: NodeId) -> Option<StyledRun<'d>> {
    let address: Cow<'d, str> = match doc.name(id) {
        LocalName::IFRAME => Cow::Borrowed(source(doc, id).filter(|address| is_player(address))?),
        LocalName::VIDEO | LocalName::AUDIO => Cow::Borrowed(source(doc, id).or_else(|| inner_source(doc, id))?),
        name => Cow::Owned(of_element(doc, id, doc.name_str(name))?),
    };
    let playlabel = doc.find_name("playlabel");
    let title =
        [Some(LocalName::TITLE), Some(LocalName::ARIA_LABEL), playlabel].into_iter().flatten().find_map(|name| {
            let said = doc.attributes(id).find(|attribute| attribute.name == name)?.value;
            let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
            (!said.is_empty() && said.chars().count() <= 200).then_some(said)
        });
    let title = title.unwrap_or_else(|| shown(&address));
    Some(StyledRun { link: Some(address), ..plain(&title) })
}

fn source(doc: &Doc, id: NodeId) -> Option<&str> {
    let is_lazy = |name: &str| matches!(name, "data-src" | "data-lazy-src" | "data-litespeed-src");
    let lazy = doc.attributes(id).find(|attribute| is_lazy(doc.name_str(attribute.name))).map(|found| found.value);
    let address = lazy.or_else(|| doc.attr(id, LocalName::SRC))?.trim();
    is_safe(address).then_some(address)
}

fn inner_source(doc: &Doc, id: NodeId) -> Option<&str> {
    doc.children(id).filter(|&id| doc.name(id) == LocalName::SOURCE).find_map(|id| source(doc, id))
}

fn is_player(address: &str) -> bool {
    let rest = address.split_once("//").map_or(address, |(_, rest)| rest);
    let host = rest.split(['/', '?', '#']).next().unwrap_or("");
    // A name without an ending has many.
    let is_bare = |player: &str| player.ends_with('.') || !player.contains('.');
    PLAYERS.iter().any(|player| host.ends_with(player) || is_bare(player) && host.contains(player))
        || PARTS.iter().any(|part| rest.contains(part))
}

fn of_element(doc: &Doc, id: NodeId, name: &str) -> Option<String> {
    let (_, attribute) = ELEMENTS.iter().find(|(element, _)| *element == name)?;
    let found = doc.attributes(id).find(|found| doc.name_str(found.name) == *attribute)?.value;
    let is_plain = !found.is_empty() && found.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'));
    let base = if name.contains("vimeo") { "https://vimeo.com/" } else { "https://www.youtube.com/watch?v=" };
    is_plain.then(|| format!("{base}{found}"))
}

/// What a film without a title is called: its host, or its file.
fn shown(address: &str) -> String {
    let rest = address.split_once("//").map_or(address, |(_, rest)| rest);
    let path = rest.split(['?', '#']).next().unwrap_or(rest);
    let file = path.rsplit('/').next().unwrap_or("");
    let host = path.split('/').next().unwrap_or("").trim_start_matches("www.");
    if file.contains('.') && !file.is_empty() && file != host { file.to_owned() } else { host.to_owned() }
}
