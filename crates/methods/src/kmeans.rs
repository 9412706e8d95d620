//! Three clusters in the plane, one of them pinned at the origin.

/// A point; a second coordinate of 0 makes it one-dimensional.
pub(super) type Point = [f64; 2];

/// Which cluster each point belongs to, and where their centres are.
pub(super) struct Clusters {
    /// 0 is the pinned cluster. If all points are kept, none is in it.
    pub of_point: Vec<u8>,
    pub centres: [Point; 3],
    pub iterations: usize,
}

const MAX_ITERATIONS: usize = 100;

/// k-means with k = 3 and one centre that stays at the origin.
///
/// Deterministic: the others start at the points of median and of largest norm; a point as near to two centres belongs
/// to the first; an empty cluster keeps its centre. Fewer than three points, or all at the origin: none is pinned.
/// O(n log n + 100 · n).
pub(super) fn pinned_clusters(points: &[Point]) -> Clusters {
    let n = points.len();
    let square = |point: &Point| point[0] * point[0] + point[1] * point[1];
    if n < 3 || points.iter().all(|point| square(point) == 0.0) {
        return Clusters { of_point: vec![1; n], centres: [[0.0; 2]; 3], iterations: 0 };
    }
    let mut by_norm: Vec<u32> = (0..n as u32).collect();
    by_norm.sort_by(|&a, &b| square(&points[a as usize]).total_cmp(&square(&points[b as usize])));
    let seed = |place: usize| points[by_norm[place] as usize];
    let mut clusters = Clusters { of_point: vec![0; n], centres: [[0.0; 2], seed(n / 2), seed(n - 1)], iterations: 0 };
    while clusters.iterations < MAX_ITERATIONS {
        clusters.iterations += 1;
        let moved = clusters.assign(points);
        if !moved && clusters.iterations > 1 {
            break;
        }
        clusters.move_centres(points);
    }
    clusters
}

impl Clusters {
    /// Whether any point changed its cluster.
    fn assign(&mut self, points: &[Point]) -> bool {
        let mut moved = false;
        for (point, cluster) in points.iter().zip(&mut self.of_point) {
            let distance = |centre: &Point| (point[0] - centre[0]).powi(2) + (point[1] - centre[1]).powi(2);
            let [zero, one, two] = [0, 1, 2].map(|at: usize| distance(&self.centres[at]));
            let nearest = if one < zero { if two < one { 2 } else { 1 } } else { u8::from(two < zero) * 2 };
            moved |= *cluster != nearest;
            *cluster = nearest;
        }
        moved
    }

    fn move_centres(&mut self, points: &[Point]) {
        let mut sums = [[0.0; 3]; 3];
        for (point, &cluster) in points.iter().zip(&self.of_point) {
            let sum = &mut sums[usize::from(cluster)];
            sum[0] += point[0];
            sum[1] += point[1];
            sum[2] += 1.0;
        }
        for (centre, sum) in self.centres.iter_mut().zip(sums).skip(1).filter(|(_, sum)| sum[2] > 0.0) {
            *centre = [sum[0] / sum[2], sum[1] / sum[2]];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_groups_are_found_and_the_one_at_the_origin_stays_there() {
        let points = [[0.1, 0.0], [5.0, 5.0], [5.2, 5.0], [20.0, 1.0], [0.0, 0.2], [21.0, 1.0]];
        let clusters = pinned_clusters(&points);
        assert_eq!(clusters.of_point, [0, 1, 1, 2, 0, 2]);
        assert_eq!(clusters.centres, [[0.0, 0.0], [5.1, 5.0], [20.5, 1.0]]);
    }

    #[test]
    fn too_few_points_or_none_away_from_the_origin_pin_nothing() {
        assert_eq!(pinned_clusters(&[[0.0, 0.0], [9.0, 9.0]]).of_point, [1, 1]);
        assert_eq!(pinned_clusters(&[[0.0, 0.0]; 4]).of_point, [1; 4]);
    }
}
