//! What a page may be: types, the kinds that follow from them, and their probabilities. Who judges is not said here.

use serde::Serialize;

/// The types that the model tells apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum PageType {
    /// News, a post, an essay: running text about one thing.
    Article,
    /// Manuals, references, encyclopedias.
    Documentation,
    /// A company's or service's presentation of itself.
    Service,
    /// A thread of posts, questions with answers.
    Forum,
    /// Many products to choose from.
    Collection,
    /// Many articles or entries to choose from.
    Listing,
    /// One product.
    Product,
}

impl PageType {
    /// All types, in the order of the model's classes.
    pub const ALL: [PageType; 7] = [
        PageType::Article,
        PageType::Documentation,
        PageType::Service,
        PageType::Forum,
        PageType::Collection,
        PageType::Listing,
        PageType::Product,
    ];

    /// Lower-case name, as in test packages.
    pub fn as_str(self) -> &'static str {
        match self {
            PageType::Article => "article",
            PageType::Documentation => "documentation",
            PageType::Service => "service",
            PageType::Forum => "forum",
            PageType::Collection => "collection",
            PageType::Listing => "listing",
            PageType::Product => "product",
        }
    }
}

/// What a page is, as far as it decides what becomes of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Default)]
#[serde(rename_all = "lowercase")]
pub enum PageKind {
    /// Running text about one thing.
    #[default]
    Article,
    /// One product.
    Product,
    /// Many articles, entries or products to choose from.
    Listing,
    /// Documentation, a service's presentation of itself, a forum, or nothing.
    Other,
}

impl PageKind {
    /// All kinds.
    pub const ALL: [PageKind; 4] = [PageKind::Article, PageKind::Product, PageKind::Listing, PageKind::Other];

    /// Lower-case name.
    pub fn as_str(self) -> &'static str {
        match self {
            PageKind::Article => "article",
            PageKind::Product => "product",
            PageKind::Listing => "listing",
            PageKind::Other => "other",
        }
    }

    /// The kind of this name.
    pub fn named(name: &str) -> Option<PageKind> {
        PageKind::ALL.into_iter().find(|kind| kind.as_str() == name)
    }
}

impl From<PageType> for PageKind {
    fn from(page_type: PageType) -> PageKind {
        match page_type {
            PageType::Article => PageKind::Article,
            PageType::Product => PageKind::Product,
            PageType::Collection | PageType::Listing => PageKind::Listing,
            PageType::Documentation | PageType::Service | PageType::Forum => PageKind::Other,
        }
    }
}

/// Probabilities of the types, in the order of [`PageType::ALL`]; their sum is 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PageTypes(pub [f32; 7]);

impl Default for PageTypes {
    /// Nothing is known: all types are as probable.
    fn default() -> PageTypes {
        PageTypes([1.0 / 7.0; 7])
    }
}

impl Serialize for PageTypes {
    /// An object: `{"article":0.93,…}`.
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(PageType::ALL.into_iter().zip(self.0).map(|(page_type, p)| (page_type.as_str(), p)))
    }
}

impl PageTypes {
    /// From log odds of the types, made sharper or softer.
    pub fn from_log_odds(log_odds: [f32; 7], sharpness: f32) -> PageTypes {
        let most = log_odds.into_iter().fold(f32::MIN, f32::max);
        let weights = log_odds.map(|odds| ((odds - most) * sharpness).exp());
        let sum: f32 = weights.iter().sum();
        PageTypes(weights.map(|weight| weight / sum))
    }

    /// The most probable type and its probability; the first of equals.
    #[inline]
    pub fn best(&self) -> (PageType, f32) {
        let better = |best: usize, at: usize| if self.0[at] > self.0[best] { at } else { best };
        let best = (1..self.0.len()).fold(0, better);
        (PageType::ALL[best], self.0[best])
    }

    /// The probabilities of the kinds, in the order of [`PageKind::ALL`]: sums over their types.
    pub fn kinds(&self) -> [f32; 4] {
        let mut kinds = [0.0; 4];
        PageType::ALL.into_iter().zip(self.0).for_each(|(page_type, p)| kinds[PageKind::from(page_type) as usize] += p);
        kinds
    }

    /// The most probable kind and its probability; the first of equals.
    pub fn kind(&self) -> (PageKind, f32) {
        let kinds = self.kinds();
        let better = |best: usize, at: usize| if kinds[at] > kinds[best] { at } else { best };
        let best = (1..kinds.len()).fold(0, better);
        (PageKind::ALL[best], kinds[best].min(1.0))
    }

    /// With what one type had added to another.
    #[must_use]
    pub fn merged(mut self, from: PageType, to: PageType) -> PageTypes {
        let p = std::mem::take(&mut self.0[from as usize]);
        self.0[to as usize] += p;
        self
    }

    /// The probability of one type.
    #[inline]
    pub fn of_type(&self, page_type: PageType) -> f32 {
        self.0[page_type as usize]
    }
}
