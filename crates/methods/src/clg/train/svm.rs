//! Linear support vector machine by dual coordinate descent.

use super::super::features::Features;
use super::super::model::Linear;
use crate::clg::features::D;

/// Cost of a margin error. Paper: not told.
const C: f64 = 1.0;
const MAX_PASSES: usize = 200;
/// Stop when no multiplier violates its optimality by more than this.
const TOLERANCE: f64 = 0.01;

/// Minimises ½‖w‖² + C·Σ hinge over the features and a constant one for the bias. Deterministic: the order of each
/// pass comes from a fixed generator. O(passes · n · d); on large classes that overlap it stops at the limit of passes
/// and not at the tolerance.
///
/// Source: Hsieh, Chang, Lin, Keerthi & Sundararajan, ICML 2008, Algorithm 1 (L1 loss), without shrinking.
pub(super) fn fit(table: &[Features], positive: &[bool]) -> Linear {
    let mut linear = Linear { bias: 0.0, weights: [0.0; D] };
    let mut alpha = vec![0.0f64; table.len()];
    let norms: Vec<f64> = table.iter().map(|row| 1.0 + row.iter().map(|value| value * value).sum::<f64>()).collect();
    let mut order: Vec<u32> = (0..table.len() as u32).collect();
    let mut random = 0x9E37_79B9_7F4A_7C15u64;
    for _ in 0..MAX_PASSES {
        shuffle(&mut order, &mut random);
        let mut worst = 0.0f64;
        for &at in &order {
            let at = at as usize;
            let sign = if positive[at] { 1.0 } else { -1.0 };
            let gradient = sign * linear.decision(&table[at]) - 1.0;
            let projected = match alpha[at] {
                a if a <= 0.0 => gradient.min(0.0),
                a if a >= C => gradient.max(0.0),
                _ => gradient,
            };
            worst = worst.max(projected.abs());
            if projected != 0.0 {
                let before = alpha[at];
                alpha[at] = (before - gradient / norms[at]).clamp(0.0, C);
                let change = (alpha[at] - before) * sign;
                linear.bias += change;
                linear.weights.iter_mut().zip(&table[at]).for_each(|(weight, value)| *weight += change * value);
            }
        }
        if worst < TOLERANCE {
            break;
        }
    }
    linear
}

/// Fisher and Yates, with a xorshift generator.
fn shuffle(order: &mut [u32], random: &mut u64) {
    for at in (1..order.len()).rev() {
        *random ^= *random << 13;
        *random ^= *random >> 7;
        *random ^= *random << 17;
        order.swap(at, (*random % (at as u64 + 1)) as usize);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(x: f64, y: f64) -> Features {
        let mut row = [0.0; D];
        (row[0], row[5]) = (x, y);
        row
    }

    #[test]
    fn separable_points_end_on_their_sides_with_the_widest_margin() {
        let table = [row(2.0, 1.0), row(2.0, -1.0), row(-2.0, 1.0), row(-2.0, -1.0)];
        let linear = fit(&table, &[true, true, false, false]);
        assert!((linear.weights[0] - 0.5).abs() < 0.01 && linear.weights[5].abs() < 0.01, "{linear:?}");
        assert!(linear.bias.abs() < 0.01);
    }

    #[test]
    fn equal_input_gives_equal_weights_and_no_input_gives_none() {
        let table: Vec<Features> = (0..50).map(|n| row(f64::from(n % 7), f64::from(n % 5))).collect();
        let positive: Vec<bool> = (0..50).map(|n| n % 7 > n % 5).collect();
        assert_eq!(fit(&table, &positive), fit(&table, &positive));
        assert_eq!(fit(&[], &[]).weights, [0.0; D]);
    }
}
