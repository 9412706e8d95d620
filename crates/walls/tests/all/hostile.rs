//! Any text gets an answer.

use gristmill_walls::{WallInput, wall};
use proptest::prelude::*;

proptest! {
    #[test]
    fn any_string_ends(html in ".{0,400}", url in ".{0,40}") {
        let _ = wall(&WallInput { status: 200, url: &url, html: &html });
    }

    #[test]
    fn made_up_pages_end(parts in prop::collection::vec(prop::sample::select(vec![
        "<title>", "</title>", "<script>", "</script", "</", "<!--", "-->", "<p>", "404 not found", "Login", "<input type=password>",
        "page not found", "é", "—", "<h1>", "</h1>", "captcha", "\0",
    ]), 0..60)) {
        let _ = wall(&WallInput { status: 200, url: "https://a.example/", html: &parts.concat() });
    }
}

#[test]
fn repetitions_are_linear() {
    for part in ["<script>", "</", "<title>", "404 ", "<input type=password>", "<!--", "<p>page not found", "cookie "] {
        let html = part.repeat(400_000 / part.len());
        let _ = wall(&WallInput { status: 200, url: "https://a.example/", html: &html });
    }
}
