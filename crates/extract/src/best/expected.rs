//! The F1 that the most probable rows of a page are expected to have.

/// How a page may turn out: the eighths of a standard normal distribution, each by its middle.
const STATES: [f32; 8] = [-1.534_12, -0.887_15, -0.488_78, -0.157_31, 0.157_31, 0.488_78, 0.887_15, 1.534_12];
/// What one standard deviation adds to the log odds of all rows.
const SPREAD: f32 = 2.6;
/// By how much the log odds of a row are larger once the state is known.
const SURER: f32 = 1.83;
/// So many rows are main text or not as a whole: those that leave the most open.
const OPEN: usize = 2;
/// No row is surer than this.
const UNSURE: f32 = 1e-4;
/// Rows that are less likely are never the last that is kept, and count as one; but for the likeliest of all.
const UNLIKELY: f32 = 0.02;

/// A number for each state of the page.
type States = [f32; STATES.len()];
/// A number for each outcome of the open rows, which are its bits.
type Outcomes = [f32; 1 << OPEN];

/// For each of the most probable rows the expected word F of weight `beta` if it and all before it are kept; `rows` are
/// (probability, words), the likeliest first. With a `beta` above 1 what is left out counts more than what is too much.
///
/// The plug-in rule, 2·Σpw ∕ (Σw + S) with S the expected words of main text, takes each row for itself. It errs where one doubt
/// concerns many words: a row of 100,000 words and a probability of .2 is kept, for it outweighs all others, though it spoils
/// the page four times in five. Here all rows of a page share an intercept that is not known, the two rows with the largest
/// p·(1 − p)·w² are main text or not as a whole, and F is the mean over these 32 cases. O(rows).
///
/// Source: ours; the plug-in rule is that of Lewis (SIGIR 1995). What each gives stands in `docs/best.md`.
pub(super) fn expected_f(rows: &[(f32, f32)], beta: f32) -> Vec<f32> {
    let likely = rows.partition_point(|&(p, _)| p >= UNLIKELY).max(rows.len().min(1));
    let (likely, others) = rows.split_at(likely);
    let factors = STATES.map(|state| (SPREAD * state).exp());
    let rows = with_open(likely, &factors);
    let mut chance = [[1.0 / STATES.len() as f32; STATES.len()]; 1 << OPEN];
    let mut all = Sums::default();
    let words: f32 = others.iter().map(|(_, words)| words).sum();
    let main: f32 = others.iter().map(|(p, words)| p * words).sum();
    all.add(&Row::new(main / words.max(1.0), words, &factors));
    for row in &rows {
        all.add(row);
        row.weigh(&mut chance);
    }
    let (mut right, mut kept) = (Sums::default(), 0.0);
    let f = |row: &Row| {
        right.add(row);
        kept += row.words;
        mean_f(&chance, &right, &all, kept, beta * beta)
    };
    rows.iter().map(f).collect()
}

/// `weight` is that of what is left out against what is too much, beta².
fn mean_f(chance: &[States; 1 << OPEN], right: &Sums, all: &Sums, kept: f32, weight: f32) -> f32 {
    let mut mean = States::default();
    for (outcome, chance) in chance.iter().enumerate() {
        let (right_open, rest) = (right.open[outcome], kept + weight * all.open[outcome]);
        for state in 0..STATES.len() {
            mean[state] += chance[state] * (1.0 + weight) * (right.closed[state] + right_open)
                / (rest + weight * all.closed[state]);
        }
    }
    mean.iter().sum()
}

/// Words of main text among some rows.
#[derive(Default)]
struct Sums {
    closed: States,
    open: Outcomes,
}

impl Sums {
    fn add(&mut self, row: &Row) {
        match row.open {
            None => self.closed.iter_mut().zip(row.in_states).for_each(|(sum, p)| *sum += p * row.words),
            Some(open) => (0..1 << OPEN)
                .filter(|outcome| outcome >> open & 1 == 1)
                .for_each(|outcome| self.open[outcome] += row.words),
        }
    }
}

struct Row {
    words: f32,
    /// The probability in each state.
    in_states: States,
    /// Which of the open rows it is.
    open: Option<usize>,
}

/// `factors` are what the states make of the odds.
fn with_open(rows: &[(f32, f32)], factors: &States) -> Vec<Row> {
    let mut all: Vec<Row> = rows.iter().map(|&(p, words)| Row::new(p, words, factors)).collect();
    for open in 0..OPEN.min(rows.len()) {
        let left = (0..rows.len()).filter(|&at| all[at].open.is_none());
        let doubt = |at: usize| rows[at].0 * (1.0 - rows[at].0) * rows[at].1 * rows[at].1;
        // The first of equals.
        let most = left.max_by(|&a, &b| doubt(a).total_cmp(&doubt(b)).then(b.cmp(&a)));
        most.into_iter().for_each(|at| all[at].open = Some(open));
    }
    all
}

impl Row {
    fn new(p: f32, words: f32, factors: &States) -> Row {
        let p = p.clamp(UNSURE, 1.0 - UNSURE);
        let odds = (p / (1.0 - p)).powf(SURER);
        Row { words, in_states: factors.map(|factor| odds * factor / (1.0 + odds * factor)), open: None }
    }

    /// Makes each case as likely as what it says of this row, if that is an open one.
    fn weigh(&self, chance: &mut [States; 1 << OPEN]) {
        let Some(open) = self.open else { return };
        for (outcome, chance) in chance.iter_mut().enumerate() {
            let is_main = outcome >> open & 1 == 1;
            chance.iter_mut().zip(self.in_states).for_each(|(chance, p)| *chance *= if is_main { p } else { 1.0 - p });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(rows: &[(f32, f32)]) -> usize {
        kept_at(rows, 1.0)
    }

    fn kept_at(rows: &[(f32, f32)], beta: f32) -> usize {
        let expected = expected_f(rows, beta);
        assert!(expected.iter().all(|f1| (0.0..=1.0).contains(f1)), "{expected:?}");
        let best = (0..expected.len()).max_by(|&a, &b| expected[a].total_cmp(&expected[b]).then(b.cmp(&a)));
        best.map_or(0, |best| best + 1)
    }

    #[test]
    fn sure_rows_are_kept_and_unlikely_ones_are_not() {
        assert_eq!(kept(&[]), 0);
        assert_eq!(kept(&[(0.98, 50.0), (0.97, 30.0), (0.9, 40.0), (0.04, 50.0), (0.01, 60.0)]), 3);
        let sure = expected_f(&[(1.0, 10.0), (0.02, 10.0), (0.0, 10.0)], 1.0);
        assert!(sure[0] > 0.98 && (sure[1] - 2.0 / 3.0).abs() < 0.02 && sure.len() == 2, "{sure:?}");
    }

    #[test]
    fn one_row_of_doubtful_text_does_not_outweigh_a_page() {
        let rows = [(0.95, 300.0), (0.9, 300.0), (0.2, 100_000.0)];
        assert_eq!(kept(&rows), 2);
        // Taken for itself, each of its words counts a fifth.
        let plug_in = |kept: usize| {
            let sum = |rows: &[(f32, f32)]| rows.iter().map(|(p, words)| p * words).sum::<f32>();
            2.0 * sum(&rows[..kept]) / (rows[..kept].iter().map(|(_, words)| words).sum::<f32>() + sum(&rows))
        };
        assert!(plug_in(3) > plug_in(2));
    }

    #[test]
    fn what_is_left_out_counts_more_with_a_larger_weight() {
        let rows = [(0.97, 300.0), (0.7, 100.0), (0.4, 100.0), (0.25, 100.0), (0.03, 300.0)];
        let kept = [0.5, 1.0, 2.0].map(|beta| kept_at(&rows, beta));
        assert!(kept[0] < kept[1] && kept[1] < kept[2], "{kept:?}");
    }

    #[test]
    fn where_little_is_likely_less_likely_rows_are_kept_too() {
        let doubtful: Vec<(f32, f32)> = (0..40).map(|at| (0.4 - 0.004 * at as f32, 20.0)).collect();
        assert!(kept(&doubtful) > 30);
        let mut with_sure = vec![(0.99, 2_000.0)];
        with_sure.extend(&doubtful);
        assert_eq!(kept(&with_sure), 1);
    }
}
