//! What is told of a model.

use std::collections::{BTreeMap, HashSet};
use std::fmt::Write;

use gristmill_models::RENDERING;
use gristmill_reading::need::{NAMES, THRESHOLD};

use super::sample::RenderSample;

/// Prints what was drawn of which pages, by models that had not seen their sites.
pub fn print(judged: &[(&RenderSample, f32, f64)]) {
    let mut classes: BTreeMap<(&str, bool), (usize, usize)> = BTreeMap::new();
    for (sample, p, _) in judged {
        let counts = classes.entry((sample.class, sample.needs)).or_default();
        counts.0 += 1;
        counts.1 += usize::from(*p >= THRESHOLD);
    }
    let sites: HashSet<&str> = judged.iter().map(|(sample, ..)| sample.site.as_str()).collect();
    println!("{} pages with scripts, of {} sites, by sites that were not seen:", judged.len(), sites.len());
    for ((class, needs), (n, drawn)) in &classes {
        let kind = if *needs { "needs one" } else { "needs none" };
        println!("  {class:<10}{kind:<12}{n:>6} pages, {drawn:>5} drawn");
    }
    for threshold in [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8] {
        let of = |needs: bool| judged.iter().filter(|(sample, p, _)| sample.needs == needs && *p >= threshold).count();
        let (hit, vain) = (of(true), of(false));
        let all = judged.iter().filter(|(sample, ..)| sample.needs).count();
        let (recall, in_vain) = (hit as f64 / all as f64, vain as f64 / (hit + vain) as f64);
        println!(
            "  from {threshold:.2}: recall {recall:.3}; of all that is drawn, in vain {in_vain:.3} ({vain} pages)"
        );
    }
    let mut seconds: Vec<f64> = judged.iter().map(|(.., seconds)| *seconds).collect();
    seconds.sort_by(f64::total_cmp);
    let at = |share: f64| seconds[((seconds.len() - 1) as f64 * share) as usize] * 1e6;
    let mean = seconds.iter().sum::<f64>() / seconds.len() as f64 * 1e6;
    println!("  decision: mean {mean:.1} µs, median {:.1}, 95 % {:.1}, longest {:.1}", at(0.5), at(0.95), at(1.0));
}

/// Prints the pages that were judged wrongly.
pub fn errors(judged: &[(&RenderSample, f32, f64)]) {
    for (sample, p, _) in judged.iter().filter(|(sample, p, _)| (*p >= THRESHOLD) != sample.needs) {
        let values = NAMES.iter().zip(sample.features.values).map(|(name, value)| format!("{name} {value:.2}"));
        let values: Vec<String> = values.collect();
        println!("{}\t{}\t{}\t{p:.3}\t{}", sample.name, sample.class, sample.needs, values.join(", "));
    }
}

/// What the file of the model says of itself.
pub fn card<'s>(samples: impl Iterator<Item = &'s RenderSample>) -> String {
    let mut sources: BTreeMap<&(String, String), usize> = BTreeMap::new();
    samples.for_each(|sample| *sources.entry(&sample.source).or_default() += 1);
    let mut text = format!(
        "{}: {}\nMade by `gristmill-lab train rendering`.\nTrained on {} pages, some of them made \
         from others (docs/rendering.md):\n",
        RENDERING.name,
        RENDERING.purpose,
        sources.values().sum::<usize>()
    );
    for ((package, licence), n) in sources {
        let _ = writeln!(text, "* {package}, {licence}: {n} pages");
    }
    text
}
