//! The translation of a query: from its text and filters into a tree.

use std::ops::Bound;
use std::sync::Arc;

use gristmill_urls::host_named;
use tantivy::Term;
use tantivy::query::{
    AllQuery, Bm25StatisticsProvider, BooleanQuery, EmptyQuery, Occur, PhraseQuery, Query as TantivyQuery, RangeQuery,
    TermQuery,
};
use tantivy::schema::{Field, IndexRecordOption};

use crate::attributes::attribute_name;
use crate::document::{DocumentKind, RenderInfo};
use crate::highlight::Pattern;
use crate::match_units::{MatchUnit, phrase, units};
use crate::query::{MAX_QUERY_CHARS, SearchFilter, SearchQuery};
use crate::ranges::{QueryRange, date_range, is_range, number, number_range};
use crate::schema::Fields;
use crate::shards::ShardsSnapshot;
use crate::spelling::{MAX_WORDS, beginning_with, may_be_slip, spelt_like};
use crate::stems::Stems;
use crate::syntax::{COMMON_ATTRIBUTES, Clause, QueryField, Reach, parse};
use crate::tree::QueryTree;

/// Most words and phrases in one query, to bound its cost.
const MAX_UNITS: usize = 40;
/// How much a word in the title counts against one in the text.
const TITLE_BOOST: f32 = 3.0;
/// How much a word in the text of a link to the page counts: links are called "Live updates", too.
const ANCHOR_BOOST: f32 = 0.5;
/// How much a match inside of another word counts (`和服` in `产品和服务`) against a word of the segmenter.
const INSIDE_BOOST: f32 = 0.4;
/// How much another form of a word counts (`councils` for `council`) against the word itself.
const FORM_BOOST: f32 = 0.3;
/// Languages of the index whose stems of a word are sought: the commonest that are written in its letters.
const MAX_LANGUAGES: usize = 16;
/// How much the weaker of title, text and link add to the strongest.
const TIE_BREAKER: f32 = 0.3;
/// How much all words side by side, in the order of the query, add.
const TOGETHER_BOOST: f32 = 0.5;

/// Attributes whose values are numbers, so that a word there is a slip.
const NUMBERS: [&str; 2] = ["price", "rating"];

/// Attributes by which a product is known, and the least length of what is sought there without being told so: shorter numbers are
/// years and sizes.
const PRODUCT_NUMBERS: [&str; 4] = ["sku", "gtin", "mpn", "isbn"];
const LEAST_PRODUCT_NUMBER: usize = 5;

/// A query that can be run.
pub(crate) struct CompiledQuery {
    pub tree: QueryTree,
    /// The same with any instead of all of the plain words, if that is another query.
    pub loosened: Option<QueryTree>,
    /// What to mark in title and text.
    pub patterns: Vec<Pattern>,
    /// Plain words that may be slips, with the number of documents that have them.
    pub doubtful: Vec<(String, u64)>,
    pub warnings: Vec<String>,
}

/// Translates a query.
///
/// # Errors
/// The dictionary of the index cannot be read.
pub(crate) fn compile(
    query: &SearchQuery,
    fields: &Fields,
    snapshot: &ShardsSnapshot,
) -> tantivy::Result<CompiledQuery> {
    let mut compiler = Compiler::new(fields, snapshot);
    compiler.now = query.now;
    compiler.stems = stems(query.filter.language.as_deref(), fields, snapshot)?;
    let text = compiler.capped(&query.text);
    let parsed = parse(text);
    compiler.warnings.extend(parsed.warnings);
    for group in &parsed.groups {
        compiler.group(group)?;
    }
    if !text.trim().is_empty() && !compiler.has_positive && compiler.must.is_empty() && compiler.not.is_empty() {
        compiler.warnings.push("the query holds no word to look for".to_owned());
        compiler.must.push(QueryTree::Filter(Arc::new(EmptyQuery)));
    }
    compiler.filter(&query.filter);
    compiler.finish()
}

/// The stemmers of the languages of the index, the commonest first, or of the one that is asked for.
fn stems(language: Option<&str>, fields: &Fields, snapshot: &ShardsSnapshot) -> tantivy::Result<Vec<Stems>> {
    let languages = match language {
        Some(language) => vec![language.to_lowercase()],
        None => snapshot.labels(fields.language)?,
    };
    let mut stems: Vec<Stems> = Vec::new();
    for found in languages.iter().filter_map(|language| Stems::of(language)) {
        if stems.iter().all(|known| known.code() != found.code()) {
            stems.push(found);
        }
    }
    Ok(stems)
}

/// A field, and the one with other forms of its words.
#[derive(Clone, Copy)]
struct Place {
    words: Field,
    forms: Option<Field>,
}

struct Compiler<'a> {
    fields: &'a Fields,
    snapshot: &'a ShardsSnapshot,
    /// What must hold beside the plain words.
    must: Vec<QueryTree>,
    not: Vec<QueryTree>,
    /// Plain words: all of them, or any when loosened.
    plain: Vec<MatchUnit>,
    has_positive: bool,
    n_units: usize,
    patterns: Vec<Pattern>,
    warnings: Vec<String>,
    stems: Vec<Stems>,
    now: Option<i64>,
}

impl<'a> Compiler<'a> {
    fn new(fields: &'a Fields, snapshot: &'a ShardsSnapshot) -> Self {
        let (must, not, plain, patterns, warnings, stems) = Default::default();
        Self {
            fields,
            snapshot,
            must,
            not,
            plain,
            has_positive: false,
            n_units: 0,
            patterns,
            warnings,
            stems,
            now: None,
        }
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

    fn group(&mut self, group: &[Clause]) -> tantivy::Result<()> {
        if let [clause] = group
            && clause.target == QueryField::Anywhere
            && !clause.negative
            && !matches!(clause.reach, Reach::Slop(_))
        {
            let units = self.units(clause)?;
            self.mark(&units);
            self.has_positive |= !units.is_empty();
            self.plain.extend(units);
            return Ok(());
        }
        let mut any: Vec<QueryTree> = Vec::new();
        for clause in group {
            let Some(tree) = self.clause(clause)? else { continue };
            match (clause.negative, group.len()) {
                (true, 1) => {
                    self.not.push(tree);
                    return Ok(());
                }
                (true, _) => any.push(QueryTree::Without(Box::new(tree))),
                (false, _) => any.push(tree),
            }
        }
        if !any.is_empty() {
            self.has_positive = true;
            self.must.push(QueryTree::Any(any));
        }
        Ok(())
    }

    /// One clause of any kind; `None` if nothing can be sought with it.
    fn clause(&mut self, clause: &Clause) -> tantivy::Result<Option<QueryTree>> {
        let value = clause.text.as_str();
        let tree = match &clause.target {
            QueryField::Site => self.site(value),
            QueryField::Language => label(self.fields.language, value),
            QueryField::Kind => self.kind(value),
            QueryField::Rendered => self.rendered(value),
            QueryField::Attribute(name) if value == "*" => label(self.fields.attribute_names, &attribute_name(name)),
            _ => return self.searched(clause),
        };
        Ok(Some(tree))
    }

    /// A clause of words, numbers or times.
    fn searched(&mut self, clause: &Clause) -> tantivy::Result<Option<QueryTree>> {
        let value = clause.text.as_str();
        match &clause.target {
            QueryField::Date | QueryField::Changed => self.date(clause),
            QueryField::PriceDropped => self.price_dropped(clause),
            QueryField::Url if is_url(value) => {
                let exact = TermQuery::new(Term::from_field_text(self.fields.url, value), IndexRecordOption::Basic);
                let words = self.all(clause, &QueryField::Url)?;
                Ok(Some(QueryTree::Any(std::iter::once(QueryTree::Scored(Arc::new(exact))).chain(words).collect())))
            }
            QueryField::Attribute(name) if !clause.quoted && (is_range(value) || number(value).is_some()) => {
                self.number(name, clause)
            }
            QueryField::Attribute(name) if !clause.quoted && NUMBERS.contains(&name.as_str()) => {
                self.warnings.push(no_number(value, name));
                self.all(clause, &clause.target)
            }
            target => self.all(clause, target),
        }
    }

    /// All units of a clause together, where `target` says.
    fn all(&mut self, clause: &Clause, target: &QueryField) -> tantivy::Result<Option<QueryTree>> {
        let mut units = self.units(clause)?;
        let marked = matches!(clause.target, QueryField::Anywhere | QueryField::Title | QueryField::Text);
        let slop = if let Reach::Slop(slop) = clause.reach { slop } else { 0 };
        if marked && !clause.negative {
            let single = |unit: &MatchUnit| {
                unit.row.iter().map(|term| MatchUnit::of_row(vec![term.clone()])).collect::<Vec<_>>()
            };
            self.mark(&if slop > 0 { units.iter().flat_map(single).collect() } else { units.clone() });
        }
        if clause.negative {
            // What is not wanted is this word, and no other form of it.
            units.iter_mut().for_each(|unit| unit.forms = None);
        }
        let mut trees =
            units.iter().map(|unit| self.on_target(target, unit, slop)).collect::<tantivy::Result<Vec<_>>>()?;
        Ok(match trees.len() {
            0 => None,
            1 => trees.pop(),
            _ => Some(QueryTree::All(trees)),
        })
    }

    /// Has these units marked where they are found.
    fn mark(&mut self, units: &[MatchUnit]) {
        for unit in units {
            let mut pattern = Pattern::default();
            pattern.rows.extend(unit.any.iter().map(|word| vec![word.clone()]));
            pattern.rows.extend((!unit.row.is_empty()).then(|| unit.row.clone()));
            if let Some(forms) = &unit.forms {
                pattern.rows.extend(forms.terms.iter().map(|term| vec![term.clone()]));
                pattern.rows.extend((!forms.parts.is_empty()).then(|| forms.parts.clone()));
                pattern.forms = self.form_terms(unit);
            }
            self.patterns.push(pattern);
        }
    }

    /// What stands for a unit in a field of forms.
    fn form_terms(&self, unit: &MatchUnit) -> Vec<String> {
        let Some(forms) = &unit.forms else { return Vec::new() };
        let mut terms = forms.terms.clone();
        if let [word] = unit.row.as_slice() {
            terms.push(word.clone());
            let languages = self.stems.iter().filter(|stems| stems.may_be_of(&forms.written)).take(MAX_LANGUAGES);
            languages.for_each(|stems| stems.each(&forms.written, |stem| terms.push(stem.to_owned())));
        }
        terms
    }

    /// The units of a clause; of one that asks for words that are spelt like its last one, these.
    fn units(&mut self, clause: &Clause) -> tantivy::Result<Vec<MatchUnit>> {
        let mut units = if clause.quoted { phrase(&clause.text) } else { units(&clause.text) };
        if let Some(last) = units.last_mut().filter(|last| last.word.is_none() && last.has_place()) {
            self.reach(clause, last)?;
        }
        let room = MAX_UNITS.saturating_sub(self.n_units);
        if units.len() > room {
            let full = format!("only the first {MAX_UNITS} words of the query are used");
            if !self.warnings.contains(&full) {
                self.warnings.push(full);
            }
            units.truncate(room);
        }
        self.n_units += units.len();
        Ok(units)
    }

    /// Puts the words that `word*` and `word~1` stand for in the place of the word.
    fn reach(&mut self, clause: &Clause, unit: &mut MatchUnit) -> tantivy::Result<()> {
        let [word] = unit.row.as_slice() else { return Ok(()) };
        let places = match self.place(&clause.target) {
            Some(place) => vec![place.words],
            None => vec![self.fields.title, self.fields.text],
        };
        let any = match clause.reach {
            Reach::Exact | Reach::Slop(_) => return Ok(()),
            Reach::Edits(edits) => spelt_like(word, edits, &places, self.snapshot)?,
            Reach::Beginning => {
                let (any, more) = beginning_with(word, &places, self.snapshot)?;
                if more {
                    let word = &clause.text;
                    self.warnings
                        .push(format!("more than {MAX_WORDS} words begin with `{word}`; the commonest were sought"));
                }
                any
            }
        };
        if !any.is_empty() {
            *unit = MatchUnit { any, ..MatchUnit::default() };
        }
        Ok(())
    }

    /// The one field that a target means; `None` where there are several, or the words are not in a field of their own.
    fn place(&self, target: &QueryField) -> Option<Place> {
        let alone = |words| Some(Place { words, forms: None });
        match target {
            QueryField::Title => Some(Place { words: self.fields.title, forms: Some(self.fields.title_forms) }),
            QueryField::Text => Some(Place { words: self.fields.text, forms: Some(self.fields.text_forms) }),
            QueryField::Author => alone(self.fields.author),
            QueryField::Comments => alone(self.fields.comments),
            QueryField::Url => alone(self.fields.url_words),
            _ => None,
        }
    }

    fn on_target(&self, target: &QueryField, unit: &MatchUnit, slop: u32) -> tantivy::Result<QueryTree> {
        if let QueryField::Attribute(name) = target {
            let path = attribute_name(name);
            let words =
                spellings(unit).map(|row| tree_of(&row, 1.0, |term| json_term(self.fields.attributes, &path, term)));
            return Ok(QueryTree::Scored(Arc::from(QueryTree::Best(words.collect(), 0.0).tantivy())));
        }
        let places = match self.place(target) {
            Some(place) => vec![place],
            None if slop > 0 => {
                [QueryField::Title, QueryField::Text].iter().filter_map(|target| self.place(target)).collect()
            }
            None => return self.anywhere(unit, 1.0),
        };
        if slop > 0 && unit.row.len() > 1 {
            return Ok(QueryTree::Any(places.iter().map(|place| sloppy(place.words, unit, slop)).collect()));
        }
        let trees = places.iter().map(|place| self.on_place(*place, unit, 1.0));
        Ok(QueryTree::Best(trees.collect::<tantivy::Result<_>>()?, TIE_BREAKER))
    }

    fn anywhere(&self, unit: &MatchUnit, boost: f32) -> tantivy::Result<QueryTree> {
        let place = |target| self.place(&target).expect("title and text are fields");
        let title = self.on_place(place(QueryField::Title), unit, boost * TITLE_BOOST)?;
        let text = self.on_place(place(QueryField::Text), unit, boost)?;
        let anchor = on_field(self.fields.anchor_title, unit, boost * ANCHOR_BOOST);
        let trees = [title, text, anchor].into_iter().chain(self.as_number_of_product(unit, boost)?).collect();
        Ok(QueryTree::Best(trees, TIE_BREAKER))
    }

    /// A unit as the number of a product, which may stand in the data of its page alone. Most units are none, and cost nothing.
    fn as_number_of_product(&self, unit: &MatchUnit, boost: f32) -> tantivy::Result<Vec<QueryTree>> {
        let has_digit = |term: &String| term.bytes().any(|byte| byte.is_ascii_digit());
        let length: usize = unit.row.iter().map(String::len).sum();
        let mut trees = Vec::new();
        if length < LEAST_PRODUCT_NUMBER || !unit.row.iter().any(has_digit) {
            return Ok(trees);
        }
        for (name, unit) in PRODUCT_NUMBERS.iter().flat_map(|name| spellings(unit).map(move |unit| (name, unit))) {
            let mut n_known = 0;
            for word in &unit.row {
                let term = json_term(self.fields.attributes, name, word);
                n_known += usize::from(self.snapshot.doc_freq(&term)? > 0);
            }
            if n_known == unit.row.len() {
                let words = tree_of(&unit, boost, |word| json_term(self.fields.attributes, name, word));
                trees.push(QueryTree::Scored(Arc::from(words.tantivy())));
            }
        }
        Ok(trees)
    }

    /// A unit in a field, or other forms of it. These are looked up here, so that searches spend no time on those that are
    /// nowhere.
    fn on_place(&self, place: Place, unit: &MatchUnit, boost: f32) -> tantivy::Result<QueryTree> {
        let exact = on_field(place.words, unit, boost);
        let Some((forms, field)) = unit.forms.as_ref().zip(place.forms) else { return Ok(exact) };
        let boost = boost * FORM_BOOST;
        let terms = self.form_terms(unit).into_iter().map(|term| Term::from_field_text(field, &term));
        let terms = terms.chain(forms.terms.iter().map(|term| Term::from_field_text(place.words, term)));
        let mut trees = vec![exact];
        for term in terms {
            if self.snapshot.doc_freq(&term)? > 0 {
                trees.push(QueryTree::Term(term, boost));
            }
        }
        if !forms.parts.is_empty() {
            trees.push(on_field(place.words, &MatchUnit::of_row(forms.parts.clone()), boost));
        }
        Ok(if trees.len() == 1 { trees.remove(0) } else { QueryTree::Best(trees, TIE_BREAKER) })
    }

    fn site(&mut self, value: &str) -> QueryTree {
        let (_, place) = value.split_once("://").unwrap_or(("", value));
        if place.split_once('/').is_some_and(|(_, path)| !path.is_empty()) {
            self.warnings.push(format!("`site:` takes the name of a host; of `{value}` the path is not looked at"));
        }
        let host = host_named(value).unwrap_or_else(|_| value.to_owned());
        QueryTree::Any(vec![label(self.fields.site, &host), label(self.fields.host, &host)])
    }

    fn kind(&mut self, value: &str) -> QueryTree {
        if value.to_lowercase().parse::<DocumentKind>().is_err() {
            let kinds = DocumentKind::ALL.map(|kind| format!("`{kind}`")).join(", ");
            self.warnings.push(format!("`{value}` is no kind; there are {kinds}"));
        }
        label(self.fields.kind, value)
    }

    /// What browsers drew: in this mode, or that ended so; `*` for all of it.
    fn rendered(&mut self, value: &str) -> QueryTree {
        let value = value.to_lowercase();
        if value == "*" {
            return QueryTree::Any(RenderInfo::MODES.map(|mode| label(self.fields.rendered, mode)).into());
        }
        if RenderInfo::MODES.contains(&value.as_str()) {
            return label(self.fields.rendered, &value);
        }
        if !RenderInfo::ENDS.contains(&value.as_str()) {
            let known = [&RenderInfo::MODES[..], &RenderInfo::ENDS[..]].concat().join("`, `");
            self.warnings.push(format!("`{value}` says nothing of how a page was drawn; there are `{known}` and `*`"));
        }
        label(self.fields.render_ended, &value)
    }

    /// Documents of a time; of what is no time the words, anywhere.
    fn date(&mut self, clause: &Clause) -> tantivy::Result<Option<QueryTree>> {
        let value = &clause.text;
        if value == "*" {
            return Ok(Some(match clause.target {
                QueryField::Changed => self.changed(None, None),
                _ => self.published(Some(i64::MIN), None),
            }));
        }
        let Some(range) = date_range(value, self.now) else {
            self.warnings.push(format!(
                "`{value}` is no date; write 2024, 2024-05, 2024-05-31, 2024-05-31T10:30, today, 2024..2025, [2024 TO 2025] or >=2024"
            ));
            return self.all(clause, &QueryField::Anywhere);
        };
        self.tell_backwards(value, range.backwards);
        Ok(Some(match clause.target {
            QueryField::Changed => self.changed(range.from, range.to),
            _ => self.published(range.from, range.to),
        }))
    }

    /// Documents that a reader saw change last within this time; with no bounds all that ever did.
    fn changed(&self, from: Option<i64>, to: Option<i64>) -> QueryTree {
        let term = |seconds| Term::from_field_i64(self.fields.changed, seconds);
        let from = Bound::Included(term(from.unwrap_or(i64::MIN)));
        let to = to.map_or(Bound::Unbounded, |to| Bound::Excluded(term(to)));
        QueryTree::Filter(Arc::new(RangeQuery::new(from, to)))
    }

    /// Products whose price went down by so many percent at its last change: a range, or the least; `*` for all that went down.
    fn price_dropped(&mut self, clause: &Clause) -> tantivy::Result<Option<QueryTree>> {
        let value = clause.text.as_str();
        let at_least = |percent| QueryRange { from: percent, to: Bound::Unbounded, backwards: false };
        let range = match value {
            "*" => Some(at_least(Bound::Excluded(0.0))),
            _ => number_range(value).or_else(|| number(value).map(|percent| at_least(Bound::Included(percent)))),
        };
        let Some(range) = range else {
            self.warnings.push(no_number(value, "price_dropped"));
            return self.all(clause, &QueryField::Anywhere);
        };
        self.tell_backwards(value, range.backwards);
        let term = |percent| Term::from_field_f64(self.fields.price_dropped, percent);
        let from = if range.from == Bound::Unbounded { Bound::Included(f64::MIN) } else { range.from };
        Ok(Some(QueryTree::Filter(Arc::new(RangeQuery::new(from.map(term), range.to.map(term))))))
    }

    fn tell_backwards(&mut self, value: &str, backwards: bool) {
        if backwards {
            self.warnings.push(format!("`{value}` runs backwards; it was searched for the other way round"));
        }
    }

    /// Documents with a number of this attribute within a range, or with this number; else with the words.
    fn number(&mut self, name: &str, clause: &Clause) -> tantivy::Result<Option<QueryTree>> {
        let value = &clause.text;
        if let Some(range) = number_range(value) {
            self.tell_backwards(value, range.backwards);
            return Ok(Some(self.within(name, range)));
        }
        if let Some(number) = number(value) {
            let end = Bound::Included(number);
            let exactly = self.within(name, QueryRange { from: end, to: end, backwards: false });
            let words = self.all(clause, &clause.target)?;
            return Ok(Some(QueryTree::Any(std::iter::once(exactly).chain(words).collect())));
        }
        self.warnings.push(no_number(value, name));
        self.all(clause, &clause.target)
    }

    fn within(&self, name: &str, range: QueryRange<Bound<f64>>) -> QueryTree {
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
        QueryTree::Filter(Arc::new(RangeQuery::new(from.map(term), to.map(term))))
    }

    fn published(&self, from: Option<i64>, to: Option<i64>) -> QueryTree {
        let term = |seconds| Term::from_field_i64(self.fields.published, seconds);
        let lower = from.map_or(Bound::Unbounded, |from| Bound::Included(term(from)));
        let upper = to.map_or(Bound::Unbounded, |to| Bound::Excluded(term(to)));
        let range: Box<dyn TantivyQuery> = match (&lower, &upper) {
            (Bound::Unbounded, Bound::Unbounded) => Box::new(AllQuery),
            _ if from.zip(to).is_some_and(|(from, to)| from >= to) => Box::new(EmptyQuery),
            _ => self.without_dates_of_sites(Box::new(RangeQuery::new(lower, upper)), from, to),
        };
        QueryTree::Filter(Arc::from(range))
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

    fn filter(&mut self, filter: &SearchFilter) {
        let site = filter.site.as_deref().map(|site| self.site(site));
        self.must.extend(site);
        self.must.extend(filter.kind.map(|kind| label(self.fields.kind, kind.as_str())));
        self.must.extend(filter.language.as_deref().map(|language| label(self.fields.language, language)));
        if filter.from.is_some() || filter.to.is_some() {
            self.must.push(self.published(filter.from, filter.to));
        }
    }

    fn finish(mut self) -> tantivy::Result<CompiledQuery> {
        if !self.has_positive && self.must.is_empty() {
            self.must.push(QueryTree::Filter(Arc::new(AllQuery)));
        }
        let words = self.plain.iter().map(|unit| self.anywhere(unit, 1.0)).collect::<tantivy::Result<Vec<_>>>()?;
        let loosened = (self.plain.len() > 1).then(|| self.whole(QueryTree::Any(words.clone()))).transpose()?;
        let tree = self.whole(QueryTree::All(words))?;
        let doubtful = self.doubtful()?;
        let (mut patterns, warnings) = (self.patterns, self.warnings);
        patterns.sort_unstable();
        patterns.dedup();
        Ok(CompiledQuery { tree, loosened, patterns, doubtful, warnings })
    }

    /// Plain words of which no other form is there, and how many documents have them.
    fn doubtful(&self) -> tantivy::Result<Vec<(String, u64)>> {
        let mut doubtful = Vec::new();
        for unit in &self.plain {
            let ([word], Some(_)) = (unit.row.as_slice(), &unit.forms) else { continue };
            if !may_be_slip(word) {
                continue;
            }
            let in_field = |field, term: &str| self.snapshot.doc_freq(&Term::from_field_text(field, term));
            let known = in_field(self.fields.title, word)?.max(in_field(self.fields.text, word)?);
            let mut others = 0;
            for form in self.form_terms(unit) {
                others = others.max(in_field(self.fields.text_forms, &form)?);
            }
            if known > 0 || others == 0 {
                doubtful.push((word.clone(), known.max(others)));
            }
        }
        Ok(doubtful)
    }

    /// All that is asked, with these plain words; their being side by side adds to the score.
    fn whole(&self, plain: QueryTree) -> tantivy::Result<QueryTree> {
        let mut must = self.must.clone();
        if !self.plain.is_empty() {
            must.push(plain);
        }
        let row: Vec<String> =
            self.plain.iter().filter(|unit| unit.has_place()).flat_map(|unit| unit.row.clone()).collect();
        let together = (self.plain.len() > 1 && row.len() > 1).then(|| {
            let row = row.into_iter().take(32).collect();
            self.anywhere(&MatchUnit::of_row(row), TOGETHER_BOOST).map(Box::new)
        });
        Ok(QueryTree::Whole { must, should: together.transpose()?, not: self.not.clone() })
    }
}

/// Words of a phrase that may stand so far apart.
fn sloppy(field: Field, unit: &MatchUnit, slop: u32) -> QueryTree {
    let mut phrase = PhraseQuery::new(unit.row.iter().map(|term| Term::from_field_text(field, term)).collect());
    phrase.set_slop(slop);
    QueryTree::Scored(Arc::new(phrase))
}

fn on_field(field: Field, unit: &MatchUnit, boost: f32) -> QueryTree {
    tree_of(unit, boost, |term| Term::from_field_text(field, term))
}

/// A unit, and what its parts are in one word: an ISBN is written with and without its hyphens.
fn spellings(unit: &MatchUnit) -> impl Iterator<Item = MatchUnit> {
    let joined = unit.forms.iter().filter(|_| unit.row.len() > 1).flat_map(|forms| &forms.terms);
    std::iter::once(unit.clone()).chain(joined.map(|word| MatchUnit::of_row(vec![word.clone()])))
}

/// A word in the value of an attribute.
fn json_term(field: Field, path: &str, word: &str) -> Term {
    let mut term = Term::from_field_json_path(field, path, false);
    term.append_type_and_str(word);
    term
}

/// The word if there is one, or else its terms in a row; matches inside of other words count less.
fn tree_of(unit: &MatchUnit, boost: f32, term: impl Fn(&str) -> Term) -> QueryTree {
    if !unit.any.is_empty() {
        return QueryTree::Best(unit.any.iter().map(|word| QueryTree::Term(term(word), boost)).collect(), 0.0);
    }
    let row = |boost| match unit.row.as_slice() {
        [single] => QueryTree::Term(term(single), boost),
        row => QueryTree::Phrase(row.iter().map(|text| term(text)).collect(), boost),
    };
    match &unit.word {
        None => row(boost),
        Some(word) => QueryTree::Best(vec![QueryTree::Term(term(word), boost), row(boost * INSIDE_BOOST)], 0.0),
    }
}

fn label(field: Field, value: &str) -> QueryTree {
    QueryTree::Label(Term::from_field_text(field, &value.to_lowercase()))
}

fn no_number(value: &str, name: &str) -> String {
    let is_bare = name == "price_dropped" || COMMON_ATTRIBUTES.contains(&name);
    let prefix = if is_bare { "" } else { "attr." };
    let name = format!("{prefix}{name}");
    format!("`{value}` is no number; write {name}:[10 TO 20], {name}:10..20, {name}:>=10 or {name}:<20")
}

fn is_url(value: &str) -> bool {
    value.starts_with("http://") || value.starts_with("https://")
}

fn boxed(query: impl TantivyQuery) -> Box<dyn TantivyQuery> {
    Box::new(query)
}
