//! Scatter plots as inline SVG, with a label at every point.

use std::fmt::Write as _;

use super::html::escape;

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 440.0;
const LEFT: f64 = 56.0;
const RIGHT: f64 = 24.0;
const TOP: f64 = 14.0;
const BOTTOM: f64 = 48.0;
/// About the width of a character of a label; labels only must not overlap, so about is enough.
const CHAR: f64 = 6.6;
const LABEL_HEIGHT: f64 = 12.0;

/// One system.
pub(super) struct Point {
    pub x: f64,
    pub y: f64,
    pub label: String,
    /// Whether it is one of ours.
    pub own: bool,
}

/// Range, direction of the numbers and name of an axis.
pub(super) struct PlotAxis {
    pub name: &'static str,
    low: f64,
    high: f64,
    log: bool,
    ticks: Vec<(f64, String)>,
}

impl PlotAxis {
    /// Shares from 0 to 1: as much of it as the values need.
    pub fn share(name: &'static str, values: impl Iterator<Item = f64>) -> PlotAxis {
        let (low, high) = range(values);
        let (low, high) = ((low * 10.0 - 0.3).floor() / 10.0, (high * 10.0 + 0.3).ceil() / 10.0);
        let (low, high) = (low.clamp(0.0, 0.9), high.clamp(0.1, 1.0));
        let step = if high - low > 0.5 { 0.1 } else { 0.05 };
        let n = ((high - low) / step).round() as usize;
        let ticks = (0..=n).map(|n| low + n as f64 * step).map(|value| (value, format!("{value:.2}"))).collect();
        PlotAxis { name, low, high, log: false, ticks }
    }

    /// Positive values on a logarithmic scale, whole decades.
    pub fn log(name: &'static str, values: impl Iterator<Item = f64>) -> PlotAxis {
        let (low, high) = range(values.map(|value| value.max(1e-9).log10()));
        let (low, high) = ((low - 0.1).floor(), (high + 0.1).ceil());
        let decades = (0..=(high - low).round() as i32).map(|n| low as i32 + n);
        let ticks = decades.map(|decade| (f64::from(decade), decimal(decade))).collect();
        PlotAxis { name, low, high, log: true, ticks }
    }

    /// 0 to 1 along the axis.
    fn place(&self, value: f64) -> f64 {
        let value = if self.log { value.max(1e-9).log10() } else { value };
        self.place_of_tick(value)
    }

    fn place_of_tick(&self, value: f64) -> f64 {
        ((value - self.low) / (self.high - self.low)).clamp(0.0, 1.0)
    }
}

fn range(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let (low, high) = values.fold((f64::MAX, f64::MIN), |(low, high), value| (low.min(value), high.max(value)));
    if low > high { (0.0, 1.0) } else { (low, high) }
}

fn decimal(decade: i32) -> String {
    if (-3..=5).contains(&decade) { format!("{}", 10f64.powi(decade)) } else { format!("10^{decade}") }
}

/// The plot; `iso` draws curves of equal F1 when both axes are shares.
pub(super) fn scatter(points: &[Point], x: &PlotAxis, y: &PlotAxis, iso: bool) -> String {
    let at = |point: &Point| (horizontal(x.place(point.x)), vertical(y.place(point.y)));
    let mut out =
        format!("<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{} against {}\">", y.name, x.name);
    axes(&mut out, x, y);
    if iso {
        iso_curves(&mut out, x, y);
    }
    let places: Vec<(f64, f64)> = points.iter().map(at).collect();
    let labels = place_labels(points, &places);
    for ((point, (px, py)), (lx, ly)) in points.iter().zip(&places).zip(&labels) {
        let (cx, cy) = (lx + width(point) / 2.0, ly - LABEL_HEIGHT / 3.0);
        if (cx - px).abs() > width(point) / 2.0 + 12.0 || (cy - py).abs() > 20.0 {
            let _ = write!(out, "<line class=\"leader\" x1=\"{px:.1}\" y1=\"{py:.1}\" x2=\"{cx:.1}\" y2=\"{cy:.1}\"/>");
        }
    }
    for ((point, (px, py)), (lx, ly)) in points.iter().zip(&places).zip(&labels) {
        let (class, label) = (if point.own { "own" } else { "other" }, escape(&point.label));
        let _ = write!(
            out,
            "<circle class=\"{class}\" cx=\"{px:.1}\" cy=\"{py:.1}\" r=\"5\"><title>{label}: {} {}, {} {}</title></circle>\
             <text x=\"{lx:.1}\" y=\"{ly:.1}\">{label}</text>",
            x.name,
            short(point.x),
            y.name,
            short(point.y)
        );
    }
    out.push_str("</svg>");
    out
}

fn short(value: f64) -> String {
    if value.abs() < 0.01 || value.abs() >= 100.0 { format!("{value:.3e}") } else { format!("{value:.3}") }
}

fn horizontal(share: f64) -> f64 {
    LEFT + share * (WIDTH - LEFT - RIGHT)
}

fn vertical(share: f64) -> f64 {
    HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM)
}

fn axes(out: &mut String, x: &PlotAxis, y: &PlotAxis) {
    let (bottom, right) = (HEIGHT - BOTTOM, WIDTH - RIGHT);
    for (value, label) in &x.ticks {
        let px = horizontal(x.place_of_tick(*value));
        let _ = write!(
            out,
            "<path class=\"grid\" d=\"M{px:.1} {TOP}V{bottom}\"/>\
             <text class=\"quiet\" x=\"{px:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{label}</text>",
            bottom + 17.0
        );
    }
    for (value, label) in &y.ticks {
        let py = vertical(y.place_of_tick(*value));
        let _ = write!(
            out,
            "<path class=\"grid\" d=\"M{LEFT} {py:.1}H{right}\"/>\
             <text class=\"quiet\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{label}</text>",
            LEFT - 8.0,
            py + 4.0
        );
    }
    let middle = vertical(0.5);
    let _ = write!(
        out,
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>\
         <text x=\"14\" y=\"{middle:.1}\" text-anchor=\"middle\" transform=\"rotate(-90 14 {middle:.1})\">{}</text>",
        horizontal(0.5),
        HEIGHT - 8.0,
        x.name,
        y.name
    );
}

/// P = F·R / (2R − F): where F1 is .5, .6 … .9.
fn iso_curves(out: &mut String, x: &PlotAxis, y: &PlotAxis) {
    for tenth in 4..=9 {
        let f1 = f64::from(tenth) / 10.0;
        let mut path = String::new();
        for step in 0..=200 {
            let recall = x.low + (x.high - x.low) * f64::from(step) / 200.0;
            let precision = f1 * recall / (2.0 * recall - f1);
            if 2.0 * recall > f1 && (y.low..=y.high).contains(&precision) {
                let verb = if path.is_empty() { 'M' } else { 'L' };
                let _ = write!(path, "{verb}{:.1} {:.1}", horizontal(x.place(recall)), vertical(y.place(precision)));
            }
        }
        if let Some((end_x, end_y)) = path.rsplit('L').next().and_then(|end| end.split_once(' ')) {
            let _ = write!(
                out,
                "<path class=\"iso\" d=\"{path}\"/><text class=\"quiet\" x=\"{end_x}\" y=\"{end_y}\" dx=\"-4\" dy=\"-4\" \
                 text-anchor=\"end\">F1 {f1:.1}</text>"
            );
        }
    }
}

fn width(point: &Point) -> f64 {
    point.label.chars().count() as f64 * CHAR
}

/// Where each label begins (left end of its base line): the first of some places around the point, ever farther out,
/// that meets no point and no label placed before.
fn place_labels(points: &[Point], places: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let mut taken: Vec<[f64; 4]> = places.iter().map(|(x, y)| [x - 5.0, y - 5.0, x + 5.0, y + 5.0]).collect();
    let mut labels = Vec::new();
    for (point, &(x, y)) in points.iter().zip(places) {
        let width = width(point);
        let around = (0..14).flat_map(|ring| {
            let far = f64::from(ring) * LABEL_HEIGHT;
            [
                (x + 8.0, y + 4.0 - far),
                (x + 8.0, y + 4.0 + far),
                (x - 8.0 - width, y + 4.0 - far),
                (x - 8.0 - width, y + 4.0 + far),
                (x - width / 2.0, y - 9.0 - far),
                (x - width / 2.0, y + 17.0 + far),
            ]
        });
        let of_label = |(lx, ly): (f64, f64)| [lx, ly - LABEL_HEIGHT + 2.0, lx + width, ly + 2.0];
        let inside = |b: &[f64; 4]| b[0] >= LEFT && b[1] >= 0.0 && b[2] <= WIDTH && b[3] <= HEIGHT - BOTTOM;
        let meets = |a: &[f64; 4], b: &[f64; 4]| a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];
        let free = |place: &(f64, f64)| {
            let label = of_label(*place);
            inside(&label) && !taken.iter().any(|other| meets(&label, other))
        };
        let place = around.into_iter().find(free).unwrap_or((x + 8.0, y + 4.0));
        taken.push(of_label(place));
        labels.push(place);
    }
    labels
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_of_points_at_one_place_do_not_cover_each_other() {
        let point = |n: usize| Point { x: 0.5, y: 0.5 + n as f64 * 1e-3, label: format!("system {n}"), own: true };
        let points: Vec<Point> = (0..8).map(point).collect();
        let labels = place_labels(&points, &[(300.0, 200.0); 8]);
        for (n, a) in labels.iter().enumerate() {
            for b in &labels[..n] {
                assert!((a.1 - b.1).abs() >= LABEL_HEIGHT || (a.0 - b.0).abs() >= width(&points[0]), "{a:?} {b:?}");
            }
        }
    }

    #[test]
    fn axes_hold_their_values_and_have_ticks() {
        let axis = PlotAxis::share("P", [0.63, 0.91].into_iter());
        assert!(axis.low <= 0.63 && axis.high >= 0.91 && axis.ticks.len() >= 4, "{:?}", axis.ticks);
        let axis = PlotAxis::log("s", [0.002, 30.0].into_iter());
        assert_eq!((axis.low, axis.high), (-3.0, 2.0));
        let none = PlotAxis::share("P", std::iter::empty());
        assert!(none.low < none.high);
        for log in [PlotAxis::log("s", std::iter::once(0.0)), PlotAxis::log("s", std::iter::empty())] {
            assert!(log.low < log.high && log.place(0.0).is_finite());
        }
    }
}
