//! The name that a crawler goes by.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The product token of a crawler: what groups of robots.txt, `meta` elements and `X-Robots-Tag` headers name, and the first word of
/// the `User-Agent`. Letters, `_` and `-`, at least one: no robots.txt can name another (RFC 9309 §2.2.1).
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Agent(String);

/// A text that is no product token.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`agent` must be a product token of letters, `_` and `-`, or no robots.txt can name it (RFC 9309 §2.2.1), got `{0}`: leave out \
     versions, digits and spaces"
)]
pub struct InvalidAgent(String);

impl Agent {
    /// The token itself.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Default for Agent {
    fn default() -> Self {
        Self("gristmill".to_owned())
    }
}

impl fmt::Display for Agent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl TryFrom<String> for Agent {
    type Error = InvalidAgent;

    fn try_from(text: String) -> Result<Self, InvalidAgent> {
        let is_token = text.bytes().all(|byte| byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'-'));
        if is_token && !text.is_empty() { Ok(Self(text)) } else { Err(InvalidAgent(text)) }
    }
}

impl From<Agent> for String {
    fn from(agent: Agent) -> String {
        agent.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_no_robots_txt_can_say_is_refused() {
        for name in ["gristmill", "My-Crawler_x"] {
            assert_eq!(Agent::try_from(name.to_owned()).unwrap().as_str(), name);
        }
        for name in ["", "360Spider", "gristmill/1.0", "My Crawler", "*", "größe"] {
            let refused = Agent::try_from(name.to_owned()).unwrap_err().to_string();
            assert!(refused.contains("`agent`") && refused.contains(&format!("`{name}`")), "{refused}");
        }
    }
}
