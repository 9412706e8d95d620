//! The translation of a query: from its text and filters into a tree.

use std::ops::Bound;
use std::sync::Arc;

use tantivy::Term;
use tantivy::query::{AllQuery, BooleanQuery, EmptyQuery, Occur, Query as TantivyQuery, RangeQuery, TermQuery};
use tantivy::schema::{Field, IndexRecordOption};

use crate::document::{DocumentKind, Drawing};
use crate::query::{Filter, MAX_QUERY_CHARS, Query};
use crate::ranges::{Range, date_range, is_range, number, number_range};
use crate::schema::{Fields, attribute_name};
use crate::shards::Snapshot;
use crate::syntax::{COMMON_ATTRIBUTES, Clause, Target, parse};
use crate::tree::Tree;
use crate::units::{Unit, phrase, units};

/// Most words and phrases in one query, to bound its cost.
const MAX_UNITS: usize = 40;
/// How much a word in the title counts against one in the text.
const TITLE_BOOST: f32 = 3.0;
/// How much a word in the text of a link to the page counts: links are called "Live updates", too.
const ANCHOR_BOOST: f32 = 0.5;
/// How much a match inside of another word counts (`和服` in `产品和服务`) against a word of the segmenter.
const INSIDE_BOOST: f32 = 0.4;
/// How much the weaker of title, text and link add to the strongest.
const TIE_BREAKER: f32 = 0.3;
/// How much all words side by side, in the order of the query, add.
const TOGETHER_BOOST: f32 = 0.5;

/// Attributes whose values are numbers, so that a word there is a slip.
const NUMBERS: [&str; 2] = ["price", "rating"];

/// A query that can be run.
pub(crate) struct Compiled {
    pub tree: Tree,
    /// The same with any instead of all of the plain words, if that is another query.
    pub loosened: Option<Tree>,
    /// Sequences of base terms to mark in title and text.
    pub patterns: Vec<Vec<String>>,
    pub warnings: Vec<String>,
}

/// Translates a query.
pub(crate) fn compile(query: &Query, fields: &Fields, snapshot: &Snapshot) -> Compiled {
    let mut compiler = Compiler::new(fields, snapshot);
    let text = compiler.capped(&query.text);
    let parsed = parse(text);
    compiler.warnings.extend(parsed.warnings);
    for group in &parsed.groups {
        compiler.group(group);
    }
    if !text.trim().is_empty() && !compiler.has_positive && compiler.must.is_empty() && compiler.not.is_empty() {
        compiler.warnings.push("the query holds no word to look for".to_owned());
        compiler.must.push(Tree::Filter(Arc::new(EmptyQuery)));
    }
    compiler.filter(&query.filter);
    compiler.finish()
}

struct Compiler<'a> {
    fields: &'a Fields,
    snapshot: &'a Snapshot,
    /// What must hold beside the plain words.
    must: Vec<Tree>,
    not: Vec<Tree>,
    /// Plain words: all of them, or any when loosened.
    plain: Vec<Unit>,
    has_positive: bool,
    n_units: usize,
    patterns: Vec<Vec<String>>,
    warnings: Vec<String>,
}

impl<'a> Compiler<'a> {
    fn new(fields: &'a Fields, snapshot: &'a Snapshot) -> Self {
        let (must, not, plain, patterns, warnings) = Default::default();
        Self { fields, snapshot, must, not, plain, has_positive: false, n_units: 0, patterns, warnings }
    }

    fn capped<'t>(&mut self, text: &'t str) -> &'t str {
        match text.char_indices().nth(MAX_QUERY_CHARS) {
            None => text,
            Some((end, _)) => {
                self.warnings.push(format!("only the first {MAX_QUERY_CHARS} characters of the query are used"));
                &text[..end]
            }
        }
    }

    fn group(&mut self, group: &[Clause]) {
        if let [clause] = group
            && clause.target == Target::Anywhere
            && !clause.negative
        {
            let units = self.units(clause);
            self.patterns.extend(units.iter().map(|unit| unit.row.clone()));
            self.has_positive |= !units.is_empty();
            return self.plain.extend(units);
        }
        let mut any: Vec<Tree> = Vec::new();
        for clause in group {
            let Some(tree) = self.clause(clause) else { continue };
            match (clause.negative, group.len()) {
                (true, 1) => return self.not.push(tree),
                (true, _) => any.push(Tree::Without(Box::new(tree))),
                (false, _) => any.push(tree),
            }
        }
        if !any.is_empty() {
            self.has_positive = true;
            self.must.push(Tree::Any(any));
        }
    }

    /// One clause of any kind; `None` if nothing can be sought with it.
    fn clause(&mut self, clause: &Clause) -> Option<Tree> {
        let value = clause.text.as_str();
        match &clause.target {
            Target::Site => Some(self.site(value)),
            Target::Language => Some(label(self.fields.language, value)),
            Target::Kind => Some(self.kind(value)),
            Target::Rendered => Some(self.rendered(value)),
            Target::Attribute(name) if value == "*" => Some(label(self.fields.attribute_names, &attribute_name(name))),
            Target::Date => self.date(clause),
            Target::Url if is_url(value) => {
                let exact = TermQuery::new(Term::from_field_text(self.fields.url, value), IndexRecordOption::Basic);
                let words = self.all(clause, |unit, this| on_field(this.fields.url_words, unit, 1.0));
                Some(Tree::Any(std::iter::once(Tree::Scored(Arc::new(exact))).chain(words).collect()))
            }
            Target::Attribute(name) if !clause.quoted && (is_range(value) || number(value).is_some()) => {
                self.number(name, clause)
            }
            Target::Attribute(name) if !clause.quoted && NUMBERS.contains(&name.as_str()) => {
                self.warnings.push(no_number(value, name));
                self.all(clause, |unit, this| this.on_target(&clause.target, unit))
            }
            target => {
                let target = target.clone();
                self.all(clause, |unit, this| this.on_target(&target, unit))
            }
        }
    }

    /// All units of a clause together.
    fn all(&mut self, clause: &Clause, tree: impl Fn(&Unit, &Self) -> Tree) -> Option<Tree> {
        let units = self.units(clause);
        let marked = matches!(clause.target, Target::Anywhere | Target::Title | Target::Text);
        if marked && !clause.negative {
            self.patterns.extend(units.iter().map(|unit| unit.row.clone()));
        }
        let mut trees: Vec<_> = units.iter().map(|unit| tree(unit, self)).collect();
        match trees.len() {
            0 => None,
            1 => trees.pop(),
            _ => Some(Tree::All(trees)),
        }
    }

    fn units(&mut self, clause: &Clause) -> Vec<Unit> {
        let mut units = if clause.quoted { phrase(&clause.text) } else { units(&clause.text) };
        let room = MAX_UNITS.saturating_sub(self.n_units);
        if units.len() > room {
            let full = format!("only the first {MAX_UNITS} words of the query are used");
            if !self.warnings.contains(&full) {
                self.warnings.push(full);
            }
            units.truncate(room);
        }
        self.n_units += units.len();
        units
    }

    fn on_target(&self, target: &Target, unit: &Unit) -> Tree {
        match target {
            Target::Title => on_field(self.fields.title, unit, 1.0),
            Target::Text => on_field(self.fields.text, unit, 1.0),
            Target::Author => on_field(self.fields.author, unit, 1.0),
            Target::Comments => on_field(self.fields.comments, unit, 1.0),
            Target::Url => on_field(self.fields.url_words, unit, 1.0),
            Target::Attribute(name) => {
                let path = attribute_name(name);
                let words = tree_of(unit, 1.0, |term| {
                    let mut json = Term::from_field_json_path(self.fields.attributes, &path, false);
                    json.append_type_and_str(term);
                    json
                });
                Tree::Scored(Arc::from(words.tantivy()))
            }
            _ => self.anywhere(unit, 1.0),
        }
    }

    fn anywhere(&self, unit: &Unit, boost: f32) -> Tree {
        let title = on_field(self.fields.title, unit, boost * TITLE_BOOST);
        let text = on_field(self.fields.text, unit, boost);
        let anchor = on_field(self.fields.anchor_title, unit, boost * ANCHOR_BOOST);
        Tree::Best(vec![title, text, anchor], TIE_BREAKER)
    }

    fn site(&self, value: &str) -> Tree {
        Tree::Any(vec![label(self.fields.site, value), label(self.fields.host, value)])
    }

    fn kind(&mut self, value: &str) -> Tree {
        if value.to_lowercase().parse::<DocumentKind>().is_err() {
            let kinds = DocumentKind::ALL.map(|kind| format!("`{kind}`")).join(", ");
            self.warnings.push(format!("`{value}` is no kind; there are {kinds}"));
        }
        label(self.fields.kind, value)
    }

    /// What browsers drew: in this mode, or that ended so; `*` for all of it.
    fn rendered(&mut self, value: &str) -> Tree {
        let value = value.to_lowercase();
        if value == "*" {
            return Tree::Any(Drawing::MODES.map(|mode| label(self.fields.rendered, mode)).into());
        }
        if Drawing::MODES.contains(&value.as_str()) {
            return label(self.fields.rendered, &value);
        }
        if !Drawing::ENDS.contains(&value.as_str()) {
            let known = [&Drawing::MODES[..], &Drawing::ENDS[..]].concat().join("`, `");
            self.warnings.push(format!("`{value}` says nothing of how a page was drawn; there are `{known}` and `*`"));
        }
        label(self.fields.render_ended, &value)
    }

    /// Documents of a time; of what is no time the words, anywhere.
    fn date(&mut self, clause: &Clause) -> Option<Tree> {
        let value = &clause.text;
        let Some(range) = date_range(value) else {
            self.warnings.push(format!(
                "`{value}` is no date; write 2024, 2024-05, 2024-05-31, 2024..2025, [2024 TO 2025] or >=2024"
            ));
            return self.all(clause, |unit, this| this.anywhere(unit, 1.0));
        };
        self.tell_backwards(value, range.backwards);
        Some(self.published(range.from, range.to))
    }

    fn tell_backwards(&mut self, value: &str, backwards: bool) {
        if backwards {
            self.warnings.push(format!("`{value}` runs backwards; it was searched for the other way round"));
        }
    }

    /// Documents with a number of this attribute within a range, or with this number; else with the words.
    fn number(&mut self, name: &str, clause: &Clause) -> Option<Tree> {
        let value = &clause.text;
        let words = |this: &mut Self| this.all(clause, |unit, this| this.on_target(&clause.target, unit));
        if let Some(range) = number_range(value) {
            self.tell_backwards(value, range.backwards);
            return Some(self.within(name, range));
        }
        if let Some(number) = number(value) {
            let end = Bound::Included(number);
            let exactly = self.within(name, Range { from: end, to: end, backwards: false });
            return Some(Tree::Any(std::iter::once(exactly).chain(words(self)).collect()));
        }
        self.warnings.push(no_number(value, name));
        words(self)
    }

    fn within(&self, name: &str, range: Range<Bound<f64>>) -> Tree {
        let path = attribute_name(name);
        let term = |number: f64| {
            let mut term = Term::from_field_json_path(self.fields.attribute_numbers, &path, false);
            term.append_type_and_fast_value(number);
            term
        };
        let all = (Bound::Included(f64::MIN), Bound::Included(f64::MAX));
        let (from, to) = match (range.from, range.to) {
            (Bound::Unbounded, Bound::Unbounded) => all,
            bounds => bounds,
        };
        Tree::Filter(Arc::new(RangeQuery::new(from.map(term), to.map(term))))
    }

    fn published(&self, from: Option<i64>, to: Option<i64>) -> Tree {
        let term = |seconds| Term::from_field_i64(self.fields.published, seconds);
        let lower = from.map_or(Bound::Unbounded, |from| Bound::Included(term(from)));
        let upper = to.map_or(Bound::Unbounded, |to| Bound::Excluded(term(to)));
        let range: Box<dyn TantivyQuery> = match (&lower, &upper) {
            (Bound::Unbounded, Bound::Unbounded) => Box::new(AllQuery),
            _ if from.zip(to).is_some_and(|(from, to)| from >= to) => Box::new(EmptyQuery),
            _ => self.without_dates_of_sites(Box::new(RangeQuery::new(lower, upper)), from, to),
        };
        Tree::Filter(Arc::from(range))
    }

    /// What a range finds but for documents whose date is their site's.
    fn without_dates_of_sites(
        &self,
        range: Box<dyn TantivyQuery>,
        from: Option<i64>,
        to: Option<i64>,
    ) -> Box<dyn TantivyQuery> {
        let dates = self.snapshot.site_facts.all_dates(self.snapshot, self.fields);
        let within = |date: i64| from.is_none_or(|from| from <= date) && to.is_none_or(|to| date < to);
        let mut clauses = vec![(Occur::Must, range)];
        clauses.extend(dates.iter().filter(|(_, date)| within(*date)).map(|(site, date)| {
            let terms = [
                Term::from_field_text(self.fields.site, site),
                Term::from_field_i64(self.fields.published_shown, *date),
            ];
            let both = terms.map(|term| boxed(TermQuery::new(term, IndexRecordOption::Basic)));
            (Occur::MustNot, boxed(BooleanQuery::intersection(both.into())))
        }));
        Box::new(BooleanQuery::new(clauses))
    }

    fn filter(&mut self, filter: &Filter) {
        self.must.extend(filter.site.as_deref().map(|site| self.site(site)));
        self.must.extend(filter.kind.map(|kind| label(self.fields.kind, kind.as_str())));
        self.must.extend(filter.language.as_deref().map(|language| label(self.fields.language, language)));
        if filter.from.is_some() || filter.to.is_some() {
            self.must.push(self.published(filter.from, filter.to));
        }
    }

    fn finish(mut self) -> Compiled {
        if !self.has_positive && self.must.is_empty() {
            self.must.push(Tree::Filter(Arc::new(AllQuery)));
        }
        let loosened = (self.plain.len() > 1).then(|| {
            let any = Tree::Any(self.words());
            self.whole(any)
        });
        let all = Tree::All(self.words());
        let tree = self.whole(all);
        let (mut patterns, warnings) = (self.patterns, self.warnings);
        patterns.sort_unstable();
        patterns.dedup();
        Compiled { tree, loosened, patterns, warnings }
    }

    fn words(&self) -> Vec<Tree> {
        self.plain.iter().map(|unit| self.anywhere(unit, 1.0)).collect()
    }

    /// All that is asked, with these plain words; their being side by side adds to the score.
    fn whole(&self, plain: Tree) -> Tree {
        let mut must = self.must.clone();
        if !self.plain.is_empty() {
            must.push(plain);
        }
        let together = (self.plain.len() > 1).then(|| {
            let row = self.plain.iter().flat_map(|unit| unit.row.iter().cloned()).take(32).collect();
            Box::new(self.anywhere(&Unit { row, word: None }, TOGETHER_BOOST))
        });
        Tree::Whole { must, should: together, not: self.not.clone() }
    }
}

fn on_field(field: Field, unit: &Unit, boost: f32) -> Tree {
    tree_of(unit, boost, |term| Term::from_field_text(field, term))
}

/// The word if there is one, or else its terms in a row; matches inside of other words count less.
fn tree_of(unit: &Unit, boost: f32, term: impl Fn(&str) -> Term) -> Tree {
    let row = |boost| match unit.row.as_slice() {
        [single] => Tree::Term(term(single), boost),
        row => Tree::Phrase(row.iter().map(|text| term(text)).collect(), boost),
    };
    match &unit.word {
        None => row(boost),
        Some(word) => Tree::Best(vec![Tree::Term(term(word), boost), row(boost * INSIDE_BOOST)], 0.0),
    }
}

fn label(field: Field, value: &str) -> Tree {
    Tree::Label(Term::from_field_text(field, &value.to_lowercase()))
}

fn no_number(value: &str, name: &str) -> String {
    let prefix = if COMMON_ATTRIBUTES.contains(&name) { "" } else { "attr." };
    let name = format!("{prefix}{name}");
    format!("`{value}` is no number; write {name}:[10 TO 20], {name}:10..20, {name}:>=10 or {name}:<20")
}

fn is_url(value: &str) -> bool {
    value.starts_with("http://") || value.starts_with("https://")
}

fn boxed(query: impl TantivyQuery) -> Box<dyn TantivyQuery> {
    Box::new(query)
}
