//! A row of numbers under construction, and what of a page they may be made of.

use url::Url;

/// What of a page may be looked at. The trainer hides parts, so that the model does not lean on what may be missing.
#[derive(Debug, Clone, Copy)]
pub(super) struct FeatureMask<'u> {
    /// The address, where it is known.
    pub(super) url: Option<&'u Url>,
    /// Whether scripts may be read: archives often come without them.
    pub(super) scripts: bool,
}

/// A row of numbers under construction.
#[derive(Debug, Default)]
pub(super) struct FeatureVector {
    pub(super) values: Vec<f32>,
}

impl FeatureVector {
    pub(super) fn push(&mut self, value: f32) {
        self.values.push(value);
    }

    pub(super) fn flag(&mut self, flag: bool) {
        self.push(f32::from(u8::from(flag)));
    }

    /// A count on a logarithmic scale.
    pub(super) fn count(&mut self, count: u32) {
        self.push((count as f32).ln_1p());
    }

    /// A part of a whole; 0 of nothing.
    pub(super) fn share(&mut self, part: u32, whole: u32) {
        self.push(part as f32 / whole.max(1) as f32);
    }
}
