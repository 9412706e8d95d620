//! Small plots of what a crawl did over time, as pictures within the page.

use std::fmt::Write as _;

use crate::html::HtmlWriter;
use crate::status::TimelineView;

const WIDTH: f64 = 600.0;
const HEIGHT: f64 = 100.0;
/// Colours of stages, in the style sheet.
const COLOURS: [&str; 5] = ["first", "second", "third", "fourth", "fifth"];

/// Writes pages, queue and processor time of a timeline, if it has more than one step.
pub(super) fn timeline(html: &mut HtmlWriter, title: &'static str, view: &TimelineView) {
    if view.pages.len() < 2 {
        return;
    }
    let ago = duration(view.step_seconds.saturating_mul(view.pages.len() as u64));
    let step = view.step_seconds.max(1) as f64;
    let pages: Vec<f64> = view.pages.iter().map(|pages| pages / step).collect();
    let cpu = |seconds: &Vec<f64>| seconds.iter().map(|seconds| seconds / step).collect();
    let cpu: Vec<(String, Vec<f64>)> =
        view.cpu_seconds.iter().map(|(stage, seconds)| (stage.clone(), cpu(seconds))).collect();
    html.raw("<h2>").raw(title).raw("</h2><div class=\"plots\">");
    columns(html, "Pages a second", &[(String::new(), pages)], &ago);
    columns(html, "Waiting", &[(String::new(), view.queued.clone())], &ago);
    columns(html, "Processors by stage", &cpu, &ago);
    html.raw("</div>");
}

/// One column for each step, in which the series stand above one another.
fn columns(html: &mut HtmlWriter, title: &'static str, series: &[(String, Vec<f64>)], ago: &str) {
    let n_steps = series.iter().map(|(_, values)| values.len()).max().unwrap_or(0);
    let value = |values: &[f64], step: usize| values.get(step).copied().unwrap_or(0.0);
    let sum = |step: usize| series.iter().map(|(_, values)| value(values, step)).sum::<f64>();
    let most = (0..n_steps).map(sum).fold(0.0, f64::max);
    let width = WIDTH / n_steps.max(1) as f64;
    let label = format!("{title}: {} at most, from {ago} ago until now", short(most));
    html.raw("<figure class=\"plot bars\"><svg").attr("viewBox", &format!("0 0 {WIDTH} {HEIGHT}"));
    html.raw(" preserveAspectRatio=\"none\" role=\"img\"").attr("aria-label", &label).raw(">");
    let mut floors = vec![HEIGHT; n_steps];
    for ((_, values), colour) in series.iter().zip(COLOURS) {
        let mut path = String::new();
        for (step, floor) in floors.iter_mut().enumerate().filter(|_| most > 0.0) {
            let height = value(values, step) / most * HEIGHT;
            if height > 0.0 {
                let (left, top) = (step as f64 * width, *floor - height);
                let _ = write!(path, "M{left:.1} {floor:.1}V{top:.1}h{:.1}V{floor:.1}Z", width * 0.85);
                *floor = top;
            }
        }
        html.raw("<path").attr("class", colour).attr("d", &path).raw("/>");
    }
    html.raw("</svg><figcaption><b>").raw(title).raw("</b><span>").text(&short(most)).raw(" at most</span><span>");
    html.text(ago).raw(" ago to now</span>");
    for ((name, _), colour) in series.iter().zip(COLOURS).filter(|((name, _), _)| !name.is_empty()) {
        html.raw("<span><i").attr("class", colour).raw("></i>").text(name).raw("</span>");
    }
    html.raw("</figcaption></figure>");
}

/// A number with as many digits as a reader needs.
fn short(number: f64) -> String {
    match number {
        0.0 => "0".to_owned(),
        _ if number < 10.0 && number.fract() != 0.0 => format!("{number:.2}"),
        _ => format!("{number:.0}"),
    }
}

/// A time in the largest unit that says enough.
pub fn duration(seconds: u64) -> String {
    match seconds {
        0..120 => format!("{seconds} s"),
        120..7_200 => format!("{} min", seconds / 60),
        _ => format!("{} h", seconds / 3_600),
    }
}
