//! Which pages a browser draws, as settings say it.

use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Which pages a browser draws.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RenderPolicy {
    /// None.
    #[default]
    Never,
    /// Those to which it would add.
    Auto,
    /// All.
    Always,
}

impl RenderPolicy {
    /// The stable name.
    pub const fn as_str(self) -> &'static str {
        match self {
            RenderPolicy::Never => "never",
            RenderPolicy::Auto => "auto",
            RenderPolicy::Always => "always",
        }
    }
}

impl FromStr for RenderPolicy {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let all = [RenderPolicy::Never, RenderPolicy::Auto, RenderPolicy::Always];
        let found = all.into_iter().find(|render| render.as_str() == name);
        found.ok_or_else(|| format!("`{name}` is none of `never`, `auto` and `always`"))
    }
}
