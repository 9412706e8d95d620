//! Headings below which a page shows other pages of its site.

use gristmill_page::{Page, Row};

/// How headings begin below which other pages of the site are shown, in lower case: data, not code.
#[rustfmt::skip]
const RELATED: [&str; 96] = [
    "related", "you may also", "you might also", "you might like", "more from", "more stories", "more news", "more articles", "more posts",
    "more like this", "more on this", "leia mais", "read next", "read more", "read also", "recommended", "recommendations", "latest news", "latest posts",
    "latest stories", "recent posts", "recent news", "recent articles", "other news", "other articles", "other posts", "similar posts",
    "most read", "most popular", "popular posts", "keep reading", "up next", "don't miss", "further reading", "also in",
    "das könnte", "ähnliche", "weitere beiträge", "weitere artikel", "weitere meldungen", "mehr zum thema", "mehr aus", "passend dazu",
    "auch interessant", "lesen sie auch", "à lire aussi", "a lire aussi", "lire aussi", "sur le même", "articles similaires",
    "vous aimerez", "ces articles", "artículos relacionados", "noticias relacionadas", "relacionad", "también te", "te puede", "más noticias",
    "artigos relacionados", "leia também", "veja também", "mais notícias", "articoli correlati", "leggi anche", "potrebbe interessarti",
    "lees ook", "gerelateerd", "läs också", "læs også", "les også", "zobacz także", "podobne", "читайте также", "похожие", "相关", "関連",
    "اقرأ أيضا", "إقرأ أيضا", "مواضيع ذات صلة", "أخبار ذات صلة", "קראו גם", "כתבות נוספות", "ये भी पढ़ें", "ये भी पढ़ें", "यह भी पढ़ें",
    "ข่าวที่เกี่ยวข้อง", "relaterade", "relaterte", "powiązane", "související", "kapcsolódó", "ilgili haber", "tin liên quan", "baca juga",
    "관련", "相關",
];

/// Whether a row is a heading below which other pages are shown.
pub(crate) fn is_related(page: &Page<'_>, row: &Row) -> bool {
    const MAX_CHARS: u32 = 40;
    row.in_heading && row.chars <= MAX_CHARS && is_heading_of_others(page.row_text(row))
}

/// Whether a heading begins as those do below which other pages are shown.
pub(crate) fn is_heading_of_others(text: &str) -> bool {
    let text = text.trim().to_lowercase();
    RELATED.iter().any(|begin| text.starts_with(begin))
}
