//! What documents say of their pages.

use gristmill_extractor::ExtractorConfig;
use gristmill_proto::{Document, DocumentChange};

use crate::common;

async fn document(content_type: &str, body: &str) -> Document {
    common::document(&ExtractorConfig::default(), "http://a.test/ferry", content_type, body).await
}

const TEXT: &str =
    "<h1>Ferry on Sundays again</h1><p>The ferry crosses the river every Sunday, and travellers wait at the quay.</p>
    <p>The boatman tells of the river and its floods, and the council will speak about the fare in the spring.</p>";

#[tokio::test(flavor = "multi_thread")]
async fn a_document_says_whether_its_page_declares_its_date() {
    let script =
        "<script type=application/ld+json>{\"@type\":\"NewsArticle\",\"datePublished\":\"2024-10-04\"}</script>";
    let below = "<p>a<p>b<p>c<p>d<p>e<p>f<p>g<p>h<p>i<p>j<p>k<p>l<p>m";
    for (page, declared) in [
        (format!("{script}{TEXT}"), true),
        (format!("<meta property=article:published_time content=2024-10-04>{TEXT}"), true),
        (format!("{TEXT}{below}<div id=footer><p>Published 2024-10-04</p></div>"), false),
    ] {
        let document = document("text/html", &page).await;
        assert_eq!(document.published.as_deref(), Some("2024-10-04"), "{page}");
        assert_eq!(document.published_declared, declared, "{page}");
    }
    let built = format!("{TEXT}{below}<footer><time datetime=2024-10-04></time> Built on 2024-10-04</footer>");
    assert_eq!(document("text/html", &built).await.published, None, "when a site was built is of no page");
}

#[tokio::test(flavor = "multi_thread")]
async fn plain_text_keeps_its_lines() {
    let document = document("text/plain", "THE FERRY\n\nIt crosses the river\nevery Sunday.\n\n1 < 2\n").await;
    assert_eq!(document.text, "THE FERRY\nIt crosses the river\nevery Sunday.\n1 < 2");
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_of_kinds_that_the_settings_do_not_name_leave_the_index() {
    let kind = document("text/html", TEXT).await.kind;
    let (own, others): (Vec<_>, Vec<_>) =
        ["article", "product", "listing", "other"].map(str::to_owned).into_iter().partition(|name| *name == kind);
    for (kinds, change) in [(own, DocumentChange::Upsert), (others, DocumentChange::Remove)] {
        let config = ExtractorConfig { kinds, ..ExtractorConfig::default() };
        let document = common::document(&config, "http://a.test/ferry", "text/html", TEXT).await;
        assert_eq!(document.change, change, "{kind} of {:?}", config.kinds);
    }
}
