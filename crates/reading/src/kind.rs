//! What a page is, and the product records that go with it: the model of `extract` and the findings of `records` together.

use gristmill_extract::{PageKind, PageTypes};
use gristmill_records::{Product, ProductRecords};

/// Below this probability of a product nobody looks for records: what they would find is never enough.
pub const HOPELESS: f32 = 0.02;

/// What was decided for one page.
#[derive(Debug, Clone, PartialEq)]
pub struct KindDecision {
    /// What the page is.
    pub kind: PageKind,
    /// How probable that is; 1 for a kind that was given.
    pub probability: f32,
    /// The records; only a product has any.
    pub records: Option<ProductRecords>,
}

impl KindDecision {
    /// The fingerprint of the page, given that of its text. Products of one shop share a description: the record takes part, and two of
    /// them are near-duplicates only where title, number and price are the same.
    pub fn fingerprint(&self, of_text: u64) -> u64 {
        let product = self.records.as_ref().and_then(|records| records.products.first());
        if of_text == 0 { 0 } else { of_text ^ product.map_or(0, Product::key) }
    }
}

/// Decides what a page is. `wanted` is what the user's settings say of it, which ends the matter; `find` looks for
/// records, and is called only where they matter.
pub fn decide(types: &PageTypes, wanted: Option<PageKind>, find: impl FnOnce() -> ProductRecords) -> KindDecision {
    if let Some(kind) = wanted {
        return KindDecision { kind, probability: 1.0, records: (kind == PageKind::Product).then(find) };
    }
    let mut kinds = types.kinds();
    if kinds[PageKind::Product as usize] < HOPELESS {
        let (kind, probability) = types.kind();
        return KindDecision { kind, probability, records: None };
    }
    let records = find();
    let product = product_probability(kinds[PageKind::Product as usize], confidence(&records), is_offered(&records));
    let others = 1.0 - kinds[PageKind::Product as usize];
    kinds.iter_mut().for_each(|p| *p *= if others > 0.0 { (1.0 - product) / others } else { 0.0 });
    kinds[PageKind::Product as usize] = product;
    let (kind, probability) = best(&kinds);
    KindDecision { kind, probability, records: (kind == PageKind::Product).then_some(records) }
}

/// How sure the records are that the page shows a product; 0 without any.
pub fn confidence(records: &ProductRecords) -> f32 {
    records.products.first().map_or(0.0, |product| product.confidence)
}

/// Whether the page offers the product of the records alone.
pub fn is_offered(records: &ProductRecords) -> bool {
    records.products.first().is_some_and(|product| product.is_offered)
}

/// The probability of a product by the model, in the light of the records.
///
/// Log odds add up: a product that the page declares, or pairs on a page that sells, speak for it; their absence
/// says little. Weights by logistic regression on predictions for sites that the model had not seen
/// (`docs/page-kind.md`).
pub fn product_probability(by_model: f32, by_records: f32, is_offered: bool) -> f32 {
    let p = by_model.clamp(1e-6, 1.0 - 1e-6);
    let offered = if is_offered { OFFERED } else { 0.0 };
    let odds = (p / (1.0 - p)).ln() * WEIGHTS[0] + by_records * WEIGHTS[1] + WEIGHTS[2] + offered;
    1.0 / (1.0 + (-odds).exp())
}

const WEIGHTS: [f32; 3] = [0.94, 3.82, -2.18];
/// Weight of one thing offered alone: enough to turn a page whose address and markup say nothing, while one that the model takes for an
/// article or a list for sure stays one.
const OFFERED: f32 = 1.8;

fn best(kinds: &[f32; 4]) -> (PageKind, f32) {
    let better = |best: usize, at: usize| if kinds[at] > kinds[best] { at } else { best };
    let best = (1..kinds.len()).fold(0, better);
    (PageKind::ALL[best], kinds[best])
}

#[cfg(test)]
mod tests {
    use gristmill_extract::PageType;
    use gristmill_records::price::Price;
    use gristmill_text::{MAX_DISTANCE, distance, fingerprint};

    use super::*;

    fn types(page_type: PageType, p: f32) -> PageTypes {
        let mut types = PageTypes([(1.0 - p) / 6.0; 7]);
        types.0[page_type as usize] = p;
        types
    }

    fn with_product(confidence: f32) -> ProductRecords {
        ProductRecords { products: vec![Product { confidence, ..Product::default() }], ..ProductRecords::default() }
    }

    #[test]
    fn records_are_not_looked_for_on_a_page_that_is_surely_no_product() {
        let decision = decide(&types(PageType::Article, 0.99), None, || panic!("nobody asks"));
        assert_eq!((decision.kind, decision.records), (PageKind::Article, None));
    }

    #[test]
    fn records_turn_a_doubtful_page_into_a_product_and_their_absence_turns_it_back() {
        let doubtful = types(PageType::Product, 0.45);
        let found = decide(&doubtful, None, || with_product(0.95));
        assert_eq!((found.kind, found.records), (PageKind::Product, Some(with_product(0.95))));
        assert!(found.probability > 0.7, "{}", found.probability);
        let nothing = decide(&doubtful, None, ProductRecords::default);
        assert_ne!(nothing.kind, PageKind::Product);
        assert_eq!(nothing.records, None);
    }

    #[test]
    fn one_thing_offered_alone_is_a_product_where_address_and_markup_say_nothing() {
        let offered = |confidence: f32| ProductRecords {
            products: vec![Product { confidence, is_offered: true, ..Product::default() }],
            ..ProductRecords::default()
        };
        let doubtful = types(PageType::Product, 0.12);
        assert_eq!(decide(&doubtful, None, || offered(0.7)).kind, PageKind::Product);
        assert_eq!(decide(&doubtful, None, || with_product(0.7)).kind, PageKind::Other);
        assert_eq!(decide(&types(PageType::Article, 0.85), None, || offered(0.7)).kind, PageKind::Article);
    }

    #[test]
    fn an_article_with_a_table_of_facts_stays_an_article() {
        let decision = decide(&types(PageType::Article, 0.85), None, || with_product(0.6));
        assert_eq!((decision.kind, decision.records), (PageKind::Article, None));
    }

    #[test]
    fn what_the_settings_say_ends_the_matter() {
        let article = types(PageType::Article, 0.99);
        let decision = decide(&article, Some(PageKind::Product), || with_product(0.9));
        assert_eq!((decision.kind, decision.probability), (PageKind::Product, 1.0));
        assert!(decision.records.is_some());
        let decision = decide(&types(PageType::Product, 0.99), Some(PageKind::Other), || panic!("nobody asks"));
        assert_eq!((decision.kind, decision.records), (PageKind::Other, None));
    }

    #[test]
    fn products_are_near_duplicates_only_with_the_same_title_number_and_price() {
        let of_text =
            fingerprint("A lamp of dark steel with a milky glass, made in small numbers for the desks of the north.");
        let price = |amount: &str| Some(Price { amount: amount.to_owned(), currency: Some("EUR".to_owned()) });
        let print = |title: &str, amount: &str| {
            let product = Product { title: Some(title.to_owned()), price: price(amount), ..Product::default() };
            let records = Some(ProductRecords { products: vec![product], ..ProductRecords::default() });
            KindDecision { kind: PageKind::Product, probability: 1.0, records }.fingerprint(of_text)
        };
        assert_eq!(print("Lamp Nova 30", "49.90"), print("Lamp nova-30", "49.9"));
        for other in [print("Lamp Nova 40", "49.90"), print("Lamp Nova 30", "59.90"), of_text] {
            assert!(distance(print("Lamp Nova 30", "49.90"), other) > MAX_DISTANCE);
        }
        let article = KindDecision { kind: PageKind::Article, probability: 1.0, records: None };
        assert_eq!([article.fingerprint(of_text), article.fingerprint(0)], [of_text, 0]);
    }

    #[test]
    fn probabilities_of_the_kinds_stay_a_distribution() {
        for p in [0.0, 0.02, 0.5, 1.0] {
            for confidence in [0.0, 0.5, 1.0] {
                let decision = decide(&types(PageType::Product, p), None, || with_product(confidence));
                assert!((0.25..=1.0).contains(&decision.probability), "{p} {confidence} {decision:?}");
            }
        }
    }
}
