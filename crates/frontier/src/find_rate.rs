//! How often a source is the first to bring a page, and how often it is worth a visit.

use crate::codec::{RecordDecoder, RecordEncoder};

const MINUTE: f64 = 60_000.0;
/// What was found so long ago counts half: so the rate follows day and night.
const HALF_LIFE: f64 = 360.0 * MINUTE;
/// The shortest interval, of the usual one.
const SHORTEST: f64 = 0.375;
/// Pages a minute for which the interval is the usual one.
const USUAL_RATE: f64 = 0.06;

/// Pages that a source was the first to bring, and the time that it took, both fading.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct FindRate {
    /// In thousandths of a page.
    finds: u64,
    /// In milliseconds.
    time: u64,
    /// When it was visited last.
    at: u64,
}

impl FindRate {
    /// That of a source which was visited once, at `at`: as if it brought a page an hour, until more is known.
    pub(crate) fn new(at: u64) -> Self {
        Self { finds: 500, time: 30 * MINUTE as u64, at }
    }

    /// Takes in a visit at `now` that brought so many pages; tells how long after the last one.
    pub(crate) fn learn(&mut self, brought: u32, now: u64) -> u64 {
        let age = now.saturating_sub(self.at);
        let fading = 0.5_f64.powf(age as f64 / HALF_LIFE);
        self.finds = (self.finds as f64 * fading) as u64 + 1_000 * u64::from(brought);
        self.time = (self.time as f64 * fading) as u64 + age;
        self.at = now;
        age
    }

    /// The time to the next visit, in milliseconds.
    ///
    /// The pages that wait grow with the time, and so does how long each waits: a visit is worth its cost when a source of rate r was not
    /// visited for √(2θ/r) (the square-root rule of Sia and Cho), θ being what a request is worth in minutes of waiting.
    pub(crate) fn interval(&self, usual: u64) -> u64 {
        let a_minute = self.finds as f64 / 1_000.0 / (self.time as f64 / MINUTE).max(1e-3);
        let times = (USUAL_RATE / a_minute.max(1e-9)).sqrt().max(SHORTEST);
        (usual as f64 * times) as u64
    }

    pub(crate) fn encode(self, writer: &mut RecordEncoder) {
        writer.number(self.finds).number(self.time).number(self.at);
    }

    pub(crate) fn decode(reader: &mut RecordDecoder<'_>) -> Option<Self> {
        Some(Self { finds: reader.number()?, time: reader.number()?, at: reader.number()? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: u64 = 3_600_000;

    /// The intervals in minutes, where a source is visited for so many hours, each hour with so many pages.
    fn minutes(hours: u64, pages: u32) -> u64 {
        let mut rate = FindRate::new(0);
        (1..=hours).for_each(|hour| _ = rate.learn(pages, hour * HOUR));
        rate.interval(120_000) / 60_000
    }

    #[test]
    fn the_more_a_source_brings_the_sooner_it_is_visited() {
        let [busy, usual, slow, silent] = [60, 12, 1, 0].map(|pages| minutes(12, pages));
        assert_eq!((busy, usual, slow), (0, 1, 3));
        assert!(silent > 15, "{silent}");
        assert!(minutes(3, 0) < silent && minutes(100_000, 0) > silent);
        assert!(FindRate { finds: u64::MAX, time: 0, at: 0 }.interval(120_000) == 45_000);
    }
}
