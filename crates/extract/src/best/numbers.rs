//! Numbers and their names in one place.

/// A list of names, and a function that gives the numbers in its order.
macro_rules! numbers {
    ($(#[$about:meta])* $names:ident, $values:ident($($argument:ident: $kind:ty),*) { $($name:literal => $value:expr,)* }) => {
        $(#[$about])*
        const $names: [&str; [$($name),*].len()] = [$($name),*];

        #[inline(always)]
        fn $values($($argument: $kind),*) -> [f32; $names.len()] {
            [$($value),*]
        }
    };
}

pub(super) use numbers;
