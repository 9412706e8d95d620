//! The start page and the page of hits.

use gristmill_index::{Hit, SearchQuery, SearchResults, format_minute};

use super::layout::{PageFrame, page, query_box};
use crate::html::HtmlWriter;
use crate::request::{SearchRequest, document_path};

/// Longest address shown under a title, in characters.
const SHOWN_URL_CHARS: usize = 90;

/// The start page; of an index the number of documents, and whether there are products.
pub(super) fn start(holdings: Option<(u64, bool)>) -> String {
    let count = holdings.map(|(count, _)| count);
    page(&PageFrame::default(), |html| {
        html.raw("<div class=\"start\"><h1>Gristmill</h1><form class=\"box\" action=\"/search\" role=\"search\">");
        query_box(html, "", true);
        html.raw("</form><p class=\"quiet\">");
        match count {
            Some(1) => html.raw("One document to search."),
            Some(count) => html.number(count).raw(" documents to search."),
            None => html.raw("Nothing is indexed yet. Start a crawl, and its pages can be searched as they come in: "),
        };
        if count.is_none() {
            html.raw("<code>gristmill crawl URL</code>");
        }
        html.raw("</p>");
        hints(html, holdings.is_some_and(|(_, products)| products));
        html.raw("</div>");
    })
}

fn hints(html: &mut HtmlWriter, products: bool) {
    html.raw("<dl class=\"hints\"><dt><code>\"exact words\"</code></dt><dd>a phrase, in any language</dd>");
    html.raw("<dt><code>title:word</code></dt><dd>also <code>author:</code> <code>site:</code> <code>url:</code> ");
    html.raw("<code>lang:</code> <code>kind:</code></dd>");
    html.raw("<dt><code>date:2024-05</code></dt><dd>or <code>2023..2024</code>, <code>&gt;=2024</code></dd>");
    if products {
        html.raw("<dt><code>price:[10 TO 50]</code></dt><dd>products by a number; <code>brand:word</code> and ");
        html.raw("<code>attr.NAME:word</code> by what is known of them</dd>");
    }
    html.raw("<dt><code>gran*</code></dt><dd>words that begin so; <code>word~1</code> with a letter wrong</dd>");
    html.raw("<dt><code>-word</code></dt><dd>without it; <code>a OR b</code> for either</dd></dl>");
}

/// The page for a search that makes no sense.
pub(super) fn refused(request: &SearchRequest, message: &str) -> String {
    let frame = PageFrame { title: "Not understood", query: Some(&request.q), ..PageFrame::default() };
    page(&frame, |html| {
        html.raw("<div class=\"note\"><h1>Not understood</h1><p>").text(message).raw(".</p></div>");
    })
}

/// The page for a search before the first commit.
pub(super) fn nothing_yet(request: &SearchRequest) -> String {
    let frame = PageFrame { title: "Nothing yet", query: Some(&request.q), ..PageFrame::default() };
    page(&frame, |html| {
        html.raw("<div class=\"note\"><h1>Nothing is indexed yet</h1><p>Pages can be searched some seconds after ");
        html.raw("they were fetched. <a href=\"/status\">See how the crawl stands.</a></p></div>");
    })
}

/// The page of hits.
pub(super) fn results(request: &SearchRequest, query: &SearchQuery, results: &SearchResults) -> String {
    let feed = SearchRequest { collapse: String::new(), ..request.with("limit", "") }.feed_path();
    let frame =
        PageFrame { title: &request.q, query: Some(&request.q), feed: Some(feed.as_str()), ..PageFrame::default() };
    page(&frame, |html| {
        html.raw("<div class=\"columns\">");
        filters(html, request, results);
        html.raw("<section class=\"hits\">");
        summary(html, query, results, &feed);
        active_filters(html, request);
        for warning in &results.warnings {
            html.raw("<p class=\"warning\">").text(warning).raw("</p>");
        }
        if let Some(suggestion) = &results.suggestion {
            html.raw("<p class=\"suggestion\">Did you mean <a").href(&request.with("q", suggestion).path()).raw(">");
            html.text(suggestion).raw("</a>?</p>");
        }
        if results.hits.is_empty() {
            nothing_found(html, request, query);
        }
        results.hits.iter().for_each(|found| hit(html, found));
        pager(html, request, query, results);
        html.raw("</section></div>");
    })
}

fn summary(html: &mut HtmlWriter, query: &SearchQuery, results: &SearchResults, feed: &str) {
    html.raw("<p class=\"summary\">");
    if results.partial {
        html.raw("At least ");
    } else if results.at_least {
        html.raw("More than ");
    }
    html.number(results.total).raw(if results.total == 1 { " document" } else { " documents" });
    if query.offset > 0 && !results.hits.is_empty() {
        html.raw(", from the ").number(query.offset as u64 + 1).raw("th on");
    }
    html.raw(" · ").text(&duration(results.elapsed)).raw(" · <a").href(feed).raw(">Feed</a></p>");
    if results.partial {
        html.raw("<p class=\"warning\">The search took too long and was ended; this is what it had found.</p>");
    }
}

fn duration(elapsed: std::time::Duration) -> String {
    let milliseconds = elapsed.as_secs_f64() * 1000.0;
    if milliseconds < 10.0 { format!("{milliseconds:.1} ms") } else { format!("{milliseconds:.0} ms") }
}

/// Filters that are set, each with a link that takes it away.
fn active_filters(html: &mut HtmlWriter, request: &SearchRequest) {
    let set = [
        ("site", &request.site),
        ("kind", &request.kind),
        ("language", &request.language),
        ("from", &request.from),
        ("to", &request.to),
    ];
    let mut set = set.into_iter().filter(|(_, value)| !value.is_empty()).peekable();
    if set.peek().is_none() {
        return;
    }
    html.raw("<ul class=\"chips\">");
    for (name, value) in set {
        html.raw("<li><a class=\"chip\"").href(&request.with(name, "").path()).raw(" title=\"Remove this filter\">");
        html.text(name).raw(": <bdi>").text(value).raw("</bdi> <span aria-hidden=\"true\">×</span></a></li>");
    }
    html.raw("</ul>");
}

fn nothing_found(html: &mut HtmlWriter, request: &SearchRequest, query: &SearchQuery) {
    html.raw("<div class=\"note\"><h1>Nothing found</h1><p>");
    if query.offset > 0 {
        html.raw("There are no further hits. <a")
            .href(&request.with("offset", "").path())
            .raw(">Back to the first</a>");
    } else {
        html.raw("Try fewer or other words, or take a filter away.");
    }
    html.raw("</p></div>");
}

fn hit(html: &mut HtmlWriter, hit: &Hit) {
    html.raw("<article class=\"hit\"");
    if is_language(&hit.language) {
        html.attr("lang", &hit.language);
    }
    html.raw("><h2 dir=\"auto\"><a").href(&document_path(&hit.key)).raw(">");
    if hit.title.trim().is_empty() {
        html.raw("<em>Untitled</em>");
    } else {
        html.snippet(&hit.title_marked);
    }
    html.raw("</a></h2><p class=\"address\"><bdi>").outward(&hit.url, &shortened(&hit.url)).raw("</bdi></p>");
    html.raw("<p class=\"snippet\" dir=\"auto\">").snippet(&hit.snippet).raw("</p><p class=\"facts\">");
    let published = hit.published.map(format_minute).unwrap_or_default();
    let facts = [published.as_str(), &hit.author, &hit.language];
    for fact in facts.into_iter().filter(|fact| !fact.is_empty()) {
        html.raw("<span dir=\"auto\">").text(fact).raw("</span>");
    }
    if hit.kind != gristmill_index::DocumentKind::Article {
        html.raw("<span class=\"tag\">").text(hit.kind.as_str()).raw("</span>");
    }
    if hit.rendered.is_some() {
        html.raw("<span class=\"tag\" title=\"A browser drew this page: its text is not in what the server sent\">drawn</span>");
    }
    match hit.duplicates {
        0 => {}
        1 => drop(html.raw("<span>and one near-duplicate</span>")),
        more => drop(html.raw("<span>and ").number(more).raw(" near-duplicates</span>")),
    }
    html.raw("</p>");
    super::document::table(html, &hit.attributes, MAX_ATTRIBUTES);
    html.raw("</article>\n");
}

/// Attributes of a product that are shown with a hit.
const MAX_ATTRIBUTES: usize = 8;

/// Whether a language code is fit for a `lang` attribute.
pub(super) fn is_language(code: &str) -> bool {
    (2..=12).contains(&code.len()) && code.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

fn shortened(url: &str) -> String {
    let bare = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://")).unwrap_or(url);
    match bare.char_indices().nth(SHOWN_URL_CHARS) {
        Some((end, _)) => format!("{}…", &bare[..end]),
        None => bare.to_owned(),
    }
}

fn pager(html: &mut HtmlWriter, request: &SearchRequest, query: &SearchQuery, results: &SearchResults) {
    let earlier = query.offset.saturating_sub(query.limit);
    let later = query.offset + query.limit;
    let reachable = results.more && later <= gristmill_index::MAX_OFFSET;
    if query.offset == 0 && !reachable {
        return;
    }
    let at = |offset: usize| {
        let offset = if offset == 0 { String::new() } else { offset.to_string() };
        SearchRequest { offset, ..request.clone() }.path()
    };
    html.raw("<nav class=\"pager\" aria-label=\"Pages\">");
    if query.offset > 0 {
        html.raw("<a rel=\"prev\"").href(&at(earlier)).raw(">← Previous</a>");
    }
    html.raw("<span>Page ").number((query.offset / query.limit + 1) as u64).raw("</span>");
    if reachable {
        html.raw("<a rel=\"next\"").href(&at(later)).raw(">Next →</a>");
    }
    html.raw("</nav>");
}

fn filters(html: &mut HtmlWriter, request: &SearchRequest, results: &SearchResults) {
    let facets = &results.facets;
    html.raw("<aside class=\"filters\" aria-label=\"Filters\"><input type=\"checkbox\" id=\"show-filters\">");
    html.raw("<label class=\"show-filters\" for=\"show-filters\">Filters and order</label>");
    let groups =
        [("Site", "site", &facets.sites), ("Language", "language", &facets.languages), ("Kind", "kind", &facets.kinds)];
    for (title, name, counts) in groups {
        facet(html, request, title, name, counts, results.facets_sampled);
    }
    attribute_names(html, request, results);
    drawn(html, request, results);
    html.raw("<section><h3>Published</h3><div class=\"dates\">");
    for (name, label, value) in [("from", "From", &request.from), ("to", "To", &request.to)] {
        html.raw("<label>").text(label).raw(" <input form=\"search\" type=\"text\" inputmode=\"numeric\"");
        html.raw(" placeholder=\"2024-05-31\" maxlength=\"25\"").attr("name", name).attr("value", value);
        html.raw("></label>");
    }
    html.raw("</div></section><section><label class=\"check\"><input form=\"search\" type=\"checkbox\"");
    html.raw(" name=\"collapse\" value=\"true\"").raw(if request.collapse.is_empty() { ">" } else { " checked>" });
    html.raw(" One of each near-duplicate</label>");
    for (name, value) in [("site", &request.site), ("kind", &request.kind), ("language", &request.language)] {
        if !value.is_empty() {
            html.raw("<input form=\"search\" type=\"hidden\"").attr("name", name).attr("value", value).raw(">");
        }
    }
    html.raw(
        "<label class=\"check\">Order <select form=\"search\" name=\"sort\"><option value=\"\">best first</option>",
    );
    html.raw("<option value=\"date\"").raw(if request.sort == "date" { " selected>" } else { ">" });
    html.raw("newest first</option>");
    if results.facets.attributes.iter().any(|(name, _)| name == "price") || request.sort.starts_with("price") {
        for (value, label) in [("price", "cheapest first"), ("price-desc", "dearest first")] {
            html.raw("<option").attr("value", value).raw(if request.sort == value { " selected>" } else { ">" });
            html.text(label).raw("</option>");
        }
    }
    html.raw("</select></label>");
    html.raw("<button form=\"search\" class=\"plain\">Apply</button></section></aside>");
}

/// The commonest names of attributes among the matches; a name narrows the search to what has it.
fn attribute_names(html: &mut HtmlWriter, request: &SearchRequest, results: &SearchResults) {
    let counts = &results.facets.attributes;
    if counts.is_empty() {
        return;
    }
    html.raw("<section><h3>Attributes</h3><ul>");
    for (name, count) in counts.iter().take(10) {
        let narrowed = request.with("q", format!("{} attr.{name}:*", request.q).trim());
        html.raw("<li><a").href(&narrowed.path()).raw("><bdi>").text(&name.replace('_', " ")).raw("</bdi></a> <span>");
        html.raw(if results.facets_sampled { "about " } else { "" }).number(*count).raw("</span></li>");
    }
    html.raw("</ul></section>");
}

/// How many of the matches a browser drew.
fn drawn(html: &mut HtmlWriter, request: &SearchRequest, results: &SearchResults) {
    if results.facets.rendered.is_empty() {
        return;
    }
    html.raw("<section><h3>Drawn by a browser</h3><ul>");
    for (mode, count) in &results.facets.rendered {
        let narrowed = request.with("q", format!("{} rendered:{mode}", request.q).trim());
        html.raw("<li><a").href(&narrowed.path()).raw("><bdi>with ").text(mode).raw("</bdi></a> <span>");
        html.raw(if results.facets_sampled { "about " } else { "" }).number(*count).raw("</span></li>");
    }
    html.raw("</ul></section>");
}

fn facet(
    html: &mut HtmlWriter,
    request: &SearchRequest,
    title: &str,
    name: &str,
    counts: &[(String, u64)],
    estimated: bool,
) {
    if counts.is_empty() {
        return;
    }
    html.raw("<section><h3>").text(title).raw("</h3><ul>");
    for (value, count) in counts.iter().take(10) {
        html.raw("<li><a").href(&request.with(name, value).path()).raw("><bdi>").text(value).raw("</bdi></a> <span>");
        html.raw(if estimated { "about " } else { "" }).number(*count).raw("</span></li>");
    }
    html.raw("</ul></section>");
}
