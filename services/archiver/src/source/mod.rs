//! Web archives to be read, wherever they are: files, standard input, web servers, buckets.

mod inputs;
mod opener;
mod remote;
mod remote_zip;

pub use inputs::{ArchiveInput, expand};
pub use opener::ArchiveOpener;
pub use remote::ArchiveChanged;
