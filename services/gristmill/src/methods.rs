//! `gristmill methods`: the extraction methods with their papers, parameters and costs.

use std::io::Write;

use gristmill_extract::{Method, MethodInfo, layout_methods, methods};

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
