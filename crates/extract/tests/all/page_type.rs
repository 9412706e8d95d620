//! The page type model on pages of its own making, on bytes of any sort, and, where they are there, on real pages.

use std::io::Read;
use std::path::PathBuf;

use cpu_time::ThreadTime;
use gristmill_extract::{ExtractOptions, Page, PageKind, PageType, PageTypes, extract, types_of};
use gristmill_html::{Doc, TreeLimits, decode};
use proptest::prelude::*;

fn types(html: &str, url: Option<&str>) -> PageTypes {
    let doc = Doc::parse(html, &TreeLimits::default());
    types_of(&Page::new(&doc), url)
}

fn is_distribution(types: &PageTypes) -> bool {
    let within = |p: &f32| p.is_finite() && (0.0..=1.0).contains(p);
    let sum = |values: &[f32]| (values.iter().sum::<f32>() - 1.0).abs() < 1e-4;
    types.0.iter().all(within) && sum(&types.0) && sum(&types.kinds())
}

/// A story of the valley in a plain page.
fn story() -> String {
    let paragraph = "<p>The mill stood by the river for two hundred years, people said, and it ground the grain of the \
                     whole valley. Nobody knew who had built it, but everybody had carried a sack there once.</p>";
    format!(
        "<nav><a href=/>Home</a><a href=/news>News</a></nav><article><h1>The last mill of the valley closes</h1>\
         <p class=byline>By Jane Doe, <time>3 May 2021</time></p>{}</article><footer>© 2021</footer>",
        paragraph.repeat(12)
    )
}

/// A product with a price, a button and a table.
fn product() -> String {
    let rows = ["Brand", "Weight", "Material", "Colour"].map(|name| format!("<tr><th>{name}</th><td>some</td></tr>"));
    format!(
        "<nav><a href=/>Shop</a><a href=/cart>Cart</a></nav><div class=product><img src=a.jpg><h1>Hand mill No. 7</h1>\
         <span class=price>$49.00</span><form action=/cart/add><input type=number name=quantity value=1>\
         <button>Add to cart</button></form><h2>Specifications</h2><table>{}</table></div>",
        rows.concat()
    )
}

/// Cards with pictures, names and prices.
fn collection() -> String {
    let card = |n: u32| {
        format!(
            "<li class=product-card><a href=/p/{n}><img src={n}.jpg><h3>Hand mill No. {n}</h3></a>\
             <span class=price>${n}9.00</span><button>Add to cart</button></li>"
        )
    };
    let cards: String = (1..=24).map(card).collect();
    format!(
        "<h1>Mills</h1><div class=filters><select><option>Sort by</select></div><ul class=product-grid>{cards}</ul>"
    )
}

#[test]
fn plain_pages_of_each_kind_are_told_apart_without_declarations() {
    assert_eq!(
        types(&story(), Some("https://valley.example/2021/05/the-last-mill-closes")).kind().0,
        PageKind::Article
    );
    assert_eq!(types(&story(), None).kind().0, PageKind::Article);
    assert_eq!(types(&product(), Some("https://shop.example/products/hand-mill-7")).kind().0, PageKind::Product);
    assert_eq!(types(&collection(), Some("https://shop.example/collections/mills")).kind().0, PageKind::Listing);
}

/// A short post of a weblog, and what its readers wrote below.
fn post(title: &str, paragraphs: &[&str], comments: &[&str]) -> String {
    let text: String = paragraphs.iter().map(|text| format!("<p>{text}</p>")).collect();
    let comment = |(at, text): (usize, &&str)| {
        format!(
            "<li id=comment-{at} class=comment><div class=comment-author>Pia {at}</div><time datetime=2026-05-0{at}>May {at}</time>\
             <div class=comment-content><p>{text}</p></div><a rel=nofollow href='?replytocom={at}'>Reply</a></li>"
        )
    };
    let items: String = comments.iter().enumerate().map(|(at, text)| comment((at + 1, text))).collect();
    format!(
        "<title>{title} – The Journal</title><body class='single single-post'><header><p><a href=/>The Journal</a></p>\
         <nav><ul><li><a href=/about>About</a><li><a href=/imprint>Imprint</a></ul></nav></header><main><h1>{title}</h1>\
         <div class=entry-content>{text}</div><div class=meta>Posted on <time datetime=2024-04-10>April 10, 2024</time> by <a href=/author/anna>Anna Weber</a></div>\
         <section class=comments><h2>Comments</h2><h3>Responses to “{title}”</h3>\
         <ol>{items}</ol><div id=respond><h3>Leave a Reply</h3><form><textarea></textarea></form></div></section></main>\
         <footer><p>The Journal</p></footer>"
    )
}

#[test]
fn a_short_post_with_comments_is_an_article_and_they_are_not_its_text() {
    let posts = [
        post(
            "Over the pass in one day",
            &[
                "We left the village before sunrise and reached the pass at nine.",
                "There was still snow on the north side, so we took the longer way along the ridge.",
            ],
            &["Great, bookmarked.", "We tried the same last summer, and it rained all day.", "Which map did you use?"],
        ),
        post(
            "终于换了新路由器",
            &[
                "旧的那台从春天升级以后就一直很慢，每隔几天还会丢失设置，所以上个星期换了新的。",
                "新的十分钟就装好了，大部分时间都花在找一根够长的网线上。",
            ],
            &["写得很好，谢谢分享，期待下一篇文章。", "学习了，收藏。", "请问是什么型号的？我也想换一台。"],
        ),
    ];
    for html in posts {
        let document = extract(&Doc::parse(&html, &TreeLimits::default()), &ExtractOptions::default());
        assert_eq!(document.kind, PageKind::Article, "{:?}", document.types);
        assert_eq!(document.comments.len(), 3, "{}", document.text);
        assert!(!document.comments.iter().any(|comment| document.text.contains(&comment.text)), "{}", document.text);
        assert!(!document.text.contains("Responses") && !document.text.contains("Posted"), "{}", document.text);
    }
}

#[test]
fn the_document_has_the_kind_and_the_types() {
    let html = story();
    let document = extract(&Doc::parse(&html, &TreeLimits::default()), &ExtractOptions::default());
    assert_eq!((document.kind, document.types.best().0), (PageKind::Article, PageType::Article));
    assert_eq!(document.kind_probability, document.types.kind().1);
    let json = serde_json::to_value(&document).unwrap();
    assert_eq!(json["kind"], "article");
    assert!(json["types"]["article"].as_f64().unwrap() > 0.5, "{json}");
}

#[test]
fn hostile_pages_get_a_distribution_in_little_time() {
    let pages = [
        String::new(),
        "<script>only</script>".to_owned(),
        "<div class=product>".repeat(50_000),
        "<li><a href=/x><img>$5 item 2020</a>".repeat(25_000),
        format!("<script type=application/ld+json>{}", "{\"@type\":[".repeat(100_000)),
        format!("<p class=\"{}\">x", "aB-".repeat(300_000)),
        "<i>1€ </i>".repeat(50_000),
        format!("<p>{}", "1 $ ".repeat(200_000)),
    ];
    for html in pages {
        let doc = Doc::parse(&html, &TreeLimits::default());
        let page = Page::new(&doc);
        let begun = ThreadTime::now();
        assert!(is_distribution(&types_of(&page, Some("https://a.example/x"))));
        let spent = begun.elapsed();
        assert!(spent.as_secs_f64() < 5.0, "{spent:?} for {}", &html[..html.floor_char_boundary(40)]);
    }
}

proptest! {
    #[test]
    fn any_bytes_give_finite_probabilities_that_sum_to_one(bytes in prop::collection::vec(any::<u8>(), 0..2_000)) {
        prop_assert!(is_distribution(&types(&decode(&bytes, None).text, None)));
    }

    #[test]
    fn any_markup_gives_finite_probabilities_that_sum_to_one(
        pieces in prop::collection::vec(prop::sample::select(vec![
            "<div class='product card'>", "</div>", "<a href=/x>", "</a>", "$5.00", "<p>Words, words. ", "<h1>", "</h1>", "<li>",
            "<time>2020", "<form action=/cart>", "<input type=number>", "<script type=application/ld+json>{\"@type\":\"Product\"}</script>",
            "<meta property=og:type content=article>", "回复", "<body class=single>", "<table><tr><td>", "<svg>", "<template>",
        ]), 0..80),
        url in "https?://[a-z./0-9?=-]{0,40}",
    ) {
        prop_assert!(is_distribution(&types(&pieces.concat(), Some(&url))));
    }
}

/// Every tenth page of a package with its type and address.
fn sample(folder: &str) -> Vec<(String, Option<String>, String)> {
    let default = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data");
    let data = PathBuf::from(std::env::var("GRISTMILL_DATA").unwrap_or_else(|_| default.into()));
    let Ok(entries) = std::fs::read_dir(data.join(folder).join("pages")) else {
        eprintln!("SKIPPED: no test package {}", data.join(folder).display());
        return Vec::new();
    };
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.retain(|path| path.extension().is_some_and(|end| end == "json"));
    paths.sort();
    let read = |path: &PathBuf| {
        let about: serde_json::Value = serde_json::from_slice(&std::fs::read(path).ok()?).ok()?;
        let mut bytes = Vec::new();
        let file = std::fs::File::open(path.with_extension("html.gz")).ok()?;
        flate2::read::GzDecoder::new(file).read_to_end(&mut bytes).ok()?;
        let page_type = about["page_type"].as_str().unwrap_or("product").to_owned();
        Some((decode(&bytes, None).text.into_owned(), about["url"].as_str().map(str::to_owned), page_type))
    };
    paths.iter().step_by(10).filter_map(read).collect()
}

/// Pages that the model has not seen: their licences do not permit to train on them.
#[test]
fn unseen_articles_are_no_products_and_unseen_products_are() {
    let articles = ["articles/cleaneval-final", "articles/zh-netease", "articles/zh-handcrafted"].map(sample).concat();
    let taken =
        articles.iter().filter(|(html, url, _)| types(html, url.as_deref()).kind().0 == PageKind::Product).count();
    assert!(taken * 50 <= articles.len(), "{taken} of {} articles are taken for products", articles.len());
    let products = ["products/zh-jd", "products/fathom-products"].map(sample).concat();
    let found =
        products.iter().filter(|(html, url, _)| types(html, url.as_deref()).kind().0 == PageKind::Product).count();
    assert!(found * 10 >= products.len() * 7, "{found} of {} products are found", products.len());
}

/// Pages that the model has seen: guards the features and the table, not the model's worth (`docs/page-kind.md` has that).
#[test]
fn seen_pages_of_all_seven_types_are_told_apart() {
    let pages = sample("articles/wcxb-dev");
    let right = |(html, url, page_type): &&(String, Option<String>, String)| {
        types(html, url.as_deref()).best().0.as_str() == page_type
    };
    let n = pages.iter().filter(right).count();
    assert!(n * 100 >= pages.len() * 93, "{n} of {} types are right", pages.len());
}

#[test]
fn what_a_program_for_reference_documentation_made_is_no_thread() {
    let member = "<section class=detail><h3>offer</h3><div class=member-signature>boolean offer(T job)</div><div class=block>Adds a job.</div><dl class=notes><dt>Returns:<dd>whether it was added</dl></section>";
    let page = |generator: &str| {
        let html = format!(
            "<title>Queue</title><meta name=generator content='{generator}'><h1>Class Queue</h1>{}",
            member.repeat(3)
        );
        types(&html, None)
    };
    assert!(is_distribution(&page("javadoc/ClassWriterImpl")));
    assert!(page("javadoc/ClassWriterImpl").of_type(PageType::Forum) == 0.0);
    assert!(page("WordPress 6.5").of_type(PageType::Forum) > 0.0);
}
