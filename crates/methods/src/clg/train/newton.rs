//! Logistic regression by Newton's method.

use super::super::features::Features;
use super::super::model::{Linear, sigmoid};
use crate::clg::features::D;

/// Weight of the squared coefficients beside the mean loss.
const LAMBDA: f64 = 1e-4;
const MAX_STEPS: usize = 50;

/// Coefficients, the intercept last.
type Vector = [f64; D + 1];
type Matrix = [[f64; D + 1]; D + 1];

/// Minimises mean log-loss + λ/2·‖β‖², the intercept free. Steps are halved until the loss does not rise, so that it
/// converges from 0 on any data. O(steps · n · d²).
pub(super) fn fit(table: &[Features], positive: &[bool]) -> Linear {
    let mut beta: Vector = [0.0; D + 1];
    let mut current = loss(table, positive, &beta);
    for _ in 0..MAX_STEPS {
        let (gradient, hessian) = derivatives(table, positive, &beta);
        let Some(step) = solve(hessian, gradient) else { break };
        let mut share = 1.0;
        let next = loop {
            let next: Vector = std::array::from_fn(|f| beta[f] - share * step[f]);
            let value = loss(table, positive, &next);
            if value <= current {
                current = value;
                break Some(next);
            }
            share /= 2.0;
            if share < 1e-6 {
                break None;
            }
        };
        let Some(next) = next else { break };
        let moved = beta.iter().zip(&next).fold(0.0f64, |max, (a, b)| max.max((a - b).abs()));
        beta = next;
        if moved < 1e-10 {
            break;
        }
    }
    Linear { bias: beta[D], weights: std::array::from_fn(|f| beta[f]) }
}

fn decision(beta: &Vector, row: &Features) -> f64 {
    row.iter().zip(beta).fold(beta[D], |sum, (value, weight)| sum + value * weight)
}

fn loss(table: &[Features], positive: &[bool], beta: &Vector) -> f64 {
    let one = |(row, &positive): (&Features, &bool)| {
        let margin = if positive { decision(beta, row) } else { -decision(beta, row) };
        // ln(1 + e^−m) without overflow.
        if margin > 0.0 { (-margin).exp().ln_1p() } else { margin.exp().ln_1p() - margin }
    };
    let sum: f64 = table.iter().zip(positive).map(one).sum();
    let squares: f64 = beta[..D].iter().map(|weight| weight * weight).sum();
    sum / table.len().max(1) as f64 + LAMBDA / 2.0 * squares
}

fn derivatives(table: &[Features], positive: &[bool], beta: &Vector) -> (Vector, Matrix) {
    let (mut gradient, mut hessian): (Vector, Matrix) = ([0.0; D + 1], [[0.0; D + 1]; D + 1]);
    let n = table.len().max(1) as f64;
    for (row, &positive) in table.iter().zip(positive) {
        let p = sigmoid(decision(beta, row));
        let (error, weight) = ((p - f64::from(positive)) / n, p * (1.0 - p) / n);
        let x: Vector = std::array::from_fn(|f| row.get(f).copied().unwrap_or(1.0));
        for f in 0..=D {
            gradient[f] += error * x[f];
            let scaled = weight * x[f];
            for g in 0..=f {
                hessian[f][g] += scaled * x[g];
            }
        }
    }
    for f in 0..D {
        gradient[f] += LAMBDA * beta[f];
        hessian[f][f] += LAMBDA;
    }
    // The intercept has no penalty; this keeps the matrix invertible when all pages are certain.
    hessian[D][D] += 1e-12;
    (gradient, hessian)
}

/// Solves `matrix · x = vector` for a positive definite matrix given by its lower half (Cholesky).
#[allow(clippy::needless_range_loop, reason = "rows and columns of one matrix")]
fn solve(mut matrix: Matrix, mut vector: Vector) -> Option<Vector> {
    for f in 0..=D {
        for g in 0..=f {
            let mut sum = matrix[f][g];
            for k in 0..g {
                sum -= matrix[f][k] * matrix[g][k];
            }
            if f == g {
                if sum <= 0.0 {
                    return None;
                }
                matrix[f][f] = sum.sqrt();
            } else {
                matrix[f][g] = sum / matrix[g][g];
            }
        }
    }
    for f in 0..=D {
        for k in 0..f {
            vector[f] -= matrix[f][k] * vector[k];
        }
        vector[f] /= matrix[f][f];
    }
    for f in (0..=D).rev() {
        for k in f + 1..=D {
            vector[f] -= matrix[k][f] * vector[k];
        }
        vector[f] /= matrix[f][f];
    }
    Some(vector)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(x: f64) -> Features {
        let mut row = [0.0; D];
        row[3] = x;
        row
    }

    #[test]
    fn the_intercept_alone_gives_the_share_of_positive_nodes() {
        let linear = fit(&[row(0.0); 4], &[true, false, false, false]);
        assert!((sigmoid(linear.bias) - 0.25).abs() < 1e-9 && linear.weights == [0.0; D]);
    }

    #[test]
    fn at_the_optimum_the_gradient_is_nothing() {
        let table: Vec<Features> = (0..100).map(|n| row(f64::from(n % 10) / 5.0 - 1.0)).collect();
        let positive: Vec<bool> = (0..100).map(|n| n % 10 + n / 30 > 6).collect();
        let linear = fit(&table, &positive);
        let mut beta: Vector = [0.0; D + 1];
        beta[..D].copy_from_slice(&linear.weights);
        beta[D] = linear.bias;
        let (gradient, _) = derivatives(&table, &positive, &beta);
        assert!(gradient.iter().all(|slope| slope.abs() < 1e-9), "{gradient:?}");
        assert!(linear.weights[3] > 0.5);
    }

    #[test]
    fn separable_and_empty_data_stay_finite() {
        let linear = fit(&[row(-1.0), row(1.0)], &[false, true]);
        assert!(linear.weights[3].is_finite() && linear.weights[3] > 1.0);
        assert_eq!(fit(&[], &[]).bias, 0.0);
    }
}
