//! Sites that no model of the default way is trained on, so that there are pages at any time on which its quality can be seen.
//!
//! The models of published methods (`mss`, `clg`, `clg-layout`) take all pages: the tables of docs/best.md quote them.

use gristmill_urls::registrable_domain;

use super::pages::fnv;

/// One site in so many.
const OUT_OF: u64 = 16;
/// Which of them: a share with about as many pages of each type as the whole, and with shops of which attributes are known.
const SHARE: u64 = 12;

/// What cards say of it.
pub const HELD_OUT: &str = "One site in sixteen is held out: no page of it was trained on.";

/// Whether a site is held out: by a hash of its registrable domain without the suffix, so that all countries of a brand stay
/// together.
///
/// `site` is a host or the name of a package for it. Cross-validations take no notice of it: what they say of new sites rests on
/// folds of their own.
pub fn is_held_out(site: &str) -> bool {
    let site = site.to_lowercase();
    let name = registrable_domain(&site).split('.').next().unwrap_or_default();
    fnv(name.as_bytes()) % OUT_OF == SHARE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn about_one_site_in_sixteen_is_held_out_with_all_its_countries_and_hosts() {
        let out: Vec<String> = (0..1600).map(|n| format!("site{n}.example")).filter(|site| is_held_out(site)).collect();
        assert!((60..140).contains(&out.len()), "{}", out.len());
        for site in &out {
            let name = site.trim_end_matches(".example");
            assert!(is_held_out(&format!("store.{name}.co.uk")) && is_held_out(&name.to_uppercase()), "{site}");
        }
    }

    #[test]
    fn the_unseen_half_of_the_gate_is_held_out_and_only_that() {
        for (package, unseen) in
            [("articles-unseen", true), ("articles-seen", false), ("products-unseen", true), ("products-seen", false)]
        {
            let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../gate").join(package);
            let pages = gristmill_eval::records::RecordPackage::read(&folder).unwrap().pages;
            assert!(pages.len() >= 4, "{package}");
            for page in pages {
                assert_eq!(is_held_out(&page.site), unseen, "{package}: {} of {}", page.document.id, page.site);
            }
        }
    }
}
