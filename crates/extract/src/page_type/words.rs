//! Words in class names and phrases on buttons, by what they say of a page.

use std::sync::LazyLock;

use gristmill_html::{Doc, Name, NodeId};
use gristmill_page::{
    by_hash::ByHash,
    named::{Named, each_word},
};
use gristmill_text::hash;

/// Groups of class and id words; a bit each.
pub(super) const GROUPS: [(&str, &[&str]); 24] = [
    ("comment", &["comment", "comments", "disqus", "respond", "reply", "replies", "pinglun", "huifu", "kommentar"]),
    (
        "post",
        &[
            "post",
            "posts",
            "thread",
            "topic",
            "forum",
            "message",
            "messages",
            "answer",
            "answers",
            "question",
            "viewtopic",
            "postbody",
            "viewthread",
            "floor",
            "tiezi",
        ],
    ),
    (
        "user",
        &[
            "user",
            "username",
            "avatar",
            "member",
            "signature",
            "userinfo",
            "poster",
            "reputation",
            "karma",
            "profile",
            "usercard",
        ],
    ),
    (
        "author",
        &[
            "author",
            "byline",
            "writer",
            "reporter",
            "dateline",
            "pubdate",
            "published",
            "timestamp",
            "zuozhe",
            "source",
            "laiyuan",
            "pubtime",
        ],
    ),
    (
        "article",
        &[
            "article", "entry", "story", "blog", "news", "headline", "wenzhang", "zhengwen", "artikel", "articulo",
            "noticia",
        ],
    ),
    ("teaser", &["excerpt", "teaser", "readmore", "summary", "abstract", "snippet", "preview"]),
    (
        "product",
        &[
            "product",
            "products",
            "sku",
            "pdp",
            "goods",
            "shop",
            "store",
            "catalog",
            "merchandise",
            "produkt",
            "producto",
            "produit",
            "prodotto",
            "woocommerce",
            "shangpin",
        ],
    ),
    ("item", &["item", "items", "itm"]),
    (
        "price",
        &[
            "price", "prices", "pricing", "amount", "currency", "discount", "sale", "offer", "msrp", "preis", "precio",
            "prix", "prezzo", "jiage",
        ],
    ),
    (
        "cart",
        &[
            "cart",
            "basket",
            "checkout",
            "buy",
            "buybox",
            "addtocart",
            "wishlist",
            "qty",
            "quantity",
            "bag",
            "atc",
            "purchase",
        ],
    ),
    ("variant", &["variant", "variants", "variation", "variations", "swatch", "swatches", "sizes", "colour", "option"]),
    (
        "spec",
        &[
            "spec",
            "specs",
            "specification",
            "specifications",
            "attributes",
            "parameter",
            "param",
            "params",
            "canshu",
            "properties",
            "datasheet",
        ],
    ),
    ("rating", &["rating", "ratings", "review", "reviews", "stars", "star", "score"]),
    ("filter", &["filter", "filters", "facet", "facets", "sort", "refine", "sorting", "sortby", "facetwp"]),
    ("pages", &["pagination", "pager", "paging", "pagenav", "loadmore", "infinite", "paginator", "fenye"]),
    (
        "grid",
        &[
            "grid",
            "card",
            "cards",
            "tile",
            "tiles",
            "listing",
            "listings",
            "results",
            "result",
            "archive",
            "collection",
            "category",
            "plp",
        ],
    ),
    (
        "docs",
        &[
            "toc",
            "docs",
            "doc",
            "documentation",
            "admonition",
            "wiki",
            "api",
            "docsearch",
            "theme",
            "markdown",
            "mw",
            "rst",
            "docutils",
            "anchor",
            "headerlink",
            "breadcrumb",
        ],
    ),
    (
        "code",
        &["highlight", "codehilite", "hljs", "prism", "language", "code", "codeblock", "snippet", "shiki", "linenos"],
    ),
    (
        "service",
        &[
            "hero",
            "cta",
            "testimonial",
            "testimonials",
            "features",
            "feature",
            "plans",
            "faq",
            "solutions",
            "benefits",
            "services",
            "clients",
            "logos",
            "accordion",
        ],
    ),
    ("nav", &["nav", "menu", "navbar", "navigation", "breadcrumbs", "megamenu", "dropdown", "daohang"]),
    ("foot", &["footer", "foot", "copyright", "cookie", "consent", "bottom"]),
    (
        "related",
        &[
            "related",
            "recommended",
            "recommendations",
            "similar",
            "popular",
            "trending",
            "upsell",
            "xiangguan",
            "tuijian",
        ],
    ),
    ("gallery", &["gallery", "carousel", "slider", "swiper", "slick", "thumbnail", "thumbnails", "thumbs", "zoom"]),
    ("section", &["elementor", "section", "block", "row", "column", "container", "wpb", "vc", "et"]),
];

/// Words in the class names of `html` and `body`, where site makers put the template of a page.
pub(super) const TEMPLATES: [&[&str]; 10] = [
    &["single", "post", "article", "story", "news", "entry", "blog", "blogpost"],
    &["archive", "category", "tag", "taxonomy", "search", "list", "listing", "index", "author"],
    &["home", "homepage", "front", "landing"],
    &["product", "products", "pdp", "item", "goods", "detail", "woocommerce", "sku"],
    &["collection", "plp", "catalog", "shop", "store", "tax", "department", "browse"],
    &["forum", "topic", "thread", "viewtopic", "viewthread", "question", "discourse", "community", "phpbb", "xenforo"],
    &["docs", "doc", "wiki", "mediawiki", "documentation", "reference", "api", "guide", "mdbook", "plugin"],
    &["page", "elementor", "service", "services", "solutions", "marketing", "about"],
    &["wp", "wordpress"],
    &["shopify", "magento", "bigcommerce", "prestashop", "catalogue"],
];

/// Short texts of buttons, links and headings in the languages of the web, by what they say; whole rows, lower case.
pub(super) const PHRASES: [(&str, &[&str]); 11] = [
    (
        "buy",
        &[
            "add to cart",
            "add to bag",
            "add to basket",
            "add to trolley",
            "buy now",
            "buy it now",
            "pre-order",
            "preorder",
            "buy",
            "purchase",
            "in den warenkorb",
            "in den einkaufswagen",
            "jetzt kaufen",
            "kaufen",
            "ajouter au panier",
            "acheter",
            "añadir a la cesta",
            "añadir al carrito",
            "agregar al carrito",
            "comprar",
            "comprar ahora",
            "aggiungi al carrello",
            "acquista",
            "adicionar ao carrinho",
            "comprar agora",
            "в корзину",
            "купить",
            "добавить в корзину",
            "加入购物车",
            "加入購物車",
            "立即购买",
            "立即購買",
            "直接購買",
            "カートに入れる",
            "カートに追加",
            "今すぐ買う",
            "장바구니",
            "장바구니 담기",
            "구매하기",
            "바로구매",
            "do koszyka",
            "dodaj do koszyka",
            "do košíku",
            "přidat do košíku",
            "kosárba",
            "sepete ekle",
            "in winkelwagen",
            "in winkelmand",
            "lägg i varukorg",
            "köp",
            "læg i kurv",
            "legg i handlekurv",
            "lisää ostoskoriin",
            "dodaj v košarico",
            "adaugă în coș",
            "adauga in cos",
            "beli sekarang",
            "tambah ke keranjang",
            "mua ngay",
            "thêm vào giỏ",
            "أضف إلى السلة",
            "הוסף לסל",
            "หยิบใส่ตะกร้า",
        ],
    ),
    (
        "reply",
        &[
            "reply",
            "quote",
            "report",
            "upvote",
            "downvote",
            "share a link to this answer",
            "antworten",
            "zitieren",
            "répondre",
            "citer",
            "responder",
            "citar",
            "rispondi",
            "ответить",
            "цитировать",
            "回复",
            "回覆",
            "引用",
            "举报",
            "檢舉",
            "返信",
            "답글",
            "odpowiedz",
            "cevapla",
            "like",
            "点赞",
            "只看该作者",
            "只看楼主",
            "only author",
            "balas",
            "trả lời",
            "translate",
            "#1",
            "#2",
            "#3",
            "1楼",
            "2楼",
            "楼主",
            "沙发",
        ],
    ),
    (
        "comments",
        &[
            "comments",
            "leave a comment",
            "leave a reply",
            "post comment",
            "add a comment",
            "kommentare",
            "commentaires",
            "comentarios",
            "commenti",
            "комментарии",
            "评论",
            "评论列表",
            "发表评论",
            "留言",
            "コメント",
            "댓글",
            "komentarze",
            "yorumlar",
            "comentários",
        ],
    ),
    (
        "more",
        &[
            "read more",
            "continue reading",
            "learn more",
            "more",
            "view all",
            "see all",
            "show more",
            "load more",
            "weiterlesen",
            "mehr",
            "mehr lesen",
            "lire la suite",
            "leer más",
            "ver más",
            "leggi tutto",
            "leia mais",
            "читать далее",
            "подробнее",
            "阅读全文",
            "查看更多",
            "更多",
            "閱讀更多",
            "続きを読む",
            "もっと見る",
            "더보기",
            "czytaj więcej",
            "devamını oku",
        ],
    ),
    (
        "next",
        &[
            "next",
            "next page",
            "older posts",
            "previous",
            "prev",
            "»",
            "›",
            "last",
            "nächste",
            "weiter",
            "suivant",
            "siguiente",
            "successivo",
            "próximo",
            "далее",
            "следующая",
            "下一页",
            "下一頁",
            "上一页",
            "上一頁",
            "次へ",
            "다음",
            "następna",
            "sonraki",
            "2",
            "3",
            "4",
            "5",
        ],
    ),
    (
        "filter",
        &[
            "sort by",
            "filter",
            "filters",
            "filter by",
            "relevance",
            "price: low to high",
            "newest",
            "refine",
            "compare",
            "quick view",
            "sortieren",
            "filtern",
            "trier par",
            "filtrer",
            "ordenar por",
            "filtrar",
            "ordina per",
            "filtra",
            "сортировка",
            "фильтр",
            "排序",
            "筛选",
            "篩選",
            "综合排序",
            "並び替え",
            "絞り込み",
            "정렬",
            "필터",
            "sortuj",
        ],
    ),
    (
        "facts",
        &[
            "specifications",
            "technical specifications",
            "product details",
            "product description",
            "description",
            "details",
            "features",
            "item number",
            "sku",
            "in stock",
            "out of stock",
            "quantity",
            "size",
            "color",
            "colour",
            "size guide",
            "customer reviews",
            "you may also like",
            "produktdetails",
            "produktbeschreibung",
            "beschreibung",
            "technische daten",
            "caractéristiques",
            "especificaciones",
            "descripción",
            "descrizione",
            "descrição",
            "характеристики",
            "описание",
            "商品详情",
            "商品介绍",
            "规格参数",
            "规格与包装",
            "商品詳情",
            "規格",
            "商品说明",
            "商品の説明",
            "仕様",
            "상품정보",
            "상세정보",
            "specyfikacja",
            "opis",
            "popis",
            "özellikler",
            "en stock",
            "auf lager",
            "有货",
            "现货",
            "売り切れ",
            "颜色",
            "尺码",
            "数量",
        ],
    ),
    (
        "sections",
        &[
            "on this page",
            "in this article",
            "table of contents",
            "contents",
            "edit this page",
            "edit on github",
            "was this page helpful?",
            "was this helpful?",
            "see also",
            "parameters",
            "return value",
            "syntax",
            "example",
            "examples",
            "note",
            "installation",
            "usage",
            "inhaltsverzeichnis",
            "inhalt",
            "auf dieser seite",
            "sommaire",
            "contenido",
            "índice",
            "содержание",
            "目录",
            "本页内容",
            "目次",
            "이 페이지",
            "prerequisites",
            "next steps",
            "api reference",
            "changelog",
            "copy",
        ],
    ),
    (
        "offer",
        &[
            "get started",
            "contact us",
            "contact sales",
            "book a demo",
            "request a demo",
            "free trial",
            "start free trial",
            "get a quote",
            "request a quote",
            "learn more",
            "our services",
            "why choose us",
            "how it works",
            "frequently asked questions",
            "faq",
            "faqs",
            "testimonials",
            "our clients",
            "book now",
            "schedule a call",
            "try for free",
            "sign up free",
            "kontakt",
            "jetzt anfragen",
            "nous contacter",
            "contáctanos",
            "contattaci",
            "связаться",
            "联系我们",
            "立即咨询",
            "免费试用",
            "聯絡我們",
            "お問い合わせ",
            "문의하기",
            "pricing",
        ],
    ),
    (
        "share",
        &[
            "share",
            "share this",
            "facebook",
            "twitter",
            "whatsapp",
            "print",
            "email",
            "tweet",
            "teilen",
            "drucken",
            "partager",
            "compartir",
            "condividi",
            "compartilhar",
            "поделиться",
            "分享",
            "打印",
            "收藏",
            "シェア",
            "공유",
            "udostępnij",
            "paylaş",
            "责任编辑",
            "编辑",
        ],
    ),
    (
        "related",
        &[
            "related articles",
            "related posts",
            "related stories",
            "related",
            "recommended",
            "most read",
            "more from",
            "trending",
            "latest news",
            "popular posts",
            "recent posts",
            "mehr zum thema",
            "à lire aussi",
            "te puede interesar",
            "leggi anche",
            "leia também",
            "читайте также",
            "相关阅读",
            "相关新闻",
            "推荐阅读",
            "热门推荐",
            "延伸閱讀",
            "相關新聞",
            "関連記事",
            "관련기사",
            "read also",
            "meistgelesen",
            "lesen sie auch",
            "tags",
            "tags:",
            "topics",
            "related topics",
        ],
    ),
];

type Bits = ByHash<u32>;

fn by_word<'w, const N: usize>(groups: [&'w [&'w str]; N]) -> Bits {
    let mut bits = Bits::default();
    for (bit, words) in groups.into_iter().enumerate() {
        for word in words {
            *bits.entry(hash(word.as_bytes())).or_default() |= 1 << bit;
        }
    }
    bits
}

static BY_WORD: LazyLock<Bits> = LazyLock::new(|| by_word(GROUPS.map(|(_, words)| words)));
static BY_TEMPLATE: LazyLock<Bits> = LazyLock::new(|| by_word(TEMPLATES));
static BY_PHRASE: LazyLock<Bits> = LazyLock::new(|| by_word(PHRASES.map(|(_, phrases)| phrases)));

/// Lengths, as bits, of the phrases that begin with each byte: a glance that most rows fail.
static PHRASE_LENGTHS: LazyLock<[u64; 256]> = LazyLock::new(|| {
    let mut lengths = [0; 256];
    for phrase in PHRASES.iter().flat_map(|(_, phrases)| *phrases) {
        lengths[usize::from(phrase.as_bytes()[0])] |= 1 << (phrase.len() % 64);
    }
    lengths
});

/// The group of a class word; panics for one that does not exist, which a test would see.
pub(super) const fn bit(name: &str) -> u32 {
    let mut n = 0;
    while n < GROUPS.len() {
        if same(GROUPS[n].0.as_bytes(), name.as_bytes()) {
            return 1 << n;
        }
        n += 1;
    }
    panic!("no such group")
}

const fn same(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let mut n = 0;
    while n < a.len() {
        if a[n] != b[n] {
            return false;
        }
        n += 1;
    }
    true
}

/// The groups of class and id values, and what they are called.
pub(super) struct ClassWords<'p> {
    named: &'p Named,
    groups: Vec<u32>,
}

/// What the attributes of one element say.
pub(super) struct Words<'d> {
    /// The groups of `class` and `id`.
    pub(super) groups: u32,
    /// Hash of the class; 0 without one.
    pub(super) class: u64,
    /// `itemtype`.
    pub(super) item: Option<&'d str>,
}

impl<'p> ClassWords<'p> {
    pub(super) fn new(named: &'p Named) -> ClassWords<'p> {
        let bits = |word: u64| BY_WORD.get(&word).copied().unwrap_or(0);
        ClassWords { named, groups: named.by_value(bits, |groups, bits| *groups |= bits) }
    }

    /// Reads the attributes of an element once.
    pub(super) fn of<'d>(&self, doc: &'d Doc, id: NodeId) -> Words<'d> {
        let (mut groups, mut class, mut item) = (0, 0, None);
        for at in doc.attribute_range(id) {
            match (doc.attribute_name(at), self.named.at(at)) {
                (Name::CLASS, Some(value)) => {
                    class = self.named.hash(value);
                    groups |= self.groups[value];
                }
                (Name::ID, Some(value)) => groups |= self.groups[value],
                (Name::ITEMTYPE, _) => item = Some(doc.attribute_value(at)),
                _ => {}
            }
        }
        Words { groups, class, item }
    }
}

/// The templates that the classes of `html` and `body` name.
pub(super) fn templates(doc: &Doc) -> u32 {
    let named = |id: NodeId| [Name::CLASS, Name::ID].into_iter().filter_map(move |name| doc.attr(id, name));
    let html = doc.children(NodeId::DOCUMENT).find(|&id| doc.name(id) == Name::HTML);
    let values = html.into_iter().chain(doc.body()).flat_map(named);
    values.fold(0, |groups, value| groups | groups_of(&value[..value.floor_char_boundary(2_000)], &BY_TEMPLATE))
}

/// The phrases that a row is, if it is one.
pub(super) fn phrases(row: &str) -> u32 {
    const MAX_BYTES: usize = 40;
    if row.len() > MAX_BYTES {
        return 0;
    }
    let mut lower = [0; MAX_BYTES];
    if row.is_ascii() {
        let lower = &mut lower[..row.len()];
        lower.copy_from_slice(row.as_bytes());
        lower.make_ascii_lowercase();
        let lengths = lower.first().map_or(0, |&first| PHRASE_LENGTHS[usize::from(first)]);
        return if lengths >> lower.len() & 1 == 0 { 0 } else { BY_PHRASE.get(&hash(lower)).copied().unwrap_or(0) };
    }
    BY_PHRASE.get(&hash(row.to_lowercase().as_bytes())).copied().unwrap_or(0)
}

/// The groups whose words stand in `value` between boundaries.
fn groups_of(value: &str, words: &Bits) -> u32 {
    let mut groups = 0;
    each_word(value, |word| groups |= words.get(&word).copied().unwrap_or(0));
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(value: &str) -> Vec<&'static str> {
        let groups = groups_of(value, &BY_WORD);
        GROUPS.iter().enumerate().filter(|(bit, _)| groups >> bit & 1 == 1).map(|(_, (name, _))| *name).collect()
    }

    #[test]
    fn words_are_matched_between_boundaries_only() {
        assert_eq!(names("post-author__name"), ["post", "author"]);
        assert_eq!(names("productPrice js-3"), ["product", "price"]);
        assert!(names("composting starting listingss").is_empty());
    }

    #[test]
    fn phrases_are_whole_rows_in_any_case_and_language() {
        for buy in ["Add to Cart", "加入购物车", "В КОРЗИНУ"] {
            assert_eq!(phrases(buy) & 1, 1, "{buy}");
        }
        assert_eq!(phrases("nobody would add to cart"), 0);
    }
}
