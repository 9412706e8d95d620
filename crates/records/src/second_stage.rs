//! The second look of the accept model: what the first look thought of a candidate's group, neighbours and rivals.

use crate::hash::Map;

/// Names of what the second look adds.
pub(crate) const SECOND: [&str; 14] = [
    "first",
    "group mean",
    "group most",
    "group share",
    "family mean",
    "family most",
    "family share",
    "before",
    "after",
    "rival by name",
    "rival by value",
    "same name",
    "page sum",
    "page most",
];

/// Which candidates belong together: all that the second look needs beside the probabilities of the first.
#[derive(Debug)]
pub(crate) struct CandidateGrouping {
    pub(crate) group_of: Vec<u32>,
    pub(crate) n_groups: usize,
    pub(crate) family_of: Vec<u32>,
    pub(crate) n_families: usize,
    /// Start of the name in the text.
    pub(crate) names: Vec<u32>,
    /// Start of the value.
    pub(crate) values: Vec<u32>,
    /// Hash of the folded name.
    pub(crate) hashes: Vec<u64>,
}

impl CandidateGrouping {
    /// What the second look adds to the features of the first: how likely the first look found the candidate, its
    /// group, its family, its neighbours, its rivals for the same text, and the page. Same order as [`SECOND`].
    pub(crate) fn second(&self, first: &[f32]) -> Vec<[f32; SECOND.len()]> {
        let by_group = Spread::of(&self.group_of, self.n_groups, first);
        let by_family = Spread::of(&self.family_of, self.n_families, first);
        let (names, values) = (rivals(&self.names, first), rivals(&self.values, first));
        let hashes = rivals(&self.hashes, first);
        let page: f32 = first.iter().sum();
        let most = first.iter().copied().fold(0.0, f32::max);
        let neighbours = neighbours(&self.group_of, self.n_groups, first);
        (0..first.len())
            .map(|n| {
                let (group, family) = (by_group[self.group_of[n] as usize], by_family[self.family_of[n] as usize]);
                let (before, after) = neighbours[n];
                [
                    first[n],
                    group.mean(first[n]),
                    group.most,
                    group.share,
                    family.mean(first[n]),
                    family.most,
                    family.share,
                    before,
                    after,
                    names[n],
                    values[n],
                    hashes[n],
                    page,
                    most,
                ]
            })
            .collect()
    }
}

/// Probabilities of one group.
#[derive(Debug, Clone, Copy, Default)]
struct Spread {
    n: f32,
    sum: f32,
    most: f32,
    share: f32,
}

impl Spread {
    fn of(group_of: &[u32], n_groups: usize, first: &[f32]) -> Vec<Spread> {
        let mut spreads = vec![Spread::default(); n_groups];
        for (&group, &p) in group_of.iter().zip(first) {
            let spread = &mut spreads[group as usize];
            spread.n += 1.0;
            spread.sum += p;
            spread.most = spread.most.max(p);
            spread.share += f32::from(u8::from(p > 0.4));
        }
        spreads.iter_mut().for_each(|spread| spread.share /= spread.n.max(1.0));
        spreads
    }

    /// The mean of the others; −1 for one alone.
    fn mean(self, own: f32) -> f32 {
        if self.n > 1.0 { (self.sum - own) / (self.n - 1.0) } else { -1.0 }
    }
}

/// The likeliest other candidate with the same key; 0 without one.
fn rivals<K: std::hash::Hash + Eq + Copy>(keys: &[K], first: &[f32]) -> Vec<f32> {
    let mut best: Map<K, (f32, f32)> = Map::default();
    for (&key, &p) in keys.iter().zip(first) {
        let (one, two) = best.entry(key).or_insert((0.0, 0.0));
        if p > *one {
            (*one, *two) = (p, *one);
        } else if p > *two {
            *two = p;
        }
    }
    let other = |(key, &p): (&K, &f32)| {
        let (one, two) = best[key];
        if p >= one { two } else { one }
    };
    keys.iter().zip(first).map(other).collect()
}

/// The probabilities of the candidates before and after each one in its group; −1 at the ends.
fn neighbours(group_of: &[u32], n_groups: usize, first: &[f32]) -> Vec<(f32, f32)> {
    let mut out = vec![(-1.0, -1.0); first.len()];
    let mut last: Vec<Option<usize>> = vec![None; n_groups];
    for (n, &group) in group_of.iter().enumerate() {
        if let Some(before) = last[group as usize].replace(n) {
            out[n].0 = first[before];
            out[before].1 = first[n];
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_candidate_sees_its_group_its_neighbours_and_its_rivals() {
        let shape = CandidateGrouping {
            group_of: vec![0, 0, 0, 1],
            n_groups: 2,
            family_of: vec![0; 4],
            n_families: 1,
            names: vec![10, 20, 30, 20],
            values: vec![15, 25, 35, 26],
            hashes: vec![1, 2, 3, 2],
        };
        let seen = shape.second(&[0.9, 0.2, 0.7, 0.6]);
        let of = |n: usize, name: &str| seen[n][SECOND.iter().position(|own| *own == name).unwrap()];
        assert!((of(1, "group mean") - 0.8).abs() < 1e-6 && of(3, "group mean") == -1.0);
        assert_eq!((of(1, "before"), of(1, "after"), of(0, "before")), (0.9, 0.7, -1.0));
        assert_eq!((of(1, "rival by name"), of(3, "rival by name"), of(1, "rival by value")), (0.6, 0.2, 0.0));
        assert!((of(0, "page sum") - 2.4).abs() < 1e-6 && of(0, "page most") == 0.9);
    }
}
