//! What a registrable domain has cost so far, and what it is worth: where more domains are due than can be asked, the better go first.
//!
//! Each doubling of the pages that were asked for puts a domain one class back, each doubling of the domains that link to it one class
//! forward (budgets by links from other domains are those of IRLbot, Lee and others 2008), and each halving of the share of its pages that
//! brought something new one class back; who brings little has no use of links either, as those of a farm cost nothing. Within a class
//! domains take turns, so that none starves: whoever gets orders falls back. Nothing waits where nothing better is due.

use crate::codec::{RecordDecoder, RecordEncoder};
use crate::message::{FetchOutcome, FetchResult};

/// The class of a domain of which nothing is known: the sketch counts to 2¹⁰.
const FIRST: u32 = 11;

/// Pages after which what they brought counts half.
const LATELY: u8 = 64;

/// Domains that link to another are told apart by a hash in so many groups, each with a bit for each power of two.
const GROUPS: u32 = 8;

/// What is kept of a domain, at most some 15 bytes on disk.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct CrawlBudget {
    n_asked: u32,
    /// The last ones, and how many of these brought nothing.
    lately: u8,
    in_vain: u8,
    /// A sketch of the domains that link to this one (probabilistic counting, Flajolet and Martin 1985).
    linked_from: u64,
}

impl CrawlBudget {
    /// Takes in what came of asking for a page.
    pub(crate) fn spend(&mut self, outcome: &FetchOutcome) {
        self.ask();
        match outcome.result {
            FetchResult::Failed(_) => self.regret(),
            FetchResult::Ok if outcome.brings_nothing == Some(true) => self.regret(),
            _ => {}
        }
    }

    fn ask(&mut self) {
        self.n_asked = self.n_asked.saturating_add(1);
        self.lately += 1;
        if self.lately >= LATELY {
            (self.lately, self.in_vain) = (self.lately / 2, self.in_vain / 2);
        }
    }

    /// Takes in that a page, asked for before, brought nothing that is new.
    pub(crate) fn regret(&mut self) {
        self.in_vain = (self.in_vain + 1).min(self.lately);
    }

    /// Pages that were asked for, but for further visits.
    pub(crate) fn n_asked(&self) -> u32 {
        self.n_asked
    }

    /// Takes in a link from another domain, by a keyed hash of its name. Tells whether that changed anything.
    pub(crate) fn link(&mut self, from: u64) -> bool {
        let group = from as u32 % GROUPS;
        let level = (from / u64::from(GROUPS)).trailing_zeros().min(u64::BITS / GROUPS - 1);
        let before = self.linked_from;
        self.linked_from |= 1 << (level * GROUPS + group);
        self.linked_from != before
    }

    /// Whether its links speak for others: most of its pages bring something.
    pub(crate) fn vouches(&self) -> bool {
        u32::from(self.in_vain) * 2 <= u32::from(self.lately)
    }

    /// Smaller goes first.
    pub(crate) fn class(&self) -> u8 {
        let spent = self.n_asked.checked_ilog2().map_or(0, |log| log + 1);
        // As if two pages before had brought something: one page is no sign.
        let lately = u32::from(self.lately) + 2;
        let in_vain = (lately / (lately - u32::from(self.in_vain))).ilog2();
        let linked = if self.vouches() { self.log_linked_from() } else { 0 };
        (FIRST + spent + in_vain - linked) as u8
    }

    /// About log₂ of one more than the domains that link to it, to a quarter more or less.
    fn log_linked_from(&self) -> u32 {
        match self.linked_from.count_ones() {
            bits @ ..8 => (bits + 1).ilog2(),
            bits => (bits + 22) / GROUPS,
        }
    }

    pub(crate) fn encode(self, writer: &mut RecordEncoder) {
        if self != Self::default() {
            let numbers = [self.n_asked.into(), self.lately.into(), self.in_vain.into(), self.linked_from];
            numbers.into_iter().for_each(|number| _ = writer.number(number));
        }
    }

    /// That of a record of which the rest was read; older stores have none.
    pub(crate) fn decode(reader: &mut RecordDecoder<'_>) -> Option<Self> {
        if reader.0.is_empty() {
            return Some(Self::default());
        }
        let budget = Self {
            n_asked: reader.small()?,
            lately: reader.small()?,
            in_vain: reader.small()?,
            linked_from: reader.number()?,
        };
        (budget.lately < LATELY && budget.in_vain <= budget.lately).then_some(budget)
    }
}

#[cfg(test)]
mod tests {
    use xxhash_rust::xxh3::xxh3_64;

    use super::*;

    /// Classes behind a domain of which nothing is known.
    fn behind(budget: CrawlBudget) -> i32 {
        i32::from(budget.class()) - FIRST as i32
    }

    #[test]
    fn each_doubling_of_what_was_asked_for_is_a_class() {
        let asked = |n| CrawlBudget { n_asked: n, ..CrawlBudget::default() };
        assert_eq!([0, 1, 2, 3, 4, 8, 1_000, u32::MAX].map(|n| behind(asked(n))), [0, 1, 2, 2, 3, 4, 10, 32]);
    }

    #[test]
    fn each_doubling_of_the_domains_that_link_to_it_takes_one_back() {
        for (n_domains, least, most) in [(1_u64, 1, 1), (3, 1, 2), (16, 3, 5), (64, 5, 7), (500, 8, 10)] {
            let mut budget = CrawlBudget::default();
            for domain in 0..n_domains {
                budget.link(xxh3_64(&domain.to_le_bytes()));
                assert!(!budget.link(xxh3_64(&domain.to_le_bytes())), "each counts once");
            }
            assert!((least..=most).contains(&-behind(budget)), "{} for {n_domains}", behind(budget));
        }
        let mut all = CrawlBudget::default();
        (0..1_000_000_u64).for_each(|domain| _ = all.link(xxh3_64(&domain.to_le_bytes())));
        assert_eq!(all.class(), 1, "what cannot wait goes before");
    }

    #[test]
    fn a_domain_whose_pages_bring_nothing_falls_back_and_comes_forward_when_they_do() {
        let mut budget = CrawlBudget::default();
        (0..3).for_each(|domain| _ = budget.link(domain));
        let mut classes = Vec::new();
        for _ in 0..62 {
            budget.ask();
            budget.regret();
            budget.n_asked = 0;
            classes.push(behind(budget));
        }
        assert!(!budget.vouches() && classes.is_sorted());
        assert_eq!([classes[0], classes[1], classes[5], classes[61]], [0, 1, 2, 5], "nor do links to it count");
        (0..60).for_each(|_| budget.ask());
        budget.n_asked = 0;
        assert!(budget.vouches() && behind(budget) == -2);
    }

    #[test]
    fn it_survives_the_disk_and_damage_is_refused() {
        let budget = CrawlBudget { n_asked: 7, lately: 63, in_vain: 63, linked_from: u64::MAX };
        for budget in [budget, CrawlBudget::default()] {
            let mut writer = RecordEncoder::default();
            budget.encode(&mut writer);
            assert_eq!(CrawlBudget::decode(&mut RecordDecoder(&writer.0)), Some(budget));
        }
        for damaged in [[1, 64, 1, 1], [1, 5, 6, 1]] {
            assert_eq!(CrawlBudget::decode(&mut RecordDecoder(&damaged)), None);
        }
    }
}
