//! `gristmill methods`: the extraction methods with their papers, parameters and costs.

use std::io::Write;

/// Prints one block for each method.
pub fn run() -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    for method in gristmill_extract::methods() {
        let default =
            if method.name == gristmill_extract::Method::BEST.name() { "  (default, alias `best`)" } else { "" };
        writeln!(out, "{}{default}", method.name)?;
        writeln!(out, "  paper       {}", method.paper)?;
        writeln!(out, "  parameters  {}", method.parameters)?;
        writeln!(out, "  cost        {}", method.cost)?;
    }
    Ok(())
}
