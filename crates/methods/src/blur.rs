//! Gaussian smoothing of sequences.

/// A Gaussian that ends at 3σ: weights of −r..=r, not normalised, and their running sums.
struct Kernel {
    weights: Vec<f64>,
    /// `sums[m]` is the sum of the first m weights.
    sums: Vec<f64>,
    radius: usize,
}

impl Kernel {
    fn new(sigma: f64) -> Kernel {
        let radius = (3.0 * sigma).floor() as usize;
        // σ < 1/3 leaves only the middle, whatever its weight; 1 keeps σ = 0 finite.
        let sigma = if radius == 0 { 1.0 } else { sigma };
        let weight = |at: usize| {
            let distance = at as f64 - radius as f64;
            (-distance * distance / (2.0 * sigma * sigma)).exp()
        };
        let weights: Vec<f64> = (0..=2 * radius).map(weight).collect();
        let mut sums = vec![0.0];
        for weight in &weights {
            sums.push(sums[sums.len() - 1] + weight);
        }
        Kernel { weights, sums, radius }
    }

    /// The sum of the weights that lie within a sequence of `n` when the kernel stands at `at`.
    fn within(&self, at: usize, n: usize) -> f64 {
        let first = self.radius.saturating_sub(at);
        let end = self.weights.len().min(n - at + self.radius);
        self.sums[end] - self.sums[first]
    }
}

/// Blurs a sequence of zeros and ones with a Gaussian of σ entries that ends at 3σ and is renormalised at both ends.
///
/// A run of equal entries contributes a difference of the kernel's running sums, so only changes cost:
/// O(n + changes · 6σ).
pub(super) fn blur_steps(values: &[bool], sigma: f64) -> Vec<f64> {
    let (kernel, n) = (Kernel::new(sigma), values.len());
    let (radius, total) = (kernel.radius, kernel.sums[kernel.sums.len() - 1]);
    // What changed more than a radius before an entry reaches it whole.
    let mut out: Vec<f64> = (0..n).map(|at| if at >= radius && values[at - radius] { total } else { 0.0 }).collect();
    let mut before = false;
    for (at, value) in values.iter().copied().chain([false]).enumerate() {
        if value == before {
            continue;
        }
        before = value;
        let (first, end) = (at.saturating_sub(radius), (at + radius).min(n));
        let sums = &kernel.sums[first + radius + 1 - at..];
        let sign = if value { 1.0 } else { -1.0 };
        for (out, sum) in out[first..end].iter_mut().zip(sums) {
            *out += sign * sum;
        }
    }
    for (at, out) in out.iter_mut().enumerate() {
        *out /= kernel.within(at, n);
    }
    out
}

/// The same for any values, term by term: O(n · 6σ).
pub(super) fn blur(values: &[f64], sigma: f64) -> Vec<f64> {
    let (kernel, n) = (Kernel::new(sigma), values.len());
    let blurred = |at: usize| {
        let first = at.saturating_sub(kernel.radius);
        let end = (at + kernel.radius + 1).min(n);
        let weights = &kernel.weights[first + kernel.radius - at..];
        values[first..end].iter().zip(weights).map(|(value, weight)| value * weight).sum::<f64>() / kernel.within(at, n)
    };
    (0..n).map(blurred).collect()
}

/// Smooths with a normalised Gaussian of σ over `radius` neighbours on each side; beyond the ends there are zeros.
/// σ = 0 leaves the values as they are. O(n · radius).
pub(super) fn smooth(values: &[f64], sigma: f64, radius: usize) -> Vec<f64> {
    if sigma == 0.0 {
        return values.to_vec();
    }
    let weight = |d: usize| (-((d * d) as f64) / (2.0 * sigma * sigma)).exp();
    let total = 1.0 + 2.0 * (1..=radius).map(weight).sum::<f64>();
    let weights: Vec<f64> = (0..=radius).map(|d| weight(d) / total).collect();
    let value = |at: Option<usize>| at.and_then(|at| values.get(at)).copied().unwrap_or(0.0);
    let smoothed = |at: usize| {
        let around = |d: usize| value(at.checked_sub(d)) + value(Some(at + d));
        weights[0] * values[at] + (1..=radius).map(|d| weights[d] * around(d)).sum::<f64>()
    };
    (0..values.len()).map(smoothed).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The definition, term by term.
    fn direct(values: &[f64], sigma: f64) -> Vec<f64> {
        let term = |i: usize, j: usize| {
            let d = i.abs_diff(j) as f64;
            if d <= 3.0 * sigma { (-d * d / (2.0 * sigma.max(1e-9).powi(2))).exp() } else { 0.0 }
        };
        let blurred = |i: usize| {
            let weights: f64 = (0..values.len()).map(|j| term(i, j)).sum();
            values.iter().enumerate().map(|(j, value)| value * term(i, j)).sum::<f64>() / weights
        };
        (0..values.len()).map(blurred).collect()
    }

    proptest! {
        #[test]
        fn steps_and_values_are_blurred_as_defined(
            bits in proptest::collection::vec(any::<bool>(), 0..120),
            sigma in 0.0..30.0f64,
        ) {
            let values: Vec<f64> = bits.iter().map(|&bit| f64::from(u8::from(bit))).collect();
            let expected = direct(&values, sigma);
            for (blurred, expected) in blur_steps(&bits, sigma).iter().zip(&expected) {
                prop_assert!((blurred - expected).abs() < 1e-9, "{} {}", blurred, expected);
            }
            for (blurred, expected) in blur(&values, sigma).iter().zip(&expected) {
                prop_assert!((blurred - expected).abs() < 1e-9, "{} {}", blurred, expected);
            }
        }
    }

    #[test]
    fn smoothing_adds_nothing_and_loses_only_beyond_the_ends() {
        let smoothed = smooth(&[0.0, 0.0, 0.0, 10.0, 0.0, 0.0, 0.0], 1.0, 3);
        assert!((smoothed.iter().sum::<f64>() - 10.0).abs() < 1e-9);
        assert!((smooth(&[10.0], 1.0, 3)[0] - 3.991).abs() < 0.001);
        assert_eq!(smooth(&[1.0, 5.0], 0.0, 3), [1.0, 5.0]);
    }
}
