//! `gristmill-lab methods`: the extraction methods with their papers, parameters and costs.

use std::io::Write;

use gristmill_extract::{Method, MethodInfo, layout_methods, methods};
use gristmill_records::PairMethod as RecordMethod;

/// Where a method for product records comes from, and what it may be told.
fn about(method: RecordMethod) -> (&'static str, &'static str) {
    match method {
        RecordMethod::Records => (
            "ours: layout readers over the whole page, a trained model that accepts pairs, schema.org beside them",
            "threshold, dictionary",
        ),
        RecordMethod::Hmm => {
            ("Zhang et al. 2018, §4.3.2, with a stop at the boundary of the area", "rho, signs, monotone, dictionary")
        }
        RecordMethod::HmmLiteral => {
            ("Zhang et al. 2018, §4.3.2, with the stop rule as printed", "signs, monotone, dictionary")
        }
        RecordMethod::Cnbe => {
            ("Zhang et al. 2018: the baseline, naive Bayes co-trained from the dictionary", "dictionary")
        }
    }
}

/// Prints one block for each method.
pub fn run() -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    for method in methods() {
        let default = if method.name == Method::BEST.name() { "  (default, alias `best`)" } else { "" };
        write(&mut out, &method, default)?;
    }
    for method in layout_methods() {
        write(&mut out, &method, "  (only with `--layout` or `--layouts`)")?;
    }
    writeln!(
        out,
        "\nFor product records (setting `records.method`, `gristmill-lab eval --records --method`; docs/records.md):"
    )?;
    for method in RecordMethod::ALL {
        let default = if method == RecordMethod::default() { "  (default)" } else { "" };
        let (paper, parameters) = about(method);
        writeln!(out, "{}{default}\n  paper  {paper}\n  may be told  {parameters}", method.as_str())?;
    }
    writeln!(out, "\nA method with changed parameters is written as in `vsse(t1=0.3,refine=off)`.")?;
    Ok(())
}

fn write(out: &mut impl Write, method: &MethodInfo, note: &str) -> std::io::Result<()> {
    writeln!(out, "{}{note}", method.name)?;
    writeln!(out, "  paper  {}", method.paper)?;
    writeln!(out, "  cost   {}", method.cost)?;
    let mut parameters = method.parameters.iter();
    parameters.try_for_each(|p| writeln!(out, "  {:<22} {}", format!("{}={}", p.name, p.value), p.meaning))
}
