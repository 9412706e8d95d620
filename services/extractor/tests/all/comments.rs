//! Comments of readers stay out of documents unless the settings say otherwise.

use gristmill_extractor::ExtractorConfig;
use gristmill_proto::Document;

use crate::common;

const STORY: &str = "<title>The clock stands still | Post</title><meta property=og:type content=article><nav><a href=/>Home</a> <a href=/n>News</a></nav><main><article>
    <h1>The clock stands still</h1><p>The clock of the old station has stood still since Sunday, and nobody knows who has the
    key to its case. The railway says that it belongs to the town, and the town that it belongs to the railway.</p>
    <p>Travellers set their watches by the bell of the abbey, which is four minutes late. The council will speak about it.</p>
    <p>The clockmaker who looked after it retired in the spring. He says that the works are sound and want nothing but winding,
    which was done on Mondays for a hundred years, and that the case was never locked while he had the care of it.</p>
    <div id=comments><h3>2 comments</h3><p><b>Bo:</b> I have lived here for forty years and the clock was never right in any of
    them, so why does it matter now? The trains were never on time either, and we caught them all the same, because everybody left
    home ten minutes early and had a coffee at the counter.</p><p><b>Cy:</b> My father had the key. He gave it to the station master in 1971, who gave
    it to his son, I believe. He moved to the coast some years ago, and when I met him there last summer he said that he still had
    it in a drawer, together with the whistle.</p></div></article></main>";

/// The story as the service gives it.
async fn document(config: &ExtractorConfig) -> Document {
    common::document(config, "http://a.test/news/2024/05/02/clock.html", "text/html", STORY).await
}

#[tokio::test(flavor = "multi_thread")]
async fn documents_have_comments_in_their_text_only_if_the_setting_says_so() {
    let without = document(&ExtractorConfig::default()).await;
    assert!(without.text.contains("four minutes late") && !without.text.contains("forty years"), "{}", without.text);
    assert!(without.comments.iter().any(|comment| comment.text.contains("forty years")), "{:?}", without.comments);
    let with = document(&ExtractorConfig { comments: true, ..ExtractorConfig::default() }).await;
    assert!(with.text.contains("forty years") && with.comments.is_empty(), "{with:?}");
}
