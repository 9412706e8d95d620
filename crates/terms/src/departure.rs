//! Why a page that was fetched is to leave the corpus.

crate::terms! {
    /// Why a page leaves the corpus that was fetched, and gave no reason by an answer of its own.
    Departure, ArchivedDeparture {
        /// It redirects to a page that is gone.
        DeadEnd = "dead_end",
        /// robots.txt has closed it for long.
        Closed = "closed",
        /// It names another as its canonical page, which says the same.
        Canonical = "canonical",
        /// Many addresses of its site say the same, and another stands for them.
        Copy = "copy",
        /// Many addresses of its site ask for a password in the same words.
        Login = "login",
        /// Whoever runs the crawl has taken it out for good.
        TakenDown = "taken_down",
    }
}
