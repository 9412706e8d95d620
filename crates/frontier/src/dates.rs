//! How far the dates of a site's listings can be trusted.

/// How often they may have been wrong, beyond twice the times that they were right.
const MAX_WRONG: u32 = 3;

/// How often the listings of a site named a page as changed that had changed, and that had not.
#[derive(Default, Clone, Copy)]
pub(crate) struct Dates {
    right: u32,
    wrong: u32,
}

impl Dates {
    pub(crate) fn are_trusted(self) -> bool {
        self.wrong <= MAX_WRONG + 2 * self.right
    }

    pub(crate) fn learn(&mut self, was_right: bool) {
        if was_right { self.right += 1 } else { self.wrong += 1 }
    }
}
