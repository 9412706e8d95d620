//! The fields of the index, and the way of an [`IndexDocument`] into a tantivy document and back.

use tantivy::schema::document::Value;
use tantivy::schema::{
    FAST, Field, INDEXED, IndexRecordOption, JsonObjectOptions, OwnedValue, STORED, STRING, Schema, TextFieldIndexing,
    TextOptions,
};
use tantivy::{TantivyDocument, Term};

use std::collections::BTreeMap;

use crate::attributes::{attribute_name, common_names, head, price_attribute};
use crate::collapse::countable;
use crate::document::{Comment, IndexDocument, RenderInfo, Rights};
use crate::forms;

/// Name under which the analyser is registered with tantivy.
pub(crate) const ANALYSER: &str = "gristmill";
/// Name under which the analyser of other forms of words is registered.
pub(crate) const FORM_ANALYSER: &str = "gristmill_forms";

/// Handles of all fields.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fields {
    pub key: Field,
    /// The key as a number, to order hits of equal score.
    pub key_order: Field,
    pub url: Field,
    /// Words of the URL, for `url:` queries.
    pub url_words: Field,
    pub title: Field,
    /// Stems and other forms of the words of the title.
    pub title_forms: Field,
    pub anchor_title: Field,
    pub text: Field,
    /// Stems and other forms of the words of the text.
    pub text_forms: Field,
    pub site: Field,
    pub host: Field,
    pub author: Field,
    /// The author as a whole, to count those of a site.
    pub author_name: Field,
    pub published: Field,
    /// The same where the page only shows it.
    pub published_shown: Field,
    pub published_text: Field,
    pub language: Field,
    pub language_score: Field,
    pub script: Field,
    /// The headings among the lines of the text, as a JSON list.
    pub headings: Field,
    /// The languages of the paragraphs, as a JSON list.
    pub languages: Field,
    pub kind: Field,
    pub kind_probability: Field,
    /// Attribute values by name, searchable.
    pub attributes: Field,
    /// Numbers in attribute values by name, for ranges.
    pub attribute_numbers: Field,
    /// The common names of the attributes, or else their own, each once: for counts of names, and for who has one at all.
    pub attribute_names: Field,
    /// The attributes as a JSON list, which keeps their order and everything that is known of them.
    pub attribute_list: Field,
    /// Words of readers' comments, for `comments:` queries.
    pub comments: Field,
    /// The comments as a JSON list.
    pub comment_list: Field,
    /// What is said of the use of the text, as a JSON object.
    pub rights: Field,
    /// How much of it a browser drew; nothing where none did.
    pub rendered: Field,
    /// When the browser was done.
    pub render_ended: Field,
    pub description: Field,
    pub image: Field,
    pub canonical: Field,
    pub fetched_at: Field,
    pub simhash: Field,
    pub simhash_version: Field,
    /// The fingerprint of documents that count for near-duplicates, 0 for the others.
    pub duplicate_hash: Field,
    /// The price, to order hits by.
    pub price: Field,
    pub method: Field,
    pub confidence: Field,
    /// What changed since the page was first seen, as a JSON object.
    pub history: Field,
    /// When the page last changed for a reader; nothing where it never did.
    pub changed: Field,
    /// When it last changed, or else when it was first seen, to order hits by.
    pub updated: Field,
    /// By how many percent the price went down at its last change.
    pub price_dropped: Field,
}

/// Builds the schema. Any change here makes old directories unreadable (`OtherSchema`).
pub(crate) fn build() -> (Schema, Fields) {
    let mut builder = Schema::builder();
    let words =
        TextFieldIndexing::default().set_tokenizer(ANALYSER).set_index_option(IndexRecordOption::WithFreqsAndPositions);
    let searched = TextOptions::default().set_indexing_options(words.clone());
    let stored_text = searched.clone().set_stored();
    let forms =
        TextFieldIndexing::default().set_tokenizer(FORM_ANALYSER).set_index_option(IndexRecordOption::WithFreqs);
    let forms = TextOptions::default().set_indexing_options(forms);
    let label = STRING | STORED | FAST;
    let fields = Fields {
        key: builder.add_text_field("key", STRING | STORED | FAST),
        key_order: builder.add_u64_field("key_order", FAST),
        url: builder.add_text_field("url", STRING | STORED),
        url_words: builder.add_text_field("url_words", searched.clone()),
        title: builder.add_text_field("title", stored_text.clone()),
        title_forms: builder.add_text_field("title_forms", forms.clone()),
        anchor_title: builder.add_text_field("anchor_title", stored_text.clone()),
        text: builder.add_text_field("text", stored_text.clone()),
        text_forms: builder.add_text_field("text_forms", forms),
        headings: builder.add_text_field("headings", STORED),
        site: builder.add_text_field("site", label.clone()),
        host: builder.add_text_field("host", STRING | STORED),
        author: builder.add_text_field("author", stored_text),
        author_name: builder.add_text_field("author_name", STRING),
        published: builder.add_i64_field("published", INDEXED | STORED | FAST),
        published_shown: builder.add_i64_field("published_shown", INDEXED | STORED | FAST),
        published_text: builder.add_text_field("published_text", STORED),
        language: builder.add_text_field("language", label.clone()),
        language_score: builder.add_f64_field("language_score", STORED),
        script: builder.add_text_field("script", STORED),
        languages: builder.add_text_field("languages", STORED),
        kind: builder.add_text_field("kind", label.clone()),
        kind_probability: builder.add_f64_field("kind_probability", STORED),
        attributes: builder.add_json_field("attributes", JsonObjectOptions::default().set_indexing_options(words)),
        attribute_numbers: builder.add_json_field("attribute_numbers", JsonObjectOptions::default().set_fast("raw")),
        attribute_names: builder.add_text_field("attribute_names", STRING | FAST),
        attribute_list: builder.add_text_field("attribute_list", STORED),
        comments: builder.add_text_field("comments", searched),
        comment_list: builder.add_text_field("comment_list", STORED),
        rights: builder.add_text_field("rights", STORED),
        rendered: builder.add_text_field("rendered", label),
        render_ended: builder.add_text_field("render_ended", STRING | STORED),
        description: builder.add_text_field("description", STORED),
        image: builder.add_text_field("image", STORED),
        canonical: builder.add_text_field("canonical", STORED),
        fetched_at: builder.add_i64_field("fetched_at", STORED | FAST),
        simhash: builder.add_u64_field("simhash", STORED),
        simhash_version: builder.add_u64_field("simhash_version", STORED),
        duplicate_hash: builder.add_u64_field("duplicate_hash", FAST),
        price: builder.add_f64_field("price", FAST),
        method: builder.add_text_field("method", STORED),
        confidence: builder.add_f64_field("confidence", STORED),
        history: builder.add_text_field("history", STORED),
        changed: builder.add_i64_field("changed", FAST),
        updated: builder.add_i64_field("updated", FAST),
        price_dropped: builder.add_f64_field("price_dropped", FAST),
    };
    (builder.build(), fields)
}

/// A number by which keys are ordered: the first 16 hexadecimal digits, or else the first eight bytes.
pub(crate) fn key_order(key: &str) -> u64 {
    let digits = key.get(..16).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()));
    if let Some(order) = digits.and_then(|digits| u64::from_str_radix(digits, 16).ok()) {
        return order;
    }
    let mut first = [0; 8];
    first.iter_mut().zip(key.bytes()).for_each(|(slot, byte)| *slot = byte);
    u64::from_be_bytes(first)
}

impl Fields {
    /// The term that stands for one document.
    pub fn key_term(&self, key: &str) -> Term {
        Term::from_field_text(self.key, key)
    }

    /// The term that stands for one author.
    pub fn author_term(&self, author: &str) -> Term {
        Term::from_field_text(self.author_name, label(author))
    }

    /// Lays a document out in fields; the text is cut at `max_text_bytes`, and comments end there, too.
    pub fn encode(&self, document: &IndexDocument, max_text_bytes: usize) -> TantivyDocument {
        let text = head(&document.text, max_text_bytes);
        let mut out = TantivyDocument::default();
        for (field, value) in [
            (self.key, document.key.as_str()),
            (self.url, label(&document.url)),
            (self.url_words, &document.url),
            (self.title, &document.title),
            (self.anchor_title, &document.anchor_title),
            (self.text, text),
            (self.site, label(&document.site)),
            (self.host, label(&document.host)),
            (self.author, &document.author),
            (self.author_name, label(&document.author)),
            (self.published_text, &document.published_text),
            (self.language, label(&document.language)),
            (self.script, label(&document.script)),
            (self.kind, document.kind.as_str()),
            (self.description, &document.description),
            (self.image, &document.image),
            (self.canonical, &document.canonical),
            (self.method, &document.method),
        ] {
            if !value.is_empty() {
                out.add_text(field, value);
            }
        }
        for (field, value) in [(self.title_forms, document.title.as_str()), (self.text_forms, text)] {
            if !value.is_empty() {
                out.add_text(field, forms::value(&document.language, value));
            }
        }
        if let Some(published) = document.published {
            out.add_i64(self.published, published);
            if !document.published_declared {
                out.add_i64(self.published_shown, published);
            }
        }
        out.add_u64(self.key_order, key_order(&document.key));
        out.add_i64(self.fetched_at, document.fetched_at);
        out.add_u64(self.simhash, document.simhash);
        out.add_u64(self.simhash_version, document.simhash_version.into());
        out.add_u64(self.duplicate_hash, if countable(document, text) { document.simhash } else { 0 });
        out.add_f64(self.confidence, f64::from(document.confidence));
        document.language_score.into_iter().for_each(|score| out.add_f64(self.language_score, score.into()));
        document.kind_probability.into_iter().for_each(|p| out.add_f64(self.kind_probability, p.into()));
        if !document.languages.is_empty() {
            let list = serde_json::to_string(&document.languages).expect("codes and numbers have a JSON form");
            out.add_text(self.languages, list);
        }
        if !document.headings.is_empty() {
            let list = serde_json::to_string(&document.headings).expect("numbers have a JSON form");
            out.add_text(self.headings, list);
        }
        self.encode_attributes(document, &mut out);
        self.encode_comments(document, max_text_bytes, &mut out);
        self.encode_history(document, &mut out);
        if let Some(RenderInfo { mode, ended }) = &document.rendered {
            out.add_text(self.rendered, label(mode));
            out.add_text(self.render_ended, label(ended));
        }
        if document.rights != Rights::default() {
            out.add_text(self.rights, serde_json::to_string(&document.rights).expect("texts always have a JSON form"));
        }
        out
    }

    fn encode_comments(&self, document: &IndexDocument, mut room: usize, out: &mut TantivyDocument) {
        let fits = |comment: &&Comment| {
            let size = comment.author.len() + comment.published.len() + comment.text.len();
            let fits = size <= room;
            room = room.saturating_sub(size);
            fits
        };
        let comments: Vec<&Comment> = document.comments.iter().take_while(fits).collect();
        if comments.is_empty() {
            return;
        }
        comments.iter().for_each(|comment| out.add_text(self.comments, &comment.text));
        out.add_text(self.comment_list, serde_json::to_string(&comments).expect("comments always have a JSON form"));
    }

    fn encode_history(&self, document: &IndexDocument, out: &mut TantivyDocument) {
        let history = &document.history;
        let seconds = |millis: u64| i64::try_from(millis / 1000).unwrap_or(i64::MAX);
        history.changed().map(seconds).into_iter().for_each(|changed| out.add_i64(self.changed, changed));
        out.add_i64(self.updated, history.updated(document.fetched_at));
        history.price_drop().into_iter().for_each(|percent| out.add_f64(self.price_dropped, percent));
        if !history.is_empty() {
            out.add_text(self.history, serde_json::to_string(history).expect("times and texts have a JSON form"));
        }
    }

    fn encode_attributes(&self, document: &IndexDocument, out: &mut TantivyDocument) {
        if document.attributes.is_empty() {
            return;
        }
        let list = serde_json::to_string(&document.attributes).expect("attributes always have a JSON form");
        out.add_text(self.attribute_list, list);
        let mut words: BTreeMap<String, Vec<OwnedValue>> = BTreeMap::new();
        let mut numbers: BTreeMap<String, Vec<OwnedValue>> = BTreeMap::new();
        for attribute in &document.attributes {
            let mut names = [attribute_name(&attribute.name), attribute_name(&attribute.canonical)].to_vec();
            names.dedup();
            for name in names.into_iter().filter(|name| !name.is_empty()) {
                if let Some(number) = attribute.number.filter(|number| number.is_finite()) {
                    numbers.entry(name.clone()).or_default().push(OwnedValue::F64(number));
                }
                words.entry(name).or_default().push(OwnedValue::Str(attribute.value.clone()));
            }
        }
        let price = price_attribute(document).and_then(|price| price.number);
        price.into_iter().for_each(|price| out.add_f64(self.price, price));
        for name in common_names(document) {
            out.add_text(self.attribute_names, name);
        }
        for (field, by_name) in [(self.attributes, words), (self.attribute_numbers, numbers)] {
            let object = by_name.into_iter().map(|(name, values)| (name, OwnedValue::Array(values))).collect();
            out.add_object(field, object);
        }
    }

    /// Reads a stored document back.
    pub fn decode(&self, stored: &TantivyDocument) -> IndexDocument {
        let text = |field| stored.get_first(field).and_then(|value| value.as_str()).unwrap_or("").to_owned();
        let whole = |field| stored.get_first(field).and_then(|value| value.as_i64());
        let bits = |field| stored.get_first(field).and_then(|value| value.as_u64()).unwrap_or(0);
        let number = |field| stored.get_first(field).and_then(|value| value.as_f64()).map(|number| number as f32);
        let json = |field| stored.get_first(field).and_then(|value| value.as_str());
        let rendered = RenderInfo { mode: text(self.rendered), ended: text(self.render_ended) };
        IndexDocument {
            key: text(self.key),
            url: text(self.url),
            title: text(self.title),
            anchor_title: text(self.anchor_title),
            text: text(self.text),
            site: text(self.site),
            host: text(self.host),
            author: text(self.author),
            published: whole(self.published),
            published_text: text(self.published_text),
            published_declared: whole(self.published).is_some() && whole(self.published_shown).is_none(),
            published_of_site: false,
            language: text(self.language),
            language_score: number(self.language_score),
            kind_probability: number(self.kind_probability),
            script: text(self.script),
            headings: json(self.headings).and_then(|list| serde_json::from_str(list).ok()).unwrap_or_default(),
            languages: json(self.languages).and_then(|list| serde_json::from_str(list).ok()).unwrap_or_default(),
            kind: text(self.kind).parse().unwrap_or_default(),
            attributes: json(self.attribute_list).and_then(|list| serde_json::from_str(list).ok()).unwrap_or_default(),
            comments: json(self.comment_list).and_then(|list| serde_json::from_str(list).ok()).unwrap_or_default(),
            rights: json(self.rights).and_then(|rights| serde_json::from_str(rights).ok()).unwrap_or_default(),
            rendered: Some(rendered).filter(|rendered| !rendered.mode.is_empty()),
            description: text(self.description),
            image: text(self.image),
            canonical: text(self.canonical),
            fetched_at: whole(self.fetched_at).unwrap_or(0),
            simhash: bits(self.simhash),
            simhash_version: u32::try_from(bits(self.simhash_version)).unwrap_or(0),
            method: text(self.method),
            confidence: number(self.confidence).unwrap_or(0.0),
            history: json(self.history).and_then(|history| serde_json::from_str(history).ok()).unwrap_or_default(),
        }
    }
}

/// A raw term may not be longer than tantivy's limit of 65,530 bytes; URLs and labels that long are noise.
fn label(value: &str) -> &str {
    head(value, 8 * 1024)
}
