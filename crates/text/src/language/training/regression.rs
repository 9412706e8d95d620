//! Softmax regression over hashed n-grams, one line at a time, with steps that shrink row by row (Adagrad).

use crate::language::ngrams::{for_each_ngram, row_of};
use crate::language::scorer::softmax;

const FIRST_RATE: f32 = 0.3;
const LAST_RATE: f32 = 0.02;
/// The share of weights that one byte holds exactly; the few beyond are cut.
const CUT_AT: f64 = 0.9999;
/// Holds back the first steps of a row.
const FIRST_SQUARE: f32 = 0.001;
/// A line of this probability teaches no more: half of the time is spent on such.
const LEARNT: f32 = 0.998;
const LANES: usize = 16;

/// The scale and the weights, a row for each hash and in it a number for each class.
pub(super) fn fit(lines: &[(u16, String)], n_classes: usize, n_rows: usize, rounds: usize) -> (f32, Vec<i8>) {
    let mut fitted = Regression::new(n_classes, n_rows);
    let n_steps = (lines.len() * rounds).max(1);
    for step in 0..n_steps {
        let (class, line) = &lines[step % lines.len()];
        let rate = FIRST_RATE + (LAST_RATE - FIRST_RATE) * (step as f32 / n_steps as f32);
        fitted.learn(usize::from(*class), line, rate);
    }
    fitted.in_bytes()
}

struct Regression {
    n_classes: usize,
    n_rows: usize,
    width: usize,
    weights: Vec<f32>,
    /// Sum of the squares of the gradients of each row, as a mean over the classes.
    squares: Vec<f32>,
    rows: Vec<usize>,
    letters: Vec<char>,
    scores: Vec<f32>,
}

impl Regression {
    fn new(n_classes: usize, n_rows: usize) -> Regression {
        let width = n_classes.next_multiple_of(LANES);
        Regression {
            n_classes,
            n_rows,
            width,
            weights: vec![0.0; n_rows * width],
            squares: vec![FIRST_SQUARE; n_rows],
            rows: Vec::new(),
            letters: Vec::new(),
            scores: vec![0.0; width],
        }
    }

    fn learn(&mut self, class: usize, line: &str, rate: f32) {
        self.letters.clear();
        self.letters.extend(line.chars());
        self.rows.clear();
        let (rows, n_rows) = (&mut self.rows, self.n_rows);
        for_each_ngram(&self.letters, |hash| rows.push(row_of(hash, n_rows)));
        if rows.is_empty() {
            return;
        }
        let factor = 1.0 / (rows.len() as f32).sqrt();
        self.scores.fill(0.0);
        for row in &self.rows {
            add(&mut self.scores, &self.weights[row * self.width..][..self.width], 1.0);
        }
        self.scores.iter_mut().for_each(|score| *score *= factor);
        softmax(&mut self.scores[..self.n_classes]);
        self.scores[self.n_classes..].fill(0.0);
        if self.scores[class] > LEARNT {
            return;
        }
        self.scores[class] -= 1.0;
        self.scores.iter_mut().for_each(|gradient| *gradient *= factor);
        let square = self.scores.iter().map(|gradient| gradient * gradient).sum::<f32>() / self.n_classes as f32;
        for row in &self.rows {
            self.squares[*row] += square;
            let step = -rate / self.squares[*row].sqrt();
            add(&mut self.weights[row * self.width..][..self.width], &self.scores, step);
        }
    }

    fn in_bytes(&self) -> (f32, Vec<i8>) {
        let rows = || self.weights.chunks_exact(self.width).flat_map(|row| &row[..self.n_classes]);
        let mut sizes: Vec<f32> = rows().map(|weight| weight.abs()).collect();
        let at = ((sizes.len() as f64 * CUT_AT) as usize).min(sizes.len() - 1);
        let most = *sizes.select_nth_unstable_by(at, f32::total_cmp).1;
        let scale = most.max(f32::MIN_POSITIVE) / f32::from(i8::MAX);
        (scale, rows().map(|weight| (weight / scale).round().clamp(-127.0, 127.0) as i8).collect())
    }
}

/// Adds `factor` times `other`, sixteen numbers at a time.
fn add(sums: &mut [f32], other: &[f32], factor: f32) {
    for (sums, other) in sums.as_chunks_mut::<LANES>().0.iter_mut().zip(other.as_chunks::<LANES>().0) {
        sums.iter_mut().zip(other).for_each(|(sum, other)| *sum += factor * other);
    }
}
