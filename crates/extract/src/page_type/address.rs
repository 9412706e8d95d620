//! What the address of a page says of it.

use url::Url;

use super::numbers::FeatureVector;

/// Words of host and path by what they speak for.
const WORDS: [&[&str]; 7] = [
    &[
        "news",
        "article",
        "articles",
        "blog",
        "blogs",
        "story",
        "post",
        "posts",
        "stories",
        "noticia",
        "noticias",
        "artikel",
        "actualite",
        "actualites",
        "nachrichten",
        "magazine",
        "opinion",
        "politics",
        "world",
        "sport",
        "sports",
        "a",
    ],
    &[
        "docs",
        "doc",
        "documentation",
        "wiki",
        "reference",
        "guide",
        "guides",
        "manual",
        "api",
        "tutorial",
        "tutorials",
        "help",
        "learn",
        "developer",
        "developers",
        "dev",
        "support",
        "hc",
        "kb",
        "hilfe",
        "aide",
        "handbook",
        "library",
        "stable",
        "latest",
        "man",
        "spec",
    ],
    &[
        "product",
        "products",
        "p",
        "dp",
        "item",
        "itm",
        "goods",
        "produkt",
        "produkte",
        "producto",
        "productos",
        "produit",
        "prodotto",
        "produto",
        "sku",
        "pd",
        "prod",
        "tovar",
        "detail",
    ],
    &[
        "forum",
        "forums",
        "thread",
        "threads",
        "topic",
        "topics",
        "t",
        "viewtopic",
        "showthread",
        "questions",
        "question",
        "discussion",
        "discussions",
        "community",
        "comments",
        "bbs",
        "tieba",
        "foro",
        "board",
        "qa",
        "answers",
        "r",
        "tid",
    ],
    &[
        "category",
        "categories",
        "collections",
        "collection",
        "c",
        "catalog",
        "department",
        "cat",
        "shop",
        "store",
        "kategorie",
        "categoria",
        "categorie",
        "men",
        "women",
        "sale",
        "buy",
        "browse",
        "b",
        "all",
    ],
    &[
        "tag",
        "tags",
        "archive",
        "archives",
        "search",
        "list",
        "author",
        "page",
        "latest",
        "topics",
        "events",
        "jobs",
        "directory",
        "section",
        "index",
        "best",
        "top",
        "s",
        "results",
    ],
    &[
        "services",
        "service",
        "solutions",
        "about",
        "pricing",
        "features",
        "company",
        "industries",
        "platform",
        "software",
        "consulting",
        "agency",
        "use",
        "cases",
        "plans",
        "leistungen",
        "servicios",
        "platforms",
        "product",
    ],
];

/// How many numbers an address gives.
pub(super) const N_ADDRESS: usize = 2 * WORDS.len() + 16;

/// Adds them; all 0 without an address.
pub(super) fn add(url: Option<&Url>, features: &mut FeatureVector) {
    let Some(url) = url else {
        (0..N_ADDRESS).for_each(|_| features.push(0.0));
        return;
    };
    let path = url.path()[..url.path().floor_char_boundary(1_000)].to_ascii_lowercase();
    let host = url.host_str().unwrap_or("").to_ascii_lowercase();
    let split = |text: &str| -> Vec<String> {
        text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_owned).collect()
    };
    let segments: Vec<&str> = path.split('/').filter(|segment| !segment.is_empty()).collect();
    let last = segments.last().copied().unwrap_or("");
    let folders: Vec<String> =
        segments[..segments.len().saturating_sub(1)].iter().flat_map(|text| split(text)).collect();
    let in_last = split(last);
    let of_host = host.rsplit('.').skip(2).flat_map(split).collect::<Vec<_>>();
    for group in WORDS {
        features.flag(folders.iter().chain(&of_host).any(|word| group.contains(&word.as_str())));
        features.flag(in_last.iter().any(|word| group.contains(&word.as_str())));
    }
    let stem = last.rsplit_once('.').map_or(last, |(stem, _)| stem);
    let digits = |text: &str| text.bytes().filter(u8::is_ascii_digit).count() as u32;
    let year = |word: &&str| word.len() == 4 && (word.starts_with("20") || word.starts_with("19"));
    let number = |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    features.push(1.0);
    features.flag(segments.is_empty());
    features.push(segments.len() as f32);
    features.count(in_last.len() as u32);
    features.count(last.len() as u32);
    features.count(digits(last));
    features.count(digits(&path) - digits(last));
    features.share(digits(stem), stem.len() as u32);
    features.flag(number(stem));
    features
        .flag(segments.iter().any(|segment| segment.split(['-', '_', '.']).any(|word| year(&word) && number(word))));
    features.flag(path.ends_with('/') && !segments.is_empty());
    features.flag(last.ends_with("html") || last.ends_with("htm"));
    features.flag(last.ends_with("php") || last.ends_with("aspx") || last.ends_with("jsp"));
    features.count(url.query().map_or(0, |query| query.split('&').count() as u32));
    features.flag(in_last.len() >= 4);
    features.flag(segments.iter().any(|segment| number(segment) && segment.len() < 4));
}
