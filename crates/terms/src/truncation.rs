//! Why a body is not whole.

crate::terms! {
    /// Why a body is not whole, in the words of web archives (`WARC-Truncated`, WARC 1.1 §5.13).
    Cut, ArchivedCut {
        /// It is longer than a limit.
        Length = "length",
        /// It did not come within a time.
        Time = "time",
        /// The connection broke off.
        Disconnect = "disconnect",
        /// The rest was not wanted.
        Unwanted = "unspecified",
    }
}
