//! What type of page this is: article, documentation, service, forum, collection, listing or product.

mod address;
mod declared;
mod features;
mod model;
mod numbers;
mod price_patterns;
mod rows;
mod structure;
mod train;
mod words;

pub use train::{FeatureView, OutOfFoldPredictions, TypeTrainer, TypedPage};

use gristmill_page::{Page, PageType, PageTypes};

use features::{PageFacts, address_of};
use model::shipped;
use numbers::FeatureMask;

/// Judges a page by its text, its tree, its declarations and its address, which it may state itself.
///
/// Boosted trees over some four hundred numbers, none of them the language. O(nodes · log nodes + text).
pub fn types_of(page: &Page<'_>, url: Option<&str>) -> PageTypes {
    let url = address_of(page, url);
    let types = shipped().types(&PageFacts::new(page).seen(page, &FeatureMask { url: url.as_ref(), scripts: true }));
    // Names of members and what is said of them look like posts.
    if declared::is_reference(page) {
        return types.merged(PageType::Forum, PageType::Documentation);
    }
    // So do short stories, and like entries of a list.
    match like_story(&types) {
        Some(like) if declared::is_story(page) => types.merged(like, PageType::Article),
        _ => types,
    }
}

/// As what a page that may be the article that it says it is counts beside that: the thread or list that it seems to be.
fn like_story(types: &PageTypes) -> Option<PageType> {
    let (best, p) = types.best();
    let like = match best {
        PageType::Article => PageType::Forum,
        PageType::Forum | PageType::Listing => best,
        _ => return None,
    };
    (types.of_type(PageType::Article) >= LEAST && p < SURE).then_some(like)
}

/// A type of this probability is not doubted, and one of less than that is not what a page says it is.
const SURE: f32 = 0.6;
const LEAST: f32 = 0.2;

#[cfg(test)]
mod tests {
    use gristmill_html::{Doc, TreeLimits};

    use super::*;

    #[test]
    fn a_thread_or_list_that_is_none_for_sure_may_be_the_article_that_it_declares() {
        let types = |article: f32, forum: f32| {
            let mut types = PageTypes([0.0; 7]);
            types.0[PageType::Article as usize] = article;
            types.0[PageType::Forum as usize] = forum;
            types
        };
        for doubtful in [types(0.35, 0.5), types(0.5, 0.4)] {
            assert_eq!(like_story(&doubtful), Some(PageType::Forum));
        }
        assert_eq!([types(0.3, 0.65), types(0.1, 0.5), types(0.7, 0.2)].map(|types| like_story(&types)), [None; 3]);
        let is_story = |html: &str| declared::is_story(&Page::new(&Doc::parse(html, &TreeLimits::default())));
        let article = "<meta property=og:type content=article>";
        assert!(is_story(&format!("{article}<meta property=article:published_time content=2024-04-13>")));
        let post = "{\"@type\":\"BlogPosting\",\"datePublished\":\"2024-04-13\"}";
        let with_posts = |posts: &str| is_story(&format!("<script type=application/ld+json>[{posts}]</script>"));
        assert!(with_posts(post) && !with_posts(&format!("{post},{post}")));
        assert!(!is_story(article) && !is_story("<meta property=article:published_time content=2024-04-13>"));
    }
}
