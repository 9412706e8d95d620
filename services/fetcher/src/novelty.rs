//! Whether a page says anything that its site has not said before: by a memory of fixed size for all sites together.

use gristmill_fetch::Sketch;

/// Bits of a generation: 8 MiB.
const BITS: usize = 1 << 26;
/// Hashes after which the older generation is forgotten: an eighth of the bits, so that one in 64 is taken for known by mistake.
const CAPACITY: usize = BITS / 16;
/// With fewer sequences of words a page is short: an empty shell of scripts cannot be judged, and others less surely.
const LEAST_SEQUENCES: usize = 20;
/// So many figures that nobody saw before on the site are new: the number of a page is one, a price two.
const FIGURES: usize = 2;
/// A page of so many amounts at most shows its own price, perhaps reduced; with more it is a list.
const PRICES: usize = 2;
/// So many short pages count as one.
const SHORT_PAGES: u32 = 3;

/// Where the new links of a page lead.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NewLinkTargets {
    /// The page has none, and an address that stands for one thing.
    Nowhere,
    /// All to addresses like its own.
    On,
    Elsewhere,
}

/// What sites said, in two generations of bits; what is met again stays.
pub(crate) struct Novelty {
    current: Vec<u64>,
    before: Vec<u64>,
    n_hashes: usize,
    /// Short pages without anything new, of all sites.
    n_short: u32,
}

impl Novelty {
    pub(crate) fn new() -> Self {
        // Zeroed memory takes no room before it is used.
        Self { current: vec![0; BITS / 64], before: vec![0; BITS / 64], n_hashes: 0, n_short: 0 }
    }

    /// Takes in a page, and tells whether it has nothing new: no word, hardly a sequence of words, and no figures as a table of measures has and
    /// no pager. `None` where it has too little text to tell, unless it only leads on to more of its like, as the months of a
    /// calendar do: of those one in three is told. `None` as well where it leads nowhere and has a title of its own: things that differ in
    /// measures alone are no endless list.
    ///
    /// * `site`: a hash of the site's name.
    /// * `path`: one of the address without its parameters.
    pub(crate) fn brings_nothing(
        &mut self,
        site: u64,
        path: u64,
        sketch: &Sketch,
        leads: NewLinkTargets,
    ) -> Option<bool> {
        let has_title = sketch.title != 0 && self.is_new((site ^ sketch.title).rotate_left(43));
        let has_price = self.has_price_of_its_own(path, sketch);
        let n_words = sketch.words.iter().filter(|hash| self.is_new(site ^ **hash)).count();
        let n_sequences = sketch.sequences.iter().filter(|hash| self.is_new(!site ^ **hash)).count();
        let n_figures = sketch.figures.iter().filter(|hash| self.is_new((site ^ **hash).rotate_left(17))).count();
        if sketch.sequences.len() < LEAST_SEQUENCES {
            if sketch.has_scripts || leads != NewLinkTargets::On {
                return None;
            }
            if n_words + n_sequences > 0 {
                return Some(false);
            }
            self.n_short = self.n_short.wrapping_add(1);
            return self.n_short.is_multiple_of(SHORT_PAGES).then_some(true);
        }
        // The words of filters in another order, or the name of a month, make some sequences.
        let is_known = n_words == 0 && n_sequences <= (sketch.sequences.len() / 20).max(2);
        let says_nothing = is_known && n_figures < FIGURES && !has_price;
        (!says_nothing || !has_title || leads != NewLinkTargets::Nowhere).then_some(says_nothing)
    }

    /// Whether a page has another price than its path had with other parameters: one of several sizes or colours.
    fn has_price_of_its_own(&mut self, path: u64, sketch: &Sketch) -> bool {
        let prices: Vec<u64> = sketch.amounts().take(PRICES + 1).collect();
        if !(1..=PRICES).contains(&prices.len()) {
            return false;
        }
        let is_first = self.is_new(path.rotate_left(23));
        let is_new = self.is_new((prices.iter().fold(path, |sum, price| sum ^ price)).rotate_left(31));
        is_new && !is_first
    }

    /// Whether a hash is new; it is known from now on.
    fn is_new(&mut self, hash: u64) -> bool {
        let places = [hash as usize % BITS, (hash >> 32) as usize % BITS];
        let has = |bits: &[u64]| places.iter().all(|place| bits[place / 64] >> (place % 64) & 1 == 1);
        if has(&self.current) {
            return false;
        }
        let is_new = !has(&self.before);
        if self.n_hashes >= CAPACITY {
            std::mem::swap(&mut self.current, &mut self.before);
            self.current.fill(0);
            self.n_hashes = 0;
        }
        places.iter().for_each(|place| self.current[place / 64] |= 1 << (place % 64));
        self.n_hashes += 1;
        is_new
    }
}

#[cfg(test)]
mod tests {
    use gristmill_fetch::scan;

    use super::*;

    fn page(novelty: &mut Novelty, site: u64, own: &str) -> Option<bool> {
        let around = "<nav>The mill</nav><p>We grind rye, wheat and oats for all who come by before noon, and sell what is left \
            over to the bakers of the valley, who bake it, as their fathers did, in ovens of stone.</p>";
        at(novelty, site, site, &format!("{around}<div>{own}</div>"))
    }

    fn at(novelty: &mut Novelty, site: u64, path: u64, html: &str) -> Option<bool> {
        novelty.brings_nothing(site, path, &scan(html, "http://a.test/").sketch, NewLinkTargets::Elsewhere)
    }

    #[test]
    fn pagers_filters_and_calendars_bring_nothing_and_titles_do() {
        let mut novelty = Novelty::new();
        assert_eq!(page(&mut novelty, 1, "Events of May 2030: none <b>Red</b><b>Cotton</b><b>Large</b>"), Some(false));
        assert_eq!(page(&mut novelty, 1, "Events of May 2031: none <b>Large</b><b>Red</b><b>Cotton</b>"), Some(true));
        assert_eq!(page(&mut novelty, 1, "Cotton Red Large"), Some(true));
        assert_eq!(page(&mut novelty, 1, "Cotton Red Large 101"), Some(true), "the number of a page");
        assert_eq!(page(&mut novelty, 1, "Cotton Red 12.49"), Some(false), "a price");
        assert_eq!(page(&mut novelty, 1, "Sunset over the windmill"), Some(false));
        assert_eq!(
            page(&mut novelty, 2, "Events of May 2031: none <b>Large</b><b>Red</b><b>Cotton</b>"),
            Some(false),
            "another site"
        );
        assert_eq!(at(&mut novelty, 1, 1, "<div id=root></div>Loading"), None);
    }

    #[test]
    fn a_variant_with_a_price_of_its_own_brings_something_though_others_had_its_words_and_its_price() {
        let mut novelty = Novelty::new();
        let mut mill = |path: u64, colour: &str, price: u32| {
            let text = "We grind rye, wheat and oats for all who come by before noon, and sell what is left over to the bakers of \
                the valley, who bake it, as their fathers did, in ovens of stone.";
            let path = path.wrapping_mul(0x9e37_79b9_7f4a_7c15);
            at(&mut novelty, 1, path, &format!("<h1>Mill in {colour}</h1><p>{text}</p><p>{price}.50 EUR</p>"))
        };
        for path in 1..9 {
            mill(path, "red", path as u32 + 10);
            mill(path, "blue", path as u32 + 11);
        }
        assert_eq!(mill(5, "blue", 12), Some(false), "a price that another mill had");
        assert_eq!(mill(5, "blue", 12), Some(true), "the same once more");
        assert_eq!(mill(5, "red", 15), Some(true));
        assert_eq!(mill(99, "red", 15), Some(true), "another path is no variant");
    }

    #[test]
    fn things_that_differ_in_measures_alone_are_not_said_to_bring_nothing() {
        let mut novelty = Novelty::new();
        let mut bolt = |length: u32, leads| {
            let text = "We sell bolts to builders in the whole country, and orders that come before noon leave the store on the same \
                day; what does not fit may be sent back within a month.";
            let html = format!("<title>Bolt M8 x {length}</title><p>{text}</p><td>Length</td><td>{length} mm</td>");
            novelty.brings_nothing(1, 1, &scan(&html, "http://a.test/").sketch, leads)
        };
        assert_eq!(bolt(10, NewLinkTargets::Nowhere), Some(false));
        assert_eq!(bolt(20, NewLinkTargets::Nowhere), None);
        assert_eq!(bolt(20, NewLinkTargets::Nowhere), Some(true), "a title that another page had");
        assert_eq!(bolt(30, NewLinkTargets::On), Some(true), "the next page of an endless list");
        assert_eq!(bolt(40, NewLinkTargets::Elsewhere), Some(true));
    }

    #[test]
    fn of_short_pages_those_that_only_lead_on_count_a_third() {
        let mut novelty = Novelty::new();
        let mut told = |html: &str, leads| {
            let sketch = scan(html, "http://a.test/").sketch;
            (0..11).map(|_| novelty.brings_nothing(1, 1, &sketch, leads)).collect::<Vec<_>>()
        };
        let month = told("<h1>May 2031</h1><a href=/2031/06>next</a>", NewLinkTargets::On);
        let of = |answer| month.iter().filter(|found| **found == answer).count();
        assert_eq!((of(Some(false)), of(Some(true)), of(None)), (1, 3, 7), "{month:?}");
        assert!(
            told("<h1>May 2031</h1>", NewLinkTargets::Nowhere).iter().all(Option::is_none),
            "a page without new links"
        );
        assert!(
            told("<h1>May 2031</h1><script src=/app.js></script>", NewLinkTargets::On).iter().all(Option::is_none),
            "a shell"
        );
    }

    #[test]
    fn what_is_met_again_and_again_is_not_forgotten() {
        let mut novelty = Novelty::new();
        page(&mut novelty, 1, "");
        for round in 0..40_u64 {
            (0..CAPACITY as u64 / 8)
                .for_each(|n| _ = novelty.is_new((round << 40 | n).wrapping_mul(0x9e37_79b9_7f4a_7c15)));
            assert_eq!(page(&mut novelty, 1, ""), Some(true), "round {round}");
        }
    }
}
