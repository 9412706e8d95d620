//! One page by hand, its redirects followed: for tools and services that are given an address. The crawler leaves redirects and
//! robots.txt to the frontier.

use gristmill_robots::RobotsTxt;
use url::Url;

use crate::client::Client;
use crate::error::FetchError;
use crate::response::{Request, Response};
use crate::{FetchKind, Verdict};

/// Most redirects of a page.
const MAX_REDIRECTS: usize = 10;
/// Most redirects of a robots.txt (RFC 9309 §2.3.1.2).
const MAX_ROBOTS_REDIRECTS: usize = 5;

/// Why a visit brought no page.
#[derive(Debug, thiserror::Error)]
pub enum VisitError {
    /// A fetch failed.
    #[error(transparent)]
    Fetch(#[from] FetchError),
    /// The site does not want it to be fetched.
    #[error("robots.txt of `{url}` forbids it: `{rule}`")]
    Disallowed {
        /// The URL that is forbidden.
        url: String,
        /// The deciding line.
        rule: String,
    },
    /// robots.txt cannot be had, so that nobody knows whether the page may be fetched.
    #[error("robots.txt of `{url}` cannot be had, so the page is not fetched (RFC 9309): {reason}")]
    RobotsUnavailable {
        /// The URL of the page.
        url: String,
        /// What happened instead.
        reason: String,
    },
    /// Redirects without an end.
    #[error("`{url}` leads to more than {limit} redirects")]
    TooManyRedirects {
        /// The URL asked for.
        url: String,
        /// Most of them.
        limit: usize,
    },
    /// An answer without a page.
    #[error("the server of `{url}` answered with status {status}")]
    Status {
        /// The URL that was answered for.
        url: String,
        /// The status.
        status: u16,
    },
}

impl Client {
    /// The page at `url`, behind at most 10 redirects; each hop is a fetch of its own, past the address guard.
    ///
    /// # Errors
    /// A hop that fails, too many of them, or a status other than 200.
    pub async fn visit(&self, url: Url) -> Result<Response, VisitError> {
        self.walk(url, false).await
    }

    /// As [`visit`](Self::visit), and asks the robots.txt of each hop first. Nothing of it is remembered: it costs a request
    /// for each hop.
    ///
    /// # Errors
    /// The same, and what robots.txt forbids. One that cannot be had forbids everything; one that is not there nothing.
    pub async fn visit_politely(&self, url: Url) -> Result<Response, VisitError> {
        self.walk(url, true).await
    }

    async fn walk(&self, start: Url, ask_robots: bool) -> Result<Response, VisitError> {
        let mut url = start.clone();
        for _ in 0..=MAX_REDIRECTS {
            if ask_robots {
                self.ask_robots(&url).await?;
            }
            let response = self.fetch(&Request::page(url)).await?;
            match response.redirect_target() {
                Some(target) => url = target,
                None if response.status == 200 => return Ok(response),
                None => return Err(VisitError::Status { url: response.url.into(), status: response.status }),
            }
        }
        Err(VisitError::TooManyRedirects { url: start.into(), limit: MAX_REDIRECTS })
    }

    async fn ask_robots(&self, page: &Url) -> Result<(), VisitError> {
        let robots = self.robots_of(page).await?;
        let path = &page[url::Position::BeforePath..url::Position::AfterQuery];
        let verdict = robots.allows(path);
        if verdict.allowed {
            return Ok(());
        }
        Err(VisitError::Disallowed { url: page.to_string(), rule: verdict.rule.unwrap_or_default().to_owned() })
    }

    /// What the robots.txt of the site of `page` says (RFC 9309 §2.3.1), as the frontier judges the same answers.
    ///
    /// # Errors
    /// [`VisitError::RobotsUnavailable`] where it cannot be had, and [`VisitError::Fetch`] where its address is refused.
    pub async fn robots_of(&self, page: &Url) -> Result<RobotsTxt, VisitError> {
        let unavailable = |reason: String| VisitError::RobotsUnavailable { url: page.to_string(), reason };
        let mut url = page.join("/robots.txt").map_err(|error| unavailable(error.to_string()))?;
        for _ in 0..=MAX_ROBOTS_REDIRECTS {
            let response = match self.fetch(&Request::of_kind(url, FetchKind::Robots)).await {
                Ok(response) => response,
                Err(error) if no_rules(&error) => return Ok(RobotsTxt::allow_all()),
                // What is no fault of the site is told as what it is.
                Err(error) if matches!(error.verdict(), Verdict::RefusedAddress | Verdict::BadUrl) => {
                    return Err(error.into());
                }
                Err(error) => return Err(unavailable(error.to_string())),
            };
            if let Some(target) = response.redirect_target() {
                url = target;
                continue;
            }
            return match response.status {
                429 | 500.. => Err(unavailable(format!("status {}", response.status))),
                status => Ok(RobotsTxt::from_response(status, &response.body.decoded, self.config().agent.as_str())),
            };
        }
        Ok(RobotsTxt::allow_all())
    }
}

/// There is an answer, but no file that could be read.
fn no_rules(error: &FetchError) -> bool {
    matches!(error.verdict(), Verdict::BadType | Verdict::TooLarge | Verdict::Ratio | Verdict::BadEncoding)
}
