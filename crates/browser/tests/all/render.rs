//! Pages in a real browser: what is drawn of them, and when they are finished.

use crate::common;

use std::time::Duration;

use common::{Shelf, URL, browser, draw, settings};
use gristmill_browser::{BrowserConfig, RenderEnd, RenderMode, RenderRequest, ScreenshotOptions};
use gristmill_html::TreeLimits;

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
    assert_eq!((drawn.ended, drawn.mode), (RenderEnd::Loaded, RenderMode::Scripts));
    assert_eq!(shelf.asked(), ["http://mill.test/app.js", "http://mill.test/rye.json"]);
    let (doc, _) = gristmill_extract::Sidecar::parse(&drawn.layout, &TreeLimits::default()).unwrap();
    let again = gristmill_html::Doc::parse(&drawn.html, &TreeLimits::default());
    assert_eq!(doc.len(), again.len());
}

#[tokio::test]
async fn styles_are_drawn_without_scripts() {
    let Some(mut browser) = browser(settings()).await else { return };
    let shelf =
        Shelf::default().with("http://mill.test/a.css", "text/css", "p { margin-left: 333px; line-height: 20px }");
    let html = "<!doctype html><link rel=stylesheet href=/a.css><p id=a>Rye</p><script src=/a.js></script>
        <script>a.textContent = 'owned'</script><img src=/a.png><noscript><p>Switch it on</p></noscript>";
    let drawn = browser.render(&RenderRequest::html(URL, html), RenderMode::Styles, &shelf).await.unwrap();
    assert!(drawn.html.contains(">Rye</p>") && !drawn.html.contains(">owned"), "{}", drawn.html);
    assert_eq!(shelf.asked(), ["http://mill.test/a.css"]);
    let layout = String::from_utf8(drawn.layout.to_vec()).unwrap();
    assert!(layout.contains("[341,16,931,20]"), "{layout}");
}

#[tokio::test]
async fn an_endless_script_is_stopped_and_what_is_there_is_taken() {
    let wait = Duration::from_secs(1);
    let Some(mut browser) = browser(BrowserConfig { max_wait: wait, ..settings() }).await else { return };
    let drawn = draw(&mut browser, "<p>Rye</p><script>while (true) {}</script>", &Shelf::default()).await;
    assert_eq!(drawn.ended, RenderEnd::Cap);
    assert!(drawn.html.contains("<p>Rye</p>"), "{}", drawn.html);
    let after = draw(&mut browser, "<p>Wheat</p>", &Shelf::default()).await;
    assert!(after.html.contains("Wheat") && browser.starts() == 1);
}

#[tokio::test]
async fn what_components_draw_stands_where_it_is_seen() {
    let Some(mut browser) = browser(settings()).await else { return };
    let html = "<my-card><b slot=name>Rye flour</b><p>light</p></my-card><p id=on></p><script>
        customElements.define('my-card', class extends HTMLElement { connectedCallback() {
            this.attachShadow({mode: 'open'}).innerHTML = '<h2>Head</h2><slot name=name></slot><p>shadow</p><slot></slot>' } });
        document.getElementById('on').textContent = navigator.onLine ? 'online' : 'offline'</script>";
    let drawn = draw(&mut browser, html, &Shelf::default()).await;
    let places = ["Head", "Rye flour", "shadow", "light", "online"].map(|text| drawn.html.find(text));
    assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{}", drawn.html);
}

#[tokio::test]
async fn text_that_comes_late_or_by_scrolling_is_waited_for() {
    let Some(mut browser) = browser(settings()).await else { return };
    let html = "<div id=list></div><div id=end style='height: 3000px'></div><script>
        let n = 0; const more = () => { list.insertAdjacentHTML('beforeend', '<p style=\"height:900px\">item ' + ++n + '</p>') };
        setTimeout(more, 300); setTimeout(more, 600);
        new IntersectionObserver(seen => seen[0].isIntersecting && n < 4 && setTimeout(more, 100), {rootMargin: '0px'})
            .observe(document.body.appendChild(document.createElement('footer')))</script>";
    let drawn = draw(&mut browser, html, &Shelf::default()).await;
    assert!(drawn.html.contains("item 3") && drawn.scrolls > 0, "{} {}", drawn.scrolls, drawn.html);
    assert_eq!(drawn.ended, RenderEnd::Loaded);
    // A list without an end is scrolled a few times.
    let endless = "<div id=list></div><script>let n = 0;
        const more = () => { for (let k = 0; k < 20; k++) list.insertAdjacentHTML('beforeend', '<p>item ' + ++n + '</p>') };
        more(); more(); more(); addEventListener('scroll', more)</script>";
    let drawn = draw(&mut browser, endless, &Shelf::default()).await;
    assert!((2..=4).contains(&drawn.scrolls), "{}", drawn.scrolls);
}

#[tokio::test]
async fn limits_on_requests_and_bytes_are_told() {
    let mut shelf = Shelf::default();
    for n in 0..9 {
        shelf = shelf.with(&format!("http://mill.test/{n}.js"), "text/javascript", &" ".repeat(900));
    }
    let scripts: String = (0..9).map(|n| format!("<script src=/{n}.js></script>")).collect();
    let html = format!("<p>Rye</p><img src=/a.png>{scripts}");
    for (limits, answered, key) in [
        (BrowserConfig { max_requests: 5, ..settings() }, 5, "more requests than any may"),
        (BrowserConfig { max_bytes: 2_000, ..settings() }, 2, "more bytes than any may"),
    ] {
        let Some(mut browser) = browser(limits).await else { return };
        let drawn = draw(&mut browser, &html, &shelf).await;
        let counts = drawn.counts;
        assert_eq!((counts.answered, counts.refused, counts.left_out), (answered, 9 - answered, 1), "{counts:?}");
        assert!(drawn.refused.iter().all(|(_, reason)| reason.contains(key)), "{:?}", drawn.refused);
    }
}

#[tokio::test]
async fn what_a_page_asks_for_at_its_end_is_not_asked_for_the_next_one() {
    let Some(mut browser) = browser(settings()).await else { return };
    let html = "<p>Rye</p><script>const late = () => fetch('/late', {keepalive: true}).catch(() => 0);
        addEventListener('pagehide', late); addEventListener('unload', late); setInterval(late, 1)</script>";
    for _ in 0..2 {
        draw(&mut browser, html, &Shelf::default()).await;
        let next = Shelf::default();
        draw(&mut browser, "<p>Wheat</p>", &next).await;
        assert_eq!(next.asked(), [""; 0]);
    }
}

/// Width and height of a PNG.
fn size(png: &[u8]) -> (u32, u32) {
    assert!(png.starts_with(b"\x89PNG\r\n\x1a\n"));
    let number = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().unwrap());
    (number(16), number(20))
}

#[tokio::test]
async fn a_screenshot_shows_the_window_or_the_page_with_its_pictures_and_is_bounded() {
    let Some(mut browser) = browser(settings()).await else { return };
    let svg = "<svg xmlns='http://www.w3.org/2000/svg' width='50' height='50'><rect width='50' height='50' fill='red'/></svg>";
    for (height, full_page, expected) in
        [(3_000, true, 3_000), (3_000, false, 1_024), (90_000, true, 8_000), (10, true, 1_024)]
    {
        let shelf = Shelf::default().with("http://mill.test/a.svg", "image/svg+xml", svg);
        let html = format!(
            "<body style='margin:0'><p>The mill.</p><div style='height:{height}px;margin-top:-50px'><img src=/a.svg></div>"
        );
        let html = html.replace("<p>", "<p style='margin:0;height:50px'>");
        let screenshot = Some(ScreenshotOptions { full_page, quality: None });
        let page = RenderRequest { screenshot, ..RenderRequest::html(URL, html.clone()) };
        let drawn = browser.render(&page, RenderMode::Scripts, &shelf).await.unwrap();
        let (width, found) = size(&drawn.screenshot.unwrap());
        assert_eq!((width, found), (1_280, expected), "{height} {full_page}");
        assert_eq!(shelf.asked(), ["http://mill.test/a.svg"]);
        let without = Shelf::default();
        assert!(draw(&mut browser, &html, &without).await.screenshot.is_none() && without.asked().is_empty());
    }
    let screenshot = Some(ScreenshotOptions { full_page: false, quality: Some(40) });
    let page = RenderRequest { screenshot, ..RenderRequest::html(URL, "<p>The mill.") };
    let drawn = browser.render(&page, RenderMode::Scripts, &Shelf::default()).await.unwrap();
    assert!(drawn.screenshot.unwrap().starts_with(b"\xff\xd8\xff") && drawn.html.contains("The mill."));
}
