//! Training of the page type model: features of labelled pages in, forests out.

use gristmill_models::ModelFile;
use gristmill_models::trees::{Forest, LevelwiseParams, TrainingRows, grow};
use gristmill_page::{Page, PageType, PageTypes};

use super::features::{PageFacts, address_of};
use super::model::{PageTypeModel, log_odds};
use super::numbers::FeatureMask;

/// A page as the trainer sees it: whole, and with parts hidden that other copies of such pages may lack.
#[derive(Debug, Clone)]
pub struct TypedPage {
    /// Its type; `None` for a page that is only asked about.
    pub label: Option<PageType>,
    /// Pages of one site are never on both sides of a split.
    pub site: String,
    /// Whether a model may be trained on it; others are only asked about.
    pub trains: bool,
    /// Features in the order of [`FeatureView::ALL`].
    features: [Vec<f32>; 4],
}

/// What of a page is seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FeatureView {
    /// All of it.
    Whole,
    /// Without its address.
    NoAddress,
    /// Without its scripts.
    NoScripts,
    /// Without both.
    Bare,
}

impl FeatureView {
    /// All views.
    pub const ALL: [FeatureView; 4] =
        [FeatureView::Whole, FeatureView::NoAddress, FeatureView::NoScripts, FeatureView::Bare];
}

impl TypedPage {
    /// Takes what the model looks at.
    pub fn new(page: &Page<'_>, url: Option<&str>, label: Option<PageType>, site: &str, trains: bool) -> TypedPage {
        let facts = PageFacts::new(page);
        let address = address_of(page, url);
        let features = FeatureView::ALL.map(|view| {
            let url = address.as_ref().filter(|_| matches!(view, FeatureView::Whole | FeatureView::NoScripts));
            facts.seen(page, &FeatureMask { url, scripts: matches!(view, FeatureView::Whole | FeatureView::NoAddress) })
        });
        TypedPage { label, site: site.to_owned(), trains, features }
    }
}

/// Grows the model and judges it on sites that it has not seen.
#[derive(Debug, Clone)]
pub struct TypeTrainer {
    /// How each of the seven forests is grown.
    pub growth: LevelwiseParams,
    /// Weight of each view in training, in the order of [`FeatureView::ALL`].
    pub views: [f32; 4],
    /// Power of a class's size that its pages are divided by: 0 counts pages, 1 counts classes.
    pub balance: f32,
}

impl Default for TypeTrainer {
    fn default() -> Self {
        let growth = LevelwiseParams {
            n_trees: 120,
            depth: 3,
            rate: 0.08,
            lambda: 4.0,
            min_weight: 1.5,
            feature_share: 0.2,
            row_share: 1.0,
            n_forests: 3,
        };
        TypeTrainer { growth, views: [0.4, 0.2, 0.2, 0.2], balance: 0.6 }
    }
}

/// Predictions for pages that the model has not seen.
#[derive(Debug, Clone)]
pub struct OutOfFoldPredictions {
    log_odds: Vec<[[f32; 7]; 4]>,
    /// Chosen so that the predictions on the training pages' held-out copies are as likely as possible.
    pub sharpness: f32,
}

impl OutOfFoldPredictions {
    /// What a page is taken for, seen in one way.
    pub fn types(&self, page: usize, view: FeatureView) -> PageTypes {
        PageTypes::from_log_odds(self.log_odds[page][view as usize], self.sharpness)
    }
}

impl TypeTrainer {
    /// Predictions for each page by a model that was trained without its site, in the order of `pages`.
    pub fn cross_validate(&self, pages: &[TypedPage], n_folds: usize) -> OutOfFoldPredictions {
        let fold = |page: &TypedPage| gristmill_text::hash(page.site.as_bytes()) as usize % n_folds;
        let models: Vec<Vec<Forest>> = (0..n_folds).map(|held| self.fit(pages, &|page| fold(page) != held)).collect();
        let predict = |page: &TypedPage| {
            FeatureView::ALL.map(|view| log_odds(&models[fold(page)], &page.features[view as usize]))
        };
        let log_odds: Vec<[[f32; 7]; 4]> = pages.iter().map(predict).collect();
        OutOfFoldPredictions { sharpness: sharpness(pages, &log_odds), log_odds }
    }

    /// The forests over all pages that may train, as a file with this card.
    pub fn train(&self, pages: &[TypedPage], sharpness: f32, card: &str) -> ModelFile {
        let width = pages.first().map_or(0, |page| page.features[0].len());
        PageTypeModel { width, sharpness, forests: self.fit(pages, &|_| true) }.to_file(card)
    }

    fn fit(&self, pages: &[TypedPage], taken: &dyn Fn(&TypedPage) -> bool) -> Vec<Forest> {
        let pages: Vec<(&TypedPage, PageType)> = pages
            .iter()
            .filter(|page| page.trains && taken(page))
            .filter_map(|page| Some((page, page.label?)))
            .collect();
        let sizes = PageType::ALL.map(|label| pages.iter().filter(|(_, other)| *other == label).count().max(1) as f32);
        let mut rows = TrainingRows {
            width: pages.first().map_or(0, |(page, _)| page.features[0].len()),
            ..TrainingRows::default()
        };
        for (page, label) in &pages {
            for (features, view) in page.features.iter().zip(self.views) {
                rows.features.extend(features);
                let share = sizes[*label as usize] / pages.len() as f32 * 7.0;
                rows.weights.push(view * share.powf(-self.balance));
            }
        }
        let forest = |class: PageType| {
            let label = |(_, label): &(&TypedPage, PageType)| [f32::from(u8::from(*label == class)); 4];
            let rows = TrainingRows { labels: pages.iter().flat_map(label).collect(), ..rows.clone() };
            grow(&rows, &self.growth)
        };
        // Two at a time: the memory is that of the rows.
        let halves = std::thread::scope(|scope| {
            let first = scope.spawn(|| PageType::ALL[..4].iter().map(|&class| forest(class)).collect::<Vec<_>>());
            let second: Vec<Forest> = PageType::ALL[4..].iter().map(|&class| forest(class)).collect();
            [first.join().expect("growing does not panic"), second]
        });
        halves.concat()
    }
}

/// The factor of the log odds under which the labels are likeliest.
fn sharpness(pages: &[TypedPage], log_odds: &[[[f32; 7]; 4]]) -> f32 {
    let loss = |factor: f32| -> f64 {
        let of_page = |(page, odds): (&TypedPage, &[[f32; 7]; 4])| -> f64 {
            let Some(label) = page.label.filter(|_| page.trains) else { return 0.0 };
            let of_view =
                |odds: &[f32; 7]| -f64::from(PageTypes::from_log_odds(*odds, factor).of_type(label).max(1e-6)).ln();
            odds.iter().map(of_view).sum()
        };
        pages.iter().zip(log_odds).map(of_page).sum()
    };
    let tried = (6..=40).map(|step| step as f32 * 0.05);
    tried.min_by(|&a, &b| loss(a).total_cmp(&loss(b))).unwrap_or(1.0)
}
