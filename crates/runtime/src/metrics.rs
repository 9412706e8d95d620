//! Metrics that are declared once: made, registered, and counted from 0 for every value of their labels.

use prometheus::core::Collector;
use prometheus::{
    Counter, Histogram, HistogramOpts, HistogramVec, IntCounter, IntCounterVec, IntGauge, IntGaugeVec, Opts, Registry,
};

/// The name of a label, and all values that it has.
pub struct Label<L> {
    name: &'static str,
    values: Vec<L>,
    as_str: fn(L) -> &'static str,
}

impl<L: Copy> Label<L> {
    /// A label whose values are an enumeration.
    pub fn new(name: &'static str, values: &[L], as_str: fn(L) -> &'static str) -> Self {
        Self { name, values: values.to_vec(), as_str }
    }
}

impl Label<&'static str> {
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

/// Makes metrics and registers them; each function fails where one of the name is registered already.
#[derive(Clone, Copy)]
pub struct MetricRegistrar<'r>(pub &'r Registry);

impl MetricRegistrar<'_> {
    /// A counter of things; of bytes, too.
    pub fn counter(self, name: &str, help: &str) -> prometheus::Result<IntCounter> {
        self.register(IntCounter::new(name, help)?)
    }

    /// A counter of seconds.
    pub fn seconds(self, name: &str, help: &str) -> prometheus::Result<Counter> {
        self.register(Counter::new(name, help)?)
    }

    /// A gauge.
    pub fn gauge(self, name: &str, help: &str) -> prometheus::Result<IntGauge> {
        self.register(IntGauge::new(name, help)?)
    }

    /// A gauge for each value of a label, which appear when they are set.
    pub fn gauges(self, name: &str, help: &str, label: &str) -> prometheus::Result<IntGaugeVec> {
        self.register(IntGaugeVec::new(Opts::new(name, help), &[label])?)
    }

    /// A histogram with these upper bounds.
    pub fn histogram(self, name: &str, help: &str, buckets: &[f64]) -> prometheus::Result<Histogram> {
        self.register(Histogram::with_opts(HistogramOpts::new(name, help).buckets(buckets.to_vec()))?)
    }

    /// A histogram for each value of a label.
    pub fn histograms(
        self,
        name: &str,
        help: &str,
        buckets: &[f64],
        label: &Label<&'static str>,
    ) -> prometheus::Result<HistogramVec> {
        let options = HistogramOpts::new(name, help).buckets(buckets.to_vec());
        let histograms = self.register(HistogramVec::new(options, &[label.name])?)?;
        for value in &label.values {
            histograms.with_label_values(&[value]);
        }
        Ok(histograms)
    }

    /// A counter for each value of a label.
    pub fn counters<L: Copy>(self, name: &str, help: &str, label: &Label<L>) -> prometheus::Result<Counters<L>> {
        let counters = self.register(IntCounterVec::new(Opts::new(name, help), &[label.name])?)?;
        let counters = Counters { counters, as_str: label.as_str };
        for value in &label.values {
            counters.of(*value);
        }
        Ok(counters)
    }

    /// A counter for each pair of values of two labels.
    pub fn counter_table<A: Copy, B: Copy>(
        self,
        name: &str,
        help: &str,
        (first, second): (&Label<A>, &Label<B>),
    ) -> prometheus::Result<CounterTable<A, B>> {
        let counters = self.register(IntCounterVec::new(Opts::new(name, help), &[first.name, second.name])?)?;
        let table = CounterTable { counters, first: first.as_str, second: second.as_str };
        for a in &first.values {
            for b in &second.values {
                table.of(*a, *b);
            }
        }
        Ok(table)
    }

    /// Any other metric.
    pub fn register<M: Collector + Clone + 'static>(self, metric: M) -> prometheus::Result<M> {
        self.0.register(Box::new(metric.clone()))?;
        Ok(metric)
    }
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
            $visibility fn label(name: &'static str) -> $crate::metrics::Label<$name> {
                $crate::metrics::Label::new(name, &[$($name::$value),*], $name::as_str)
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

    #[test]
    fn every_value_of_a_label_is_there_before_it_is_counted_and_no_name_twice() {
        let registry = Registry::new();
        let registrar = MetricRegistrar(&registry);
        let table = (&Colour::label("colour"), &Label::words("size", &["large", "small"]));
        let counters = registrar.counter_table("dyes_total", "Dyes.", table).unwrap();
        counters.of(Colour::Red, "small").inc();
        let family = registry.gather().remove(0);
        let mut counts: Vec<f64> = family.get_metric().iter().map(|metric| metric.get_counter().get_value()).collect();
        counts.sort_by(f64::total_cmp);
        assert_eq!(counts, [0.0, 0.0, 0.0, 1.0]);
        assert!(registrar.counters("dyes_total", "Dyes.", &Colour::label("colour")).is_err());
    }
}
