//! Which URL is next, by a clock that the tests turn.

mod canonical;
mod clock;
mod clock_steps;
mod common;
mod control;
mod cookies;
mod freshness;
mod kills;
mod politeness;
mod random_web;
mod render;
mod revisits;
mod robots;
mod sharing;
mod sitemaps;
mod sites;
mod snapshot;
mod tdm;
mod urls;
mod value;
