//! Tells answers that stand in the way of a page: challenges and other blocks, logins, parked domains, errors told with success.
//!
//! ```
//! use gristmill_walls::{WallInput, Wall, wall};
//!
//! let html = "<title>Just a moment...</title><script>window._cf_chl_opt={}</script><p>Enable JavaScript and cookies to continue";
//! let answer = WallInput { status: 403, url: "https://mill.example/rye", html };
//! let found = wall(&answer).unwrap();
//! assert_eq!((found.wall, found.reason.as_str()), (Wall::Blocked, "a challenge of Cloudflare"));
//! ```
//! Providers are known by marks in their pages (`marks.tsv`), all others by what so short a page calls itself (`phrases.tsv`) and by
//! what it asks for. A page with much to read is none. No I/O, no clock, no model.

mod fault;
mod header;
mod rules;
mod tables;
mod view;

pub use header::challenger;
pub use rules::wall;

/// What stands in the way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Wall {
    /// A challenge, a captcha, a refusal, a limit of requests, or a question for consent.
    Blocked,
    /// There is no such page, whatever the status says.
    SoftNotFound,
    /// Who wants to read must say who they are.
    Login,
    /// Nobody uses the domain; it is for sale or shows advertisements.
    Parked,
}

impl Wall {
    /// Its name in outputs: that of the outcome of a fetch that ends there.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Blocked => "blocked",
            Self::SoftNotFound => "soft_not_found",
            Self::Login => "login",
            Self::Parked => "parked",
        }
    }
}

/// What a server answered.
#[derive(Debug, Clone, Copy)]
pub struct WallInput<'a> {
    /// HTTP status.
    pub status: u16,
    /// The address that answered.
    pub url: &'a str,
    /// The page, its charset undone.
    pub html: &'a str,
}

/// A wall, and what tells it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WallFinding {
    /// What stands in the way.
    pub wall: Wall,
    /// By what it is known, in words.
    pub reason: String,
}
