//! SVG and MathML (HTML §13.2.6.5).

use crate::name::LocalName;
use crate::tree::foreign_names::svg_name;
use crate::tree::open::{Namespace, OpenElement};
use crate::tree::sets::{BREAKOUT, is};
use crate::tree::{Mark, TokenResult, TreeBuilder};

impl TreeBuilder<'_> {
    /// Whether a token goes by the rules of foreign content.
    pub(super) fn is_foreign(&self, mark: Mark) -> bool {
        let Some(open) = self.stack.last().filter(|open| open.space != Namespace::Html) else { return false };
        match mark {
            Mark::Eof => false,
            Mark::Start(name) => {
                let is_text_point = open.is_mathml_text() && !matches!(name, LocalName::MGLYPH | LocalName::MALIGNMARK);
                let is_svg =
                    open.name == LocalName::ANNOTATION_XML && open.space == Namespace::MathMl && name == LocalName::SVG;
                !(is_text_point || is_svg || open.is_svg_point() || open.integrates)
            }
            _ => true,
        }
    }

    /// Whether text goes by the rules of foreign content.
    pub(super) fn is_foreign_text(&self) -> bool {
        self.stack.last().is_some_and(|open| {
            open.space != Namespace::Html && !(open.is_mathml_text() || open.is_svg_point() || open.integrates)
        })
    }

    pub(super) fn foreign(&mut self, mark: Mark) -> TokenResult {
        match mark {
            Mark::Comment => self.comment_here(),
            Mark::Doctype | Mark::Eof => TokenResult::Done,
            Mark::Start(name) if is(name, BREAKOUT) || (name == LocalName::FONT && self.font_breaks_out()) => {
                self.break_out(mark)
            }
            Mark::End(LocalName::BR | LocalName::P) => self.break_out(mark),
            Mark::Start(name) => {
                let space = self.stack.last().map_or(Namespace::Svg, |open| open.space);
                self.insert_foreign(name, space);
                TokenResult::Done
            }
            Mark::End(name) => self.end_foreign(name),
        }
    }

    fn font_breaks_out(&self) -> bool {
        self.tokens
            .tag()
            .attributes(&self.arena.store)
            .iter()
            .any(|attr| matches!(attr.name, LocalName::COLOR | LocalName::FACE | LocalName::SIZE))
    }

    fn break_out(&mut self, mark: Mark) -> TokenResult {
        while let Some(open) = self.stack.last()
            && open.space != Namespace::Html
            && !(open.is_mathml_text() || open.is_svg_point() || open.integrates)
        {
            self.stack.pop();
        }
        self.by_mode(self.mode, mark)
    }

    /// Inserts an element of SVG or MathML for the tag at hand.
    pub(super) fn insert_foreign(&mut self, tag: LocalName, space: Namespace) {
        let name = if space == Namespace::Svg { svg_name(tag, &mut self.arena.store.names) } else { tag };
        let attributes = self.take_attributes(name, space);
        let place = self.current_place();
        let id = self.arena.add(place, name, true, attributes);
        if self.tokens.tag().self_closing {
            return;
        }
        let integrates = space == Namespace::MathMl && name == LocalName::ANNOTATION_XML && self.has_html_encoding();
        self.stack.push(OpenElement { id, name, tag, space, integrates, has_p: false });
    }

    fn has_html_encoding(&self) -> bool {
        self.tag_value(LocalName::ENCODING).is_some_and(|value| {
            value.eq_ignore_ascii_case("text/html") || value.eq_ignore_ascii_case("application/xhtml+xml")
        })
    }

    fn end_foreign(&mut self, name: LocalName) -> TokenResult {
        for n in (0..self.stack.len()).rev() {
            let open = self.stack[n];
            self.steps += 1;
            if n == 0 {
                return TokenResult::Done;
            }
            if open.space == Namespace::Html {
                return self.by_mode(self.mode, Mark::End(name));
            }
            if open.tag == name {
                self.stack.truncate(n);
                return TokenResult::Done;
            }
        }
        TokenResult::Done
    }
}
