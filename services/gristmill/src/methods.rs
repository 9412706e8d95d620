//! `gristmill methods`: the extraction methods with their papers, parameters and costs.

use std::io::Write;

use gristmill_extract::{Method, methods};

/// Prints one block for each method.
pub fn run() -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    for method in methods() {
        let default = if method.name == Method::BEST.name() { "  (default, alias `best`)" } else { "" };
        writeln!(out, "{}{default}", method.name)?;
        writeln!(out, "  paper  {}", method.paper)?;
        writeln!(out, "  cost   {}", method.cost)?;
        for parameter in &method.parameters {
            writeln!(out, "  {:<22} {}", format!("{}={}", parameter.name, parameter.value), parameter.meaning)?;
        }
    }
    writeln!(out, "\nA method with changed parameters is written as in `vsse(t1=0.3,refine=off)`.")?;
    Ok(())
}
