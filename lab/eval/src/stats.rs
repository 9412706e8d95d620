//! Means, spreads, and intervals by the bootstrap.

/// How a list of numbers is spread.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Distribution {
    /// How many.
    pub n: usize,
    /// Arithmetic mean.
    pub mean: f64,
    /// Standard deviation estimated from the sample (n − 1); `None` below two numbers.
    pub sigma: Option<f64>,
    /// Half lie below; the mean of the middle two when there is no middle one.
    pub median: f64,
    /// A tenth lies below; interpolated linearly.
    pub p10: f64,
}

impl Distribution {
    /// `None` for no numbers. O(n log n).
    pub fn of(numbers: &[f64]) -> Option<Distribution> {
        let n = numbers.len();
        if n == 0 {
            return None;
        }
        let mean = numbers.iter().sum::<f64>() / n as f64;
        let squares: f64 = numbers.iter().map(|number| (number - mean).powi(2)).sum();
        let sigma = (n > 1).then(|| (squares / (n - 1) as f64).sqrt());
        let mut sorted = numbers.to_vec();
        sorted.sort_by(f64::total_cmp);
        Some(Distribution { n, mean, sigma, median: quantile(&sorted, 0.5), p10: quantile(&sorted, 0.1) })
    }
}

/// Of a sorted list that is not empty, interpolated linearly between neighbours.
fn quantile(sorted: &[f64], share: f64) -> f64 {
    let place = share * (sorted.len() - 1) as f64;
    let (below, part) = (place.floor() as usize, place.fract());
    let above = (below + 1).min(sorted.len() - 1);
    sorted[below] + part * (sorted[above] - sorted[below])
}

/// Resamples drawn for an interval.
pub const RESAMPLES: usize = 10_000;

/// What 95 of 100 repetitions of the whole experiment would be expected to cover.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// 2.5 % quantile.
    pub low: f64,
    /// 97.5 % quantile.
    pub high: f64,
}

/// The means of every system in each of `resamples` samples drawn with replacement.
///
/// All systems see the same samples, so the difference of two columns is paired. Whole clusters are drawn: with one
/// page each it is the plain bootstrap of pages; with the pages of a domain together it allows for pages of one site
/// being alike (the mean stays that over pages).
///
/// * `scores[page][system]`: no NaN; every page has all systems.
/// * `clusters`: page numbers, each page in one cluster.
/// * Returns `means[system][resample]`; empty lists without clusters.
/// * The generator has a fixed seed, so equal input gives equal output. O(resamples · pages · systems).
///
/// Source: Efron & Tibshirani, *An Introduction to the Bootstrap*, §13.3 (percentile interval) and §8.6 (clusters).
pub fn bootstrap_means(scores: &[Vec<f64>], clusters: &[Vec<usize>], resamples: usize) -> Vec<Vec<f64>> {
    let n_systems = scores.first().map_or(0, Vec::len);
    let mut means = vec![Vec::with_capacity(resamples); n_systems];
    if clusters.is_empty() {
        return means;
    }
    // One sum for each cluster makes a resample cost its number of clusters.
    let sums: Vec<(f64, Vec<f64>)> = clusters
        .iter()
        .map(|pages| {
            let sum = |system: usize| pages.iter().map(|&page| scores[page][system]).sum();
            (pages.len() as f64, (0..n_systems).map(sum).collect())
        })
        .collect();
    let mut random = SplitMix64(0x6772_6973_746d_696c);
    for _ in 0..resamples {
        let (mut n, mut total) = (0.0, vec![0.0; n_systems]);
        for _ in 0..sums.len() {
            let (pages, sum) = &sums[random.below(sums.len())];
            n += pages;
            total.iter_mut().zip(sum).for_each(|(total, sum)| *total += sum);
        }
        means.iter_mut().zip(total).for_each(|(means, total)| means.push(total / n));
    }
    means
}

/// The 95 % percentile interval of `a − b` over paired resamples; `None` without any.
pub fn interval(a: &[f64], b: &[f64]) -> Option<Interval> {
    let mut differences: Vec<f64> = a.iter().zip(b).map(|(a, b)| a - b).collect();
    if differences.is_empty() {
        return None;
    }
    differences.sort_by(f64::total_cmp);
    Some(Interval { low: quantile(&differences, 0.025), high: quantile(&differences, 0.975) })
}

/// Steele, Lea & Flood, OOPSLA 2014: small, and good enough to draw pages.
struct SplitMix64(u64);

impl SplitMix64 {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: usize) -> usize {
        // The high half of the product: bias below n / 2⁶⁴.
        ((u128::from(self.next()) * n as u128) >> 64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sigma_is_the_sample_formula() {
        let spread = Distribution::of(&[0.9, 0.8, 1.0, 0.7]).unwrap();
        assert!((spread.sigma.unwrap() - 0.1291).abs() < 5e-5);
        assert!((spread.mean - 0.85).abs() < 1e-12 && (spread.median - 0.85).abs() < 1e-12);
        assert!((spread.p10 - 0.73).abs() < 1e-12);
        assert_eq!(Distribution::of(&[0.5]).unwrap().sigma, None);
        assert_eq!(Distribution::of(&[]), None);
    }

    fn pages(n: usize) -> Vec<Vec<usize>> {
        (0..n).map(|page| vec![page]).collect()
    }

    #[test]
    fn a_constant_difference_has_an_interval_without_width() {
        let scores: Vec<Vec<f64>> = (0..50).map(|n| vec![f64::from(n) / 100.0, f64::from(n) / 100.0 + 0.25]).collect();
        let means = bootstrap_means(&scores, &pages(50), 500);
        let found = interval(&means[1], &means[0]).unwrap();
        assert!(
            (found.low - 0.25).abs() < 1e-9 && (found.high - 0.25).abs() < 1e-9,
            "pairing keeps the pages together"
        );
        assert!(interval(&means[0], &vec![0.0; 500]).unwrap().high > interval(&means[0], &vec![0.0; 500]).unwrap().low);
    }

    #[test]
    fn the_interval_of_a_mean_has_about_the_width_of_the_normal_one() {
        let scores: Vec<Vec<f64>> = (0..400).map(|n| vec![f64::from(n % 2)]).collect();
        let means = bootstrap_means(&scores, &pages(400), RESAMPLES);
        let found = interval(&means[0], &vec![0.0; RESAMPLES]).unwrap();
        // 0.5 ± 1.96 · 0.5 / √400
        assert!((found.low - 0.451).abs() < 0.005 && (found.high - 0.549).abs() < 0.005, "{found:?}");
    }

    #[test]
    fn alike_pages_of_one_domain_widen_the_interval() {
        let scores: Vec<Vec<f64>> = (0..200).map(|n| vec![f64::from(n / 20 % 2)]).collect();
        let domains: Vec<Vec<usize>> = (0..10).map(|domain| (domain * 20..domain * 20 + 20).collect()).collect();
        let zero = vec![0.0; 2000];
        let width = |clusters: &[Vec<usize>]| {
            let found = interval(&bootstrap_means(&scores, clusters, 2000)[0], &zero).unwrap();
            found.high - found.low
        };
        assert!(width(&domains) > 3.0 * width(&pages(200)));
    }

    #[test]
    fn the_same_input_gives_the_same_resamples_and_none_gives_none() {
        let scores = vec![vec![0.1], vec![0.7], vec![0.4]];
        assert_eq!(bootstrap_means(&scores, &pages(3), 100), bootstrap_means(&scores, &pages(3), 100));
        assert_eq!(interval(&bootstrap_means(&[], &[], 100).concat(), &[]), None);
    }
}
