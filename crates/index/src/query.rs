//! Queries: what a caller asks, and its translation for tantivy.

use std::ops::Bound;
use std::time::Duration;

use tantivy::Term;
use tantivy::query::{
    AllQuery, BooleanQuery, BoostQuery, ConstScoreQuery, DisjunctionMaxQuery, EmptyQuery, Occur, PhraseQuery,
    Query as TantivyQuery, RangeQuery, TermQuery,
};
use tantivy::schema::{Field, IndexRecordOption};

use crate::document::DocumentKind;
use crate::ranges::{Range, date_range, is_range, number, number_range};
use crate::schema::{Fields, attribute_name};
use crate::shards::Snapshot;
use crate::syntax::{COMMON_ATTRIBUTES, Clause, Target, parse};
use crate::units::{Unit, phrase, units};

/// Longest query text in characters; what stands behind is ignored with a warning.
pub const MAX_QUERY_CHARS: usize = 500;
/// Most hits in one answer.
pub const MAX_LIMIT: usize = 1000;
/// Farthest hit that can be reached; narrow the query instead of paging on.
pub const MAX_OFFSET: usize = 10_000;

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

/// What is asked of the index.
#[derive(Debug, Clone)]
pub struct Query {
    /// Words, `"phrases"`, `field:value`, `-word` and `a OR b`; empty for every document.
    ///
    /// Fields: `title`, `text`, `author`, `url`, `site`, `language` (or `lang`), `kind`, `date` and
    /// `attr.NAME`, for usual attributes such as `brand` and `price` the bare name. Numbers of attributes are
    /// asked for as `[3000 TO 5000]`, `3000..5000`, `>=3000` or `<5000`. A date is `2024`, `2024-05`, `2024-05-31`, or a range of
    /// these in the same forms.
    pub text: String,
    /// Conditions that do not touch the ranking.
    pub filter: Filter,
    /// Most hits to return, up to [`MAX_LIMIT`]. Default: 10.
    pub limit: usize,
    /// Hits to leave out first, up to [`MAX_OFFSET`].
    pub offset: usize,
    /// Show one of each cluster of near-duplicates.
    pub collapse: bool,
    /// Time after which matching ends with what was found so far; `None` for no bound. Default: 5 s.
    pub time_limit: Option<Duration>,
}

impl Default for Query {
    fn default() -> Self {
        let time_limit = Some(Duration::from_secs(5));
        Self { text: String::new(), filter: Filter::default(), limit: 10, offset: 0, collapse: false, time_limit }
    }
}

/// Conditions beside the query text. All that are set must hold.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter {
    /// Registrable domain or host.
    pub site: Option<String>,
    /// What the pages are about.
    pub kind: Option<DocumentKind>,
    /// Language code.
    pub language: Option<String>,
    /// Published at this second or later.
    pub from: Option<i64>,
    /// Published before this second.
    pub to: Option<i64>,
}

/// A query that tantivy can run.
pub(crate) struct Compiled {
    pub query: Box<dyn TantivyQuery>,
    /// The same with any instead of all of the plain words, if that is another query.
    pub loosened: Option<Box<dyn TantivyQuery>>,
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
    if !text.trim().is_empty() && !compiler.has_positive && compiler.fixed.is_empty() {
        compiler.warnings.push("the query holds no word to look for".to_owned());
        compiler.fixed.push((Occur::Must, boxed(EmptyQuery)));
    }
    compiler.filter(&query.filter);
    compiler.finish()
}

struct Compiler<'a> {
    fields: &'a Fields,
    snapshot: &'a Snapshot,
    /// Clauses that always hold.
    fixed: Vec<(Occur, Box<dyn TantivyQuery>)>,
    /// Plain words: all of them, or any when loosened.
    plain: Vec<Unit>,
    has_positive: bool,
    n_units: usize,
    patterns: Vec<Vec<String>>,
    warnings: Vec<String>,
}

impl<'a> Compiler<'a> {
    fn new(fields: &'a Fields, snapshot: &'a Snapshot) -> Self {
        let (fixed, plain, patterns, warnings) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Self { fields, snapshot, fixed, plain, has_positive: false, n_units: 0, patterns, warnings }
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
        let mut any: Vec<Box<dyn TantivyQuery>> = Vec::new();
        for clause in group {
            let Some(query) = self.clause(clause) else { continue };
            match (clause.negative, group.len()) {
                (true, 1) => return self.fixed.push((Occur::MustNot, query)),
                (true, _) => any.push(Box::new(BooleanQuery::new(vec![
                    (Occur::Must, constant(Box::new(AllQuery))),
                    (Occur::MustNot, query),
                ]))),
                (false, _) => any.push(query),
            }
        }
        if !any.is_empty() {
            self.has_positive = true;
            self.fixed.push((Occur::Must, Box::new(BooleanQuery::union(any))));
        }
    }

    /// One clause of any kind; `None` if nothing can be sought with it.
    fn clause(&mut self, clause: &Clause) -> Option<Box<dyn TantivyQuery>> {
        let value = clause.text.as_str();
        match &clause.target {
            Target::Site => Some(self.site(value)),
            Target::Language => Some(self.label(self.fields.language, value)),
            Target::Kind => Some(self.kind(value)),
            Target::Date => self.date(clause),
            Target::Url if is_url(value) => {
                let exact = TermQuery::new(Term::from_field_text(self.fields.url, value), IndexRecordOption::Basic);
                let words = self.all(clause, |unit, this| this.on_field(this.fields.url_words, unit));
                Some(Box::new(BooleanQuery::union(std::iter::once(boxed(exact)).chain(words).collect())))
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
    fn all(
        &mut self,
        clause: &Clause,
        query: impl Fn(&Unit, &Self) -> Box<dyn TantivyQuery>,
    ) -> Option<Box<dyn TantivyQuery>> {
        let units = self.units(clause);
        let marked = matches!(clause.target, Target::Anywhere | Target::Title | Target::Text);
        if marked && !clause.negative {
            self.patterns.extend(units.iter().map(|unit| unit.row.clone()));
        }
        let mut queries: Vec<_> = units.iter().map(|unit| query(unit, self)).collect();
        match queries.len() {
            0 => None,
            1 => queries.pop(),
            _ => Some(Box::new(BooleanQuery::intersection(queries))),
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

    fn on_target(&self, target: &Target, unit: &Unit) -> Box<dyn TantivyQuery> {
        match target {
            Target::Title => self.on_field(self.fields.title, unit),
            Target::Text => self.on_field(self.fields.text, unit),
            Target::Author => self.on_field(self.fields.author, unit),
            Target::Comments => self.on_field(self.fields.comments, unit),
            Target::Url => self.on_field(self.fields.url_words, unit),
            Target::Attribute(name) => {
                let path = attribute_name(name);
                terms_query(unit, |term| {
                    let mut json = Term::from_field_json_path(self.fields.attributes, &path, false);
                    json.append_type_and_str(term);
                    json
                })
            }
            _ => self.anywhere(unit),
        }
    }

    fn on_field(&self, field: Field, unit: &Unit) -> Box<dyn TantivyQuery> {
        terms_query(unit, |term| Term::from_field_text(field, term))
    }

    fn anywhere(&self, unit: &Unit) -> Box<dyn TantivyQuery> {
        let title = boost(self.on_field(self.fields.title, unit), TITLE_BOOST);
        let text = self.on_field(self.fields.text, unit);
        let anchor = boost(self.on_field(self.fields.anchor_title, unit), ANCHOR_BOOST);
        Box::new(DisjunctionMaxQuery::with_tie_breaker(vec![title, text, anchor], TIE_BREAKER))
    }

    fn label(&self, field: Field, value: &str) -> Box<dyn TantivyQuery> {
        let term = Term::from_field_text(field, &value.to_lowercase());
        constant(boxed(TermQuery::new(term, IndexRecordOption::Basic)))
    }

    fn site(&self, value: &str) -> Box<dyn TantivyQuery> {
        let either = vec![self.label(self.fields.site, value), self.label(self.fields.host, value)];
        constant(Box::new(BooleanQuery::union(either)))
    }

    fn kind(&mut self, value: &str) -> Box<dyn TantivyQuery> {
        if value.to_lowercase().parse::<DocumentKind>().is_err() {
            let kinds = DocumentKind::ALL.map(|kind| format!("`{kind}`")).join(", ");
            self.warnings.push(format!("`{value}` is no kind; there are {kinds}"));
        }
        self.label(self.fields.kind, value)
    }

    /// Documents of a time; of what is no time the words, anywhere.
    fn date(&mut self, clause: &Clause) -> Option<Box<dyn TantivyQuery>> {
        let value = &clause.text;
        let Some(range) = date_range(value) else {
            self.warnings.push(format!(
                "`{value}` is no date; write 2024, 2024-05, 2024-05-31, 2024..2025, [2024 TO 2025] or >=2024"
            ));
            return self.all(clause, |unit, this| this.anywhere(unit));
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
    fn number(&mut self, name: &str, clause: &Clause) -> Option<Box<dyn TantivyQuery>> {
        let value = &clause.text;
        let words = |this: &mut Self| this.all(clause, |unit, this| this.on_target(&clause.target, unit));
        if let Some(range) = number_range(value) {
            self.tell_backwards(value, range.backwards);
            return Some(self.within(name, range));
        }
        if let Some(number) = number(value) {
            let end = Bound::Included(number);
            let exactly = self.within(name, Range { from: end, to: end, backwards: false });
            return Some(Box::new(BooleanQuery::union(std::iter::once(exactly).chain(words(self)).collect())));
        }
        self.warnings.push(no_number(value, name));
        words(self)
    }

    fn within(&self, name: &str, range: Range<Bound<f64>>) -> Box<dyn TantivyQuery> {
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
        constant(Box::new(RangeQuery::new(from.map(term), to.map(term))))
    }

    fn published(&self, from: Option<i64>, to: Option<i64>) -> Box<dyn TantivyQuery> {
        let term = |seconds| Term::from_field_i64(self.fields.published, seconds);
        let lower = from.map_or(Bound::Unbounded, |from| Bound::Included(term(from)));
        let upper = to.map_or(Bound::Unbounded, |to| Bound::Excluded(term(to)));
        match (&lower, &upper) {
            (Bound::Unbounded, Bound::Unbounded) => Box::new(AllQuery),
            _ if from.zip(to).is_some_and(|(from, to)| from >= to) => Box::new(EmptyQuery),
            _ => self.without_dates_of_sites(Box::new(RangeQuery::new(lower, upper)), from, to),
        }
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
            let terms =
                [Term::from_field_text(self.fields.site, site), Term::from_field_i64(self.fields.published, *date)];
            let both = terms.map(|term| boxed(TermQuery::new(term, IndexRecordOption::Basic)));
            (Occur::MustNot, boxed(BooleanQuery::intersection(both.into())))
        }));
        constant(Box::new(BooleanQuery::new(clauses)))
    }

    fn filter(&mut self, filter: &Filter) {
        let mut must: Vec<Box<dyn TantivyQuery>> = Vec::new();
        must.extend(filter.site.as_deref().map(|site| self.site(site)));
        must.extend(filter.kind.map(|kind| self.label(self.fields.kind, kind.as_str())));
        must.extend(filter.language.as_deref().map(|language| self.label(self.fields.language, language)));
        if filter.from.is_some() || filter.to.is_some() {
            must.push(self.published(filter.from, filter.to));
        }
        self.fixed.extend(must.into_iter().map(|query| (Occur::Must, query)));
    }

    fn finish(mut self) -> Compiled {
        if !self.has_positive {
            self.fixed.push((Occur::Must, constant(Box::new(AllQuery))));
        }
        let query = self.assembled(BooleanQuery::intersection);
        let loosened = (self.plain.len() > 1).then(|| self.assembled(BooleanQuery::union));
        let (mut patterns, warnings) = (self.patterns, self.warnings);
        patterns.sort_unstable();
        patterns.dedup();
        Compiled { query, loosened, patterns, warnings }
    }

    fn assembled(&self, join: impl Fn(Vec<Box<dyn TantivyQuery>>) -> BooleanQuery) -> Box<dyn TantivyQuery> {
        let mut clauses: Vec<_> = self.fixed.iter().map(|(occur, query)| (*occur, query.box_clone())).collect();
        if !self.plain.is_empty() {
            let plain = self.plain.iter().map(|unit| self.anywhere(unit)).collect();
            clauses.push((Occur::Must, Box::new(join(plain))));
        }
        if self.plain.len() > 1 {
            let row = self.plain.iter().flat_map(|unit| unit.row.iter().cloned()).take(32).collect();
            let together = Unit { row, word: None };
            clauses.push((Occur::Should, boost(self.anywhere(&together), TOGETHER_BOOST)));
        }
        Box::new(BooleanQuery::new(clauses))
    }
}

/// The word if there is one, or else its terms in a row; matches inside of other words count less.
fn terms_query(unit: &Unit, term: impl Fn(&str) -> Term) -> Box<dyn TantivyQuery> {
    let freqs = IndexRecordOption::WithFreqs;
    let row: Box<dyn TantivyQuery> = match unit.row.as_slice() {
        [single] => boxed(TermQuery::new(term(single), freqs)),
        row => boxed(PhraseQuery::new(row.iter().map(|text| term(text)).collect())),
    };
    match &unit.word {
        None => row,
        Some(word) => {
            let word = boxed(TermQuery::new(term(word), freqs));
            boxed(DisjunctionMaxQuery::new(vec![word, boost(row, INSIDE_BOOST)]))
        }
    }
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

fn boost(query: Box<dyn TantivyQuery>, by: f32) -> Box<dyn TantivyQuery> {
    Box::new(BoostQuery::new(query, by))
}

/// A condition: it matches or not, and adds nothing to the score.
fn constant(query: Box<dyn TantivyQuery>) -> Box<dyn TantivyQuery> {
    Box::new(ConstScoreQuery::new(query, 0.0))
}
