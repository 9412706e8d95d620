//! Drives html5ever over a page and hands back the flat document.

use html5ever::TokenizerResult;
use html5ever::buffer_queue::BufferQueue;
use html5ever::interface::TreeSink;
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{Tokenizer, TokenizerOpts};
use html5ever::tree_builder::{TreeBuilder, TreeBuilderOpts};

use crate::doc::Doc;
use crate::guard::Guard;
use crate::limits::{LimitHit, Limits};
use crate::long_tag::{Long, inspect};
use crate::sink::Sink;

pub(crate) fn parse(html: &str, limits: &Limits) -> Doc {
    // Ids, offsets and depths are 32 and 15 bits wide.
    let limits = Limits {
        max_bytes: limits.max_bytes.min(1 << 29),
        max_nodes: limits.max_nodes.clamp(16, 1 << 30),
        max_depth: limits.max_depth.clamp(16, 8_000),
        ..limits.clone()
    };
    let kept = &html[..html.floor_char_boundary(limits.max_bytes)];
    let sink = Sink::new(kept, &limits);
    if kept.len() < html.len() {
        sink.hit(LimitHit::Bytes);
    }
    let options = TreeBuilderOpts { scripting_enabled: false, drop_doctype: true, ..Default::default() };
    let guard = Guard::new(TreeBuilder::new(sink, options), &limits);
    let tokenizer = Tokenizer::new(guard, TokenizerOpts::default());
    feed(&tokenizer, kept, limits.max_steps);
    tokenizer.end();
    let frames = tokenizer.sink.frames.take();
    let mut doc = tokenizer.sink.builder.sink.finish();
    doc.frames = frames;
    doc
}

/// Steps in which the page is fed, so that one endless tag is noticed (see `long_tag`).
const STEP: usize = 4096;
/// Bytes that a search goes through in the time of a step.
const BYTES_A_STEP: usize = 32;

fn feed(tokenizer: &Tokenizer<Guard>, html: &str, max_steps: u64) {
    let source = StrTendril::from_slice(html);
    let queue = BufferQueue::default();
    // From `unread` on the source has not been looked at since the last token.
    let (mut fed, mut unread) = (0, 0);
    let sink = &tokenizer.sink.builder.sink;
    while fed < html.len() {
        if sink.steps() > max_steps {
            return sink.hit(LimitHit::Steps);
        }
        let end = html.floor_char_boundary(fed + STEP);
        let n_tokens = tokenizer.sink.n_tokens.get();
        queue.push_back(source.subtendril(fed as u32, (end - fed) as u32));
        run(tokenizer, &queue);
        if tokenizer.sink.n_tokens.get() != n_tokens {
            unread = fed;
        } else if end > unread {
            match inspect(html.as_bytes(), unread, end) {
                Long::Quiet(until) => {
                    // Text that looks like a long construct may be searched to the end of the page time and again.
                    sink.spend((until - unread) / BYTES_A_STEP);
                    unread = until;
                }
                Long::Cut { from, to } => {
                    queue.push_back(source.subtendril(end as u32, (from - end) as u32));
                    run(tokenizer, &queue);
                    sink.hit(LimitHit::Attributes);
                    (fed, unread) = (to, to);
                    continue;
                }
            }
        }
        fed = end;
    }
}

fn run(tokenizer: &Tokenizer<Guard>, queue: &BufferQueue) {
    // Scripts are not run and a late encoding declaration does not matter: the text is decoded already.
    while !matches!(tokenizer.feed(queue), TokenizerResult::Done) {}
}

impl Doc {
    /// Builds the document of `html`. Never fails: see [`Doc::limits_hit`] for what was left out.
    ///
    /// About 1 ms for a page of 90 kB, nearly all of it in html5ever; linear in the input.
    pub fn parse(html: &str, limits: &Limits) -> Doc {
        parse(html, limits)
    }
}
