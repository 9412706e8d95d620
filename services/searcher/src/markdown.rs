//! Documents as Markdown, for who asks for `text/markdown` (RFC 9110, section 12.5.1).

use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use gristmill_index::IndexDocument;

const MARKDOWN: &str = "text/markdown";

/// Whether the client names Markdown, and likes nothing better that we have instead.
pub(crate) fn is_wanted(asked: &HeaderMap, instead: &str) -> bool {
    let accept = asked.get_all(header::ACCEPT).iter().filter_map(|value| value.to_str().ok());
    let ranges: Vec<(String, f32)> = accept.flat_map(|value| value.split(',')).map(range).collect();
    let quality = |name: &str| ranges.iter().filter(|(range, _)| range == name).map(|(_, quality)| *quality).next();
    quality(MARKDOWN).is_some_and(|markdown| markdown > 0.0 && markdown >= quality(instead).unwrap_or(0.0))
}

/// A media range and how much it is liked.
fn range(text: &str) -> (String, f32) {
    let mut parts = text.split(';').map(str::trim);
    let name = parts.next().unwrap_or_default().to_ascii_lowercase();
    let quality = parts.find_map(|part| part.strip_prefix("q=").or_else(|| part.strip_prefix("Q=")));
    (name, quality.map_or(1.0, |quality| quality.parse().unwrap_or(0.0)))
}

/// The answer with the document.
pub(crate) fn answer(document: &IndexDocument) -> Response {
    ([(header::CONTENT_TYPE, "text/markdown; charset=utf-8")], document.to_markdown()).into_response()
}

/// Tells caches that the same address gives other forms.
pub(crate) fn varies(mut response: Response) -> Response {
    response.headers_mut().append(header::VARY, HeaderValue::from_static("Accept"));
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markdown_is_given_to_who_names_it_and_likes_nothing_better() {
        for (accept, wanted) in [
            ("text/markdown", true),
            ("text/markdown, text/html;q=0.9", true),
            ("text/html, TEXT/Markdown", true),
            ("text/markdown;q=0.5, text/html", false),
            ("text/markdown;q=0.5, application/json", true),
            ("text/markdown;q=0", false),
            ("text/markdown; charset=utf-8; q=x", false),
            ("text/html,*/*;q=0.8", false),
            ("*/*", false),
            ("", false),
        ] {
            let asked = HeaderMap::from_iter([(header::ACCEPT, accept.parse().unwrap())]);
            assert_eq!(is_wanted(&asked, "text/html"), wanted, "{accept}");
        }
    }
}
