//! Of which pages a model may be made and given away.

/// How the licence of a package begins from which a model may be made and given away under ours.
pub const PERMISSIVE: [&str; 7] = ["CC-BY-4.0", "CC-BY-3.0", "CC0", "MIT", "Apache-2.0", "BSD", "Unicode-3.0"];

/// Whether a model may be made of pages under this licence and given away: one licence, and a permissive one, since packages of
/// several sources name them all in one text.
pub fn is_permissive(licence: &str) -> bool {
    PERMISSIVE.iter().any(|known| licence.starts_with(known))
        && !licence.contains("unstated")
        && !licence.contains("GPL")
}
