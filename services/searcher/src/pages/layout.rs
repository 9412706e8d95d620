//! What all pages share: head, bar with the query box, foot.

use crate::html::HtmlWriter;

/// What differs between the frames of two pages.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct PageFrame<'a> {
    /// Title of the page; the program's name is added.
    pub title: &'a str,
    /// What stands in the query box of the bar; `None` for no bar.
    pub query: Option<&'a str>,
    /// Load again after some seconds.
    pub refresh: bool,
    /// The path of a feed of what the page shows.
    pub feed: Option<&'a str>,
}

/// Writes a page around `body`.
pub(super) fn page(page: &PageFrame<'_>, body: impl FnOnce(&mut HtmlWriter)) -> String {
    let mut html = HtmlWriter::default();
    html.raw("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">");
    html.raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">");
    html.raw("<meta name=\"robots\" content=\"noindex\"><meta name=\"color-scheme\" content=\"light dark\">");
    if page.refresh {
        html.raw("<meta http-equiv=\"refresh\" content=\"3\">");
    }
    if let Some(feed) = page.feed {
        html.raw("<link rel=\"alternate\" type=\"application/atom+xml\" title=\"Atom\"").href(feed).raw(">");
    }
    html.raw("<link rel=\"search\" type=\"application/opensearchdescription+xml\" title=\"Gristmill\" href=\"/opensearch.xml\">");
    html.raw("<title>");
    if !page.title.is_empty() {
        html.text(page.title).raw(" · ");
    }
    html.raw("Gristmill</title><link rel=\"icon\" href=\"/icon.svg\"><link rel=\"stylesheet\" href=\"/style.css\">");
    html.raw("</head>\n<body>");
    bar(&mut html, page.query);
    html.raw("<main>");
    body(&mut html);
    html.raw("</main>\n<footer><a href=\"/\">Search</a><a href=\"/status\">Status</a></footer></body></html>\n");
    html.finish()
}

fn bar(html: &mut HtmlWriter, query: Option<&str>) {
    html.raw("<header class=\"bar\"><a class=\"brand\" href=\"/\">Gristmill</a>");
    if let Some(query) = query {
        // The fields of the filters belong to this form as well; they name it.
        html.raw("<form id=\"search\" class=\"box\" action=\"/search\" role=\"search\">");
        query_box(html, query, false);
        html.raw("</form>");
    }
    html.raw("</header>\n");
}

/// The field for the query and its button, to stand in a form.
pub(super) fn query_box(html: &mut HtmlWriter, query: &str, focus: bool) {
    html.raw("<input type=\"search\" name=\"q\" aria-label=\"Query\" maxlength=\"500\" dir=\"auto\"");
    html.raw(" autocomplete=\"off\" placeholder=\"Words, &quot;a phrase&quot;, site:example.org, -without\"");
    html.attr("value", query).raw(if focus { " autofocus>" } else { ">" });
    html.raw("<button>Search</button>");
}
