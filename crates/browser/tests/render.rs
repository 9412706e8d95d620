//! Pages in a real browser: what is drawn of them, and when they are finished.

mod common;

use std::time::{Duration, Instant};

use common::{Shelf, URL, browser, draw, settings};
use gristmill_browser::{Ended, Mode, PageToDraw};
use gristmill_html::Limits;

#[tokio::test]
async fn a_page_is_drawn_by_its_scripts_with_what_they_ask_for() {
    let Some(mut browser) = browser(settings()).await else { return };
    let shelf = Shelf::default()
        .with(
            "http://mill.test/app.js",
            "text/javascript",
            "fetch('/rye.json').then(r => r.json()).then(r => { a.textContent = r.name })",
        )
        .with("http://mill.test/rye.json", "application/json", "{\"name\": \"Stone ground rye\"}");
    let drawn =
        draw(&mut browser, "<!doctype html><title>Rye</title><p id=a></p><script src=/app.js></script>", &shelf).await;
    assert!(drawn.html.contains("<p id=\"a\">Stone ground rye</p>"), "{}", drawn.html);
    assert!(drawn.html.starts_with("<!DOCTYPE html><html>"), "{}", drawn.html);
    assert_eq!((drawn.ended, drawn.mode), (Ended::Loaded, Mode::Scripts));
    assert_eq!(shelf.asked(), ["http://mill.test/app.js", "http://mill.test/rye.json"]);
    let (doc, _) = gristmill_extract::Sidecar::parse(&drawn.layout, &Limits::default()).unwrap();
    let again = gristmill_html::Doc::parse(&drawn.html, &Limits::default());
    assert_eq!(doc.len(), again.len());
}

#[tokio::test]
async fn styles_are_drawn_without_scripts() {
    let Some(mut browser) = browser(settings()).await else { return };
    let shelf = Shelf::default().with("http://mill.test/a.css", "text/css", "p { margin-left: 333px }");
    let html = "<!doctype html><link rel=stylesheet href=/a.css><p id=a>Rye</p><script src=/a.js></script>
        <script>a.textContent = 'owned'</script><img src=/a.png><noscript><p>Switch it on</p></noscript>";
    let drawn = browser.render(&PageToDraw::html(URL, html), Mode::Styles, &shelf).await.unwrap();
    assert!(drawn.html.contains(">Rye</p>") && !drawn.html.contains(">owned"), "{}", drawn.html);
    assert_eq!(shelf.asked(), ["http://mill.test/a.css"]);
    assert!(String::from_utf8(drawn.layout.to_vec()).unwrap().contains("[341,16,931,19]"));
}

#[tokio::test]
async fn an_endless_script_is_stopped_and_what_is_there_is_taken() {
    let wait = Duration::from_secs(1);
    let Some(mut browser) = browser(gristmill_browser::Settings { max_wait: wait, ..settings() }).await else { return };
    let begun = Instant::now();
    let drawn = draw(&mut browser, "<p>Rye</p><script>while (true) {}</script>", &Shelf::default()).await;
    assert_eq!(drawn.ended, Ended::Cap);
    assert!(drawn.html.contains("<p>Rye</p>"), "{}", drawn.html);
    assert!(begun.elapsed() < Duration::from_secs(3), "{:?}", begun.elapsed());
    let after = draw(&mut browser, "<p>Wheat</p>", &Shelf::default()).await;
    assert!(after.html.contains("Wheat") && browser.starts() == 1);
}
