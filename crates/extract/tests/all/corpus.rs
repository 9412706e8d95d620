//! One small page for each hard case, with the text that must come out of it.

use std::path::PathBuf;
use std::time::Duration;

use cpu_time::ThreadTime;
use gristmill_extract::{
    ExtractOptions, Extraction, Method, MethodInput, Page, Trace, TraceValue, extract, methods, spell_out,
};
use gristmill_html::{Doc, TreeLimits, decode};

fn extracted(bytes: &[u8], method: &str) -> Extraction {
    let decoded = decode(bytes, None);
    let doc = Doc::parse(&decoded.text, &TreeLimits::default());
    let method: Method = method.parse().unwrap();
    extract(&doc, &ExtractOptions { method, attach_title: false, ..ExtractOptions::default() })
}

fn page(name: &str) -> Vec<u8> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/corpus").join(name).join("page.html");
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn text(name: &str, method: &str) -> String {
    extracted(&page(name), method).text
}

fn expected(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/corpus").join(name).join("text.txt");
    std::fs::read_to_string(path).unwrap().trim_end().to_owned()
}

#[test]
fn paragraphs_made_of_line_breaks_are_rows() {
    assert_eq!(text("br-paragraphs", "twcem"), expected("br-paragraphs"));
}

#[test]
fn text_directly_in_the_body_is_found() {
    assert_eq!(text("bare-body", "twcem"), expected("bare-body"));
}

#[test]
fn a_table_layout_of_1999_gives_its_story_cell() {
    assert_eq!(text("table-layout", "twcem"), expected("table-layout"));
    // The unclosed font moves the last paragraph, so the area is the cell; its title equals the query.
    let with_title = format!("The mill on the hill\n{}", expected("table-layout"));
    assert_eq!(text("table-layout", "vsse-tuned"), with_title);
}

#[test]
fn a_forum_thread_inside_of_noscript_is_read() {
    assert_eq!(text("noscript-forum", "vsse-tuned"), expected("noscript-forum"));
}

#[test]
fn a_frameset_shows_its_noframes_text_and_lists_its_frames() {
    let document = extracted(&page("frameset"), "best");
    assert_eq!(document.text, expected("frameset"));
    assert_eq!(document.frames, ["menu.html", "main.html"]);
}

#[test]
fn escaped_markup_stays_text() {
    assert_eq!(text("escaped-markup", "twcem"), expected("escaped-markup"));
}

#[test]
fn a_gbk_page_without_declaration_is_decoded() {
    let utf8 = String::from_utf8(page("gbk")).unwrap();
    let (bytes, _, unmappable) = encoding_rs::GBK.encode(&utf8);
    assert!(!unmappable);
    let document = extracted(&bytes, "twcem");
    assert_eq!(document.text, expected("gbk"));
    assert_eq!(document.title.as_deref(), Some("山区小学新图书馆开放"));
    assert_eq!(document.published.as_deref(), Some("2021-09-03T08:30:00"));
    assert_eq!(document.language.as_deref(), Some("zh"));
}

#[test]
fn pages_without_text_say_why() {
    let reason = |html: &str| extracted(html.as_bytes(), "best").reason;
    assert_eq!(reason("").as_deref(), Some("no text on the page"));
    assert_eq!(reason("<html><head><title>t</title></head>").as_deref(), Some("no text on the page"));
    assert_eq!(reason("<script>document.write('x')</script>").as_deref(), Some("only scripts, no text"));
    assert_eq!(reason("<frameset><frame src=a></frameset>").as_deref(), Some("frameset without text"));
    assert_eq!(reason("<p>something</p>"), None);
}

#[test]
fn what_a_method_drops_as_a_whole_comes_back_by_the_ladder() {
    let html = "<a href=x>Menu</a><p>a row of many words but without a mark";
    let document = extracted(html.as_bytes(), "twcem");
    assert_eq!(document.text, "a row of many words but without a mark");
    assert_eq!((document.method.as_str(), document.warnings.len()), ("dense-run", 1));
    let doc = Doc::parse(html, &TreeLimits::default());
    let bare =
        extract(&doc, &ExtractOptions { method: Method::TWCEM, never_empty: false, ..ExtractOptions::default() });
    assert_eq!((bare.text.as_str(), bare.reason.as_deref()), ("", Some("the method kept nothing")));
}

#[test]
fn a_hundred_thousand_levels_keep_their_text_and_are_reported() {
    for tag in ["div", "b", "a", "table", "ul><li", "font color=red", "svg", "select"] {
        let mut html = String::from("<p>Before, the start.</p>");
        for _ in 0..100_000 {
            html.push_str(&format!("<{tag}>"));
        }
        html.push_str("<p>Deep inside, a sentence.</p>");
        let doc = Doc::parse(&html, &TreeLimits::default());
        let document = extract(&doc, &ExtractOptions { method: "plain".parse().unwrap(), ..ExtractOptions::default() });
        let foreign = matches!(tag, "svg");
        assert!(document.text.contains("Deep inside, a sentence.") || foreign, "{tag}: {}", document.text);
        assert!(doc.ids().all(|id| doc.depth(id) < 2_000), "{tag}");
    }
}

/// Runs a method twice and says how long the first took; its numbers must be finite and its answers the same.
fn selected(page: &Page<'_>, method: &str) -> Duration {
    let method: Method = method.parse().unwrap();
    let query = MethodInput {
        title: Some("The title of the page"),
        description: "what it says of itself",
        ..MethodInput::default()
    };
    let start = ThreadTime::now();
    let first = method.extractor().select(page, &query, &mut Trace::default());
    let time = start.elapsed();
    let mut trace = Trace::recording();
    assert_eq!(method.extractor().select(page, &query, &mut trace), first, "{method}");
    for (name, value) in trace.values() {
        let finite = match value {
            TraceValue::Number(number) => number.is_finite(),
            TraceValue::Series(numbers) => numbers.iter().all(|number| number.is_finite()),
            TraceValue::Flag(_) | TraceValue::Text(_) => true,
        };
        assert!(finite, "{method}: {name} = {value:?}");
    }
    time
}

const DRAWN: &str = "<span class=katex><span class=katex-html>";

/// Pages that were made to cost time, or that have nothing to keep; a quarter as large but in a soak.
fn pathological() -> Vec<(&'static str, String)> {
    let of = |n: usize| if std::env::var_os("GRISTMILL_SOAK").is_some() { n } else { n / 4 };
    let sentence = "One more sentence of a text that never ends, they say. ";
    let one_text = sentence.repeat(of(8 << 20) / sentence.len());
    let deep = format!("{}<p>Deep inside, a sentence.</p>{sentence}", "<div>".repeat(of(20_000)));
    vec![
        ("one text node of 8 MB", format!("<p>{one_text}")),
        ("one word of 8 MB", "x".repeat(of(8 << 20))),
        ("one line of Chinese, 3 MB", format!("<p>{}", "石磨转动，豆腐出锅。".repeat(of(100_000)))),
        ("one text node of a million lines", format!("<pre>{}", "a line\n".repeat(of(1_000_000)))),
        ("400,000 nodes", "<p>Text, of a sort.</p>".repeat(of(200_000))),
        ("400,000 tags without text", "<br><img>".repeat(of(200_000))),
        ("words and tags in turn", "w<b>o</b>".repeat(of(130_000))),
        ("20,000 levels", deep),
        ("100,000 links", "<a href=/x>Link, text</a> ".repeat(of(100_000))),
        ("a formula of 800,000 letters", format!("<p>{sentence}<math>{}", "<mi>x</mi>".repeat(of(800_000)))),
        (
            "a drawing of 400,000 letters",
            format!("<p>{sentence}{DRAWN}{}", "<span class=mord>x</span>".repeat(of(400_000))),
        ),
        ("no text", "<div><p></p></div>".repeat(10)),
        ("only scripts", "<script>document.write('x')</script>".repeat(10)),
        ("a frameset", "<frameset><frame src=a><frame src=b></frameset>".to_owned()),
        ("nothing", String::new()),
    ]
}

#[test]
fn every_method_is_done_with_pathological_pages_in_seconds() {
    let mut slow = Vec::new();
    for (name, html) in pathological() {
        let mut doc = Doc::parse(&html, &TreeLimits::default());
        let opened = ThreadTime::now();
        spell_out(&mut doc);
        let page = Page::new(&doc);
        let opening = ("opening", opened.elapsed());
        let selecting = methods().into_iter().map(|info| (info.name, selected(&page, info.name)));
        for (step, time) in std::iter::once(opening).chain(selecting) {
            // Here some hundred milliseconds at most; what is quadratic takes minutes.
            if time > Duration::from_secs(8) {
                slow.push(format!("{step}: {name}: {time:?}"));
            } else if time > Duration::from_secs(1) {
                eprintln!("{step}: {name}: {time:?}");
            }
        }
    }
    assert!(slow.is_empty(), "{slow:#?}");
}

#[test]
fn the_title_is_put_before_the_text_unless_it_is_there() {
    let html = "<title>Storm hits the coast</title><h1>Storm hits the coast</h1><p>The storm came, they say.</p>";
    let doc = Doc::parse(html, &TreeLimits::default());
    let options = ExtractOptions { method: Method::TWCEM, ..ExtractOptions::default() };
    assert_eq!(extract(&doc, &options).text, "Storm hits the coast\nThe storm came, they say.");
    let plain = ExtractOptions { method: "plain".parse().unwrap(), ..ExtractOptions::default() };
    assert_eq!(extract(&doc, &plain).text, "Storm hits the coast\nThe storm came, they say.");
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(96))]

    #[test]
    fn any_bytes_give_an_answer(bytes in proptest::collection::vec(proptest::prelude::any::<u8>(), 0..400)) {
        extracted(&bytes, "best");
    }

    #[test]
    fn any_soup_of_tags_gives_an_answer_in_every_rendering(
        parts in proptest::collection::vec(proptest::sample::select(SOUP), 0..60),
        method in proptest::sample::select(methods().iter().map(|info| info.name).collect::<Vec<_>>()),
    ) {
        let html = parts.concat();
        let doc = Doc::parse(&html, &TreeLimits::default());
        let page = Page::new(&doc);
        selected(&page, method);
        let options = ExtractOptions { method: method.parse().unwrap(), trace: true, ..ExtractOptions::default() };
        let (document, selection) = gristmill_extract::extract_from(&page, &options);
        assert_eq!(document.text.is_empty(), document.reason.is_some());
        let rendered = gristmill_extract::render_html(&page, &selection);
        assert!(!rendered.contains("<script") && !rendered.contains("<p onclick"));
        gristmill_extract::render_markdown(&page, &selection);
    }
}

const SOUP: &[&str] = &[
    "<p>",
    "</p>",
    "<div>",
    "</div>",
    "<a href=x>",
    "</a>",
    "<b>",
    "</b>",
    "<i>",
    "</i>",
    "<table>",
    "</table>",
    "<tr>",
    "<td>",
    "<th>",
    "<ul>",
    "<ol>",
    "<li>",
    "</ul>",
    "<pre>",
    "</pre>",
    "<h1>",
    "</h1>",
    "<h2>",
    "<blockquote>",
    "<br>",
    "<script>",
    "</script>",
    "<title>",
    "</title>",
    "<svg>",
    "</svg>",
    "<template>",
    "</template>",
    "<frameset>",
    "<noframes>",
    "<select>",
    "<option>",
    "<form>",
    "</form>",
    "<body class=a>",
    "</body>",
    "</html>",
    "<!-- c -->",
    "<math>",
    "<textarea>",
    "</textarea>",
    "<p onclick='x'>",
    "<pre class='highlight python'>",
    "<code>",
    "</code>",
    "<div class=highlight>",
    "<div class=line>",
    "<p style='white-space: pre-line'>",
    "<span style='white-space:pre;font-family:monospace'>",
    "<td class=gutter colspan=3 rowspan=2>",
    "<caption>",
    "<a href='#x'>¶</a>",
    "[vc_row a=\"b\"]",
    "[/b]",
    "[b]",
    "{\"a\":1}",
    "1\n2\n",
    "  a\n\n\tb\r\n ",
    "Some text, with marks. ",
    "标题，正文。",
    "word",
    "\0",
    "&amp;",
    "&#0;",
    "\u{200b}",
    " ",
    "<img alt='x'>",
    "2018-12-31",
    "By Ann Lee",
    "<time datetime='2020-01-01'>",
    "<noscript>",
];
