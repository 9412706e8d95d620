//! Metrics that are declared once: made, registered, and counted from 0 for every value of their labels.

use prometheus::core::Collector;
use prometheus::{
    Counter, Histogram, HistogramOpts, HistogramVec, IntCounter, IntCounterVec, IntGauge, IntGaugeVec, Opts, Registry,
};

/// The name of a label, and all values that it has.
pub struct MetricLabel<L> {
    name: &'static str,
    values: Vec<L>,
    as_str: fn(L) -> &'static str,
}

impl<L: Copy> MetricLabel<L> {
    /// A label whose values are an enumeration.
    pub fn new(name: &'static str, values: &[L], as_str: fn(L) -> &'static str) -> Self {
        Self { name, values: values.to_vec(), as_str }
    }
}

impl MetricLabel<&'static str> {
    /// A label whose values are words.
    pub fn words(name: &'static str, values: &[&'static str]) -> Self {
        Self::new(name, values, |word| word)
    }
}

/// Counters of one name, one for each value of a label. Clones are the same.
#[derive(Debug, Clone)]
pub struct Counters<L> {
    counters: IntCounterVec,
    as_str: fn(L) -> &'static str,
}

impl<L: Copy> Counters<L> {
    /// The counter of a value.
    pub fn of(&self, value: L) -> IntCounter {
        self.counters.with_label_values(&[(self.as_str)(value)])
    }
}

/// Counters of one name, one for each pair of values of two labels. Clones are the same.
#[derive(Debug, Clone)]
pub struct CounterTable<A, B> {
    counters: IntCounterVec,
    first: fn(A) -> &'static str,
    second: fn(B) -> &'static str,
}

impl<A: Copy, B: Copy> CounterTable<A, B> {
    /// The counter of a pair of values.
    pub fn of(&self, first: A, second: B) -> IntCounter {
        self.counters.with_label_values(&[(self.first)(first), (self.second)(second)])
    }
}

/// A kind of metric. `Options` is what it is made of beside its name and its help: labels with their values, upper bounds.
pub trait Metric: Sized {
    type Options;

    /// Makes it and registers it, with a 0 for each value of its labels.
    ///
    /// # Errors
    /// One of this name is registered already.
    fn declare(registry: &Registry, opts: Opts, options: Self::Options) -> prometheus::Result<Self>;
}

fn register<M: Collector + Clone + 'static>(registry: &Registry, metric: M) -> prometheus::Result<M> {
    registry.register(Box::new(metric.clone()))?;
    Ok(metric)
}

fn histogram_opts(opts: Opts, buckets: &[f64]) -> HistogramOpts {
    HistogramOpts::from(opts).buckets(buckets.to_vec())
}

/// Metrics that have a name and nothing else.
macro_rules! plain {
    ($($kind:ident)*) => {$(
        impl Metric for $kind {
            type Options = ();

            fn declare(registry: &Registry, opts: Opts, (): ()) -> prometheus::Result<Self> {
                register(registry, $kind::with_opts(opts)?)
            }
        }
    )*};
}

plain! { IntCounter Counter IntGauge }

impl Metric for Histogram {
    type Options = &'static [f64];

    fn declare(registry: &Registry, opts: Opts, buckets: Self::Options) -> prometheus::Result<Self> {
        register(registry, Histogram::with_opts(histogram_opts(opts, buckets))?)
    }
}

impl Metric for HistogramVec {
    type Options = (&'static [f64], MetricLabel<&'static str>);

    fn declare(registry: &Registry, opts: Opts, (buckets, label): Self::Options) -> prometheus::Result<Self> {
        let histograms = register(registry, HistogramVec::new(histogram_opts(opts, buckets), &[label.name])?)?;
        label.values.iter().for_each(|value| _ = histograms.with_label_values(&[value]));
        Ok(histograms)
    }
}

/// Counters whose labels have values that are no closed set, and appear as they are counted.
impl Metric for IntCounterVec {
    type Options = &'static [&'static str];

    fn declare(registry: &Registry, opts: Opts, labels: Self::Options) -> prometheus::Result<Self> {
        register(registry, IntCounterVec::new(opts, labels)?)
    }
}

impl<L: Copy> Metric for Counters<L> {
    type Options = MetricLabel<L>;

    fn declare(registry: &Registry, opts: Opts, label: MetricLabel<L>) -> prometheus::Result<Self> {
        let counters = register(registry, IntCounterVec::new(opts, &[label.name])?)?;
        let counters = Counters { counters, as_str: label.as_str };
        label.values.into_iter().for_each(|value| _ = counters.of(value));
        Ok(counters)
    }
}

impl<A: Copy, B: Copy> Metric for CounterTable<A, B> {
    type Options = (MetricLabel<A>, MetricLabel<B>);

    fn declare(registry: &Registry, opts: Opts, (first, second): Self::Options) -> prometheus::Result<Self> {
        let counters = register(registry, IntCounterVec::new(opts, &[first.name, second.name])?)?;
        let table = CounterTable { counters, first: first.as_str, second: second.as_str };
        for a in first.values {
            second.values.iter().for_each(|b| _ = table.of(a, *b));
        }
        Ok(table)
    }
}

impl Metric for IntGaugeVec {
    type Options = MetricLabel<&'static str>;

    fn declare(registry: &Registry, opts: Opts, label: Self::Options) -> prometheus::Result<Self> {
        let gauges = register(registry, IntGaugeVec::new(opts, &[label.name])?)?;
        label.values.iter().for_each(|value| _ = gauges.with_label_values(&[value]));
        Ok(gauges)
    }
}

/// The metrics of a service: a struct with a field for each, and a function `register` that makes them. The comment of a field is the
/// help of its metric; behind the name stand the [`Metric::Options`]. Other fields follow behind `and`.
///
/// ```
/// use gristmill_runtime::metrics::{Counters, MetricLabel};
/// use prometheus::IntCounter;
///
/// gristmill_runtime::metrics! {
///     /// What a mill counts.
///     pub struct Metrics {
///         /// Sacks by grain.
///         pub sacks: Counters<&'static str> = "mill_sacks_total", MetricLabel::words("grain", &["rye", "wheat"]);
///         /// Turns of the wheel.
///         pub turns: IntCounter = "mill_turns_total";
///     }
/// }
///
/// let metrics = Metrics::register(&prometheus::Registry::new()).unwrap();
/// metrics.sacks.of("rye").inc();
/// ```
#[macro_export]
macro_rules! metrics {
    (
        $(#[$meta:meta])*
        $visibility:vis struct $name:ident {
            $($(#[doc = $help:literal])+ $seen:vis $field:ident: $kind:ty = $metric:literal $(, $options:expr)?;)*
        }
        $(and($registry:ident) {
            $($(#[$other_meta:meta])* $other_seen:vis $other:ident: $other_kind:ty = $value:expr;)*
        })?
    ) => {
        $(#[$meta])*
        #[derive(Clone)]
        $visibility struct $name {
            $($(#[doc = $help])+ $seen $field: $kind,)*
            $($($(#[$other_meta])* $other_seen $other: $other_kind,)*)?
        }

        impl $name {
            /// Registers all of them, with a 0 for each value of their labels.
            ///
            /// # Errors
            /// A metric of the same name is registered already.
            pub fn register(registry: &::prometheus::Registry) -> ::prometheus::Result<Self> {
                $(let $registry = registry;)?
                Ok(Self {
                    $($field: <$kind as $crate::metrics::Metric>::declare(
                        registry,
                        ::prometheus::Opts::new($metric, concat!($($help),+).trim_start()),
                        { $($options)? },
                    )?,)*
                    $($($other: $value,)*)?
                })
            }
        }
    };
}

/// An enumeration that is a label of a metric, with all its values and a stable name for each.
#[macro_export]
macro_rules! label_values {
    ($(#[$meta:meta])* $visibility:vis enum $name:ident { $($(#[$doc:meta])* $value:ident = $text:literal,)* }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        $visibility enum $name {
            $($(#[$doc])* $value,)*
        }

        impl $name {
            /// The stable name.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $($name::$value => $text,)*
                }
            }

            /// All of them under the name of a label.
            $visibility fn label(name: &'static str) -> $crate::metrics::MetricLabel<$name> {
                $crate::metrics::MetricLabel::new(name, &[$($name::$value),*], $name::as_str)
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    crate::label_values! {
        enum Colour {
            Red = "red",
            Blue = "blue",
        }
    }

    crate::metrics! {
        struct Metrics {
            /// Dyes that were sold.
            dyes: CounterTable<Colour, &'static str> =
                "dyes_total", (Colour::label("colour"), MetricLabel::words("size", &["large", "small"]));
        }
    }

    #[test]
    fn every_value_of_a_label_is_there_before_it_is_counted_and_no_name_twice() {
        let registry = Registry::new();
        let metrics = Metrics::register(&registry).unwrap();
        metrics.dyes.of(Colour::Red, "small").inc();
        let family = registry.gather().remove(0);
        let mut counts: Vec<f64> = family.get_metric().iter().map(|metric| metric.get_counter().get_value()).collect();
        counts.sort_by(f64::total_cmp);
        assert_eq!(counts, [0.0, 0.0, 0.0, 1.0]);
        assert_eq!(family.help(), "Dyes that were sold.");
        assert!(Metrics::register(&registry).is_err());
    }
}
