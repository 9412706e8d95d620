//! Pages that stand or fall with another, and what becomes of them with it.
//!
//! A page that redirects, for now, to one that is gone is gone too. A page that names another as its canonical one is left out for it, but
//! only as long as that one was fetched, is kept itself, names no other, and says the same. Until that is known it stays. Where that one
//! redirects or names another, the one at the end counts.
//!
//! ```text
//! page read ──Read──▶ frontier of the page ──Depends──▶ frontier of the other one ──Settled──▶ frontier of the page: departs, or comes back
//! ```
//! Each of the three may be another frontier, so what one has to tell the next is a [`Notice`], which its caller carries on; within one it
//! is taken in at once. All of it may be told twice.

use gristmill_terms::{Departure, FetchKind};
use gristmill_urls::{CanonicalUrl, UrlKey};

use crate::codec::{RecordDecoder, RecordEncoder};
use crate::error::FrontierError;
use crate::frontier::Frontier;
use crate::message::{FetchOutcome, FetchResult, Fingerprint, News, Notice, Tie};
use crate::url_record::{UrlRecord, UrlState};

/// Most differing bits of the fingerprints of two texts that are taken for the same (`gristmill_text::MAX_DISTANCE`).
const MAX_DISTANCE: u32 = 10;

/// The same where their titles differ: a title stands in some texts, too.
const MAX_DISTANCE_RETITLED: u32 = 3;

/// One page in the list of another that it depends on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Dependant {
    url: String,
    tie: Tie,
    /// Whether it was let go for the other one.
    is_out: bool,
}

/// What a page means for those that depend on it.
enum Standing {
    /// Nothing: it was not fetched, is being fetched, or failed in a way that may pass.
    Open,
    /// It stands in the corpus under its own name.
    Kept(Fingerprint),
    /// It was fetched, and does not.
    Unkept,
    Gone,
    Moved(String),
}

impl Frontier {
    /// Takes in what is told of a page whose domain is this frontier's own; tells whether that is so.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn notice(&mut self, notice: &Notice, now: u64) -> Result<bool, FrontierError> {
        self.at(now);
        let Ok(subject) = CanonicalUrl::parse(notice.subject(), None) else { return Ok(false) };
        let is_own = self.is_own(&subject);
        if is_own {
            self.take_notice(notice)?;
        }
        Ok(is_own)
    }

    /// What the frontiers of other domains must know, since the last call. It is not stored: pass it on before [`Frontier::commit`], and
    /// after [`Frontier::take_referrals`], which may bring them the page that it is about.
    pub fn take_notices(&mut self) -> Vec<Notice> {
        std::mem::take(&mut self.notices)
    }

    fn tell(&mut self, url: &str, news: News) -> Result<(), FrontierError> {
        let notice = Notice { url: url.to_owned(), news };
        match CanonicalUrl::parse(notice.subject(), None) {
            Ok(subject) if self.is_own(&subject) => self.take_notice(&notice)?,
            Ok(_) => self.notices.push(notice),
            Err(_) => {}
        }
        Ok(())
    }

    fn take_notice(&mut self, notice: &Notice) -> Result<(), FrontierError> {
        match &notice.news {
            News::Read { fingerprint, asks_password } => self.was_read(&notice.url, *fingerprint, *asks_password),
            News::Depends { on, tie } => self.depends(&notice.url, on, *tie),
            News::Settled { on, departure } => self.settled(&notice.url, on, *departure),
            News::Cookies { cookies } => self.keep_cookies(&notice.url, cookies),
        }
    }

    /// Takes note of the canonical page that a page names now; returns the one before, if it was another.
    pub(crate) fn name_canonical(
        &self,
        record: &mut UrlRecord,
        url: &CanonicalUrl,
        outcome: &FetchOutcome,
    ) -> Option<String> {
        let named = match (&outcome.result, record.state) {
            (FetchResult::Ok, UrlState::Done) => {
                // That it cannot be had is refuted. What its text decided stands until it is read, which may have been before this.
                record.departure =
                    record.departure.filter(|why| !matches!(why, Departure::DeadEnd | Departure::Closed));
                let named = outcome.canonical.as_deref().and_then(|named| CanonicalUrl::parse(named, None).ok());
                named.filter(|named| named != url).map(|named| named.as_str().to_owned())
            }
            (_, state) if state == UrlState::Redirected || state.is_gone() => {
                record.fingerprint = None;
                None
            }
            _ => return None,
        };
        let before = std::mem::replace(&mut record.canonical, named);
        before.filter(|before| Some(before) != record.canonical.as_ref())
    }

    /// Tells those that a page depends on, after an outcome.
    ///
    /// * `before`: the canonical page that it named before and no longer does.
    pub(crate) fn tie(&mut self, record: &UrlRecord, before: Option<String>) -> Result<(), FrontierError> {
        if record.kind != FetchKind::Page {
            return Ok(());
        }
        if let Some(on) = before {
            self.tell(&record.url, News::Depends { on, tie: Tie::None })?;
        }
        match (record.state, &record.redirect) {
            (UrlState::Redirected, Some(target)) if record.known => {
                let news = News::Depends { on: target.clone(), tie: Tie::Redirect(0) };
                self.tell(&record.url, news)
            }
            (UrlState::Done, _) if record.departure.is_none() => self.claim(record),
            _ => Ok(()),
        }
    }

    /// Tells the canonical page of a page that this one says what it says.
    fn claim(&mut self, record: &UrlRecord) -> Result<(), FrontierError> {
        let Some(on) = record.canonical.clone() else { return Ok(()) };
        let tie = record.fingerprint.map_or(Tie::None, Tie::Copy);
        self.tell(&record.url, News::Depends { on, tie })
    }

    /// A page was read, so what is kept of it stands in the corpus again, whatever was decided before.
    fn was_read(
        &mut self,
        url: &str,
        fingerprint: Option<Fingerprint>,
        asks_password: bool,
    ) -> Result<(), FrontierError> {
        let key = UrlKey::of(url);
        let Some(mut record) = self.record(key)?.filter(|record| record.kind == FetchKind::Page) else {
            return Ok(());
        };
        let stood = record.departure.is_none();
        let is_news = record.fingerprint != fingerprint;
        (record.fingerprint, record.departure) = (fingerprint, None);
        self.put_record(key, &record);
        self.claim(&record)?;
        self.mind_copies(key, asks_password)?;
        match fingerprint {
            None => {
                let domain = self.domain_of(url)?;
                self.places.domain_mut(domain).record.budget.regret();
            }
            Some(_) if is_news => self.mind_mirrors(key, &record)?,
            Some(_) => {}
        }
        if is_news || !stood {
            self.settle_dependants(key)?;
        }
        Ok(())
    }

    /// The page `url` depends on `on`, which is this frontier's own.
    fn depends(&mut self, url: &str, on: &str, tie: Tie) -> Result<(), FrontierError> {
        let (key, row) = (UrlKey::of(on), row_of(UrlKey::of(on), UrlKey::of(url)));
        if tie == Tie::None || url == on {
            self.store.dependants.delete(row);
            return Ok(());
        }
        // What nobody offered, or the scope leaves out, is never fetched.
        let Some(mut record) = self.record(key)? else { return Ok(()) };
        self.hang_on(url, &mut record, tie)?;
        self.pass_on(url, &record, tie)
    }

    /// Enters a page into the list of another.
    fn hang_on(&mut self, url: &str, on: &mut UrlRecord, tie: Tie) -> Result<(), FrontierError> {
        let (key, row) = (UrlKey::of(&on.url), row_of(UrlKey::of(&on.url), UrlKey::of(url)));
        if !std::mem::replace(&mut on.has_dependants, true) {
            self.put_record(key, on);
        }
        let before = self.store.dependants.get(&row, Dependant::decode)?;
        let is_out = before.is_some_and(|before| before.is_out);
        self.settle(on, row, Dependant { url: url.to_owned(), tie, is_out }, true)
    }

    /// Lets a page depend on the one at the end, too, where its canonical one leads on. From the page that it names alone, so that a chain
    /// without end costs each page a few steps.
    fn pass_on(&mut self, url: &str, named: &UrlRecord, tie: Tie) -> Result<(), FrontierError> {
        let Tie::Copy(_) = tie else { return Ok(()) };
        let is_named = |page: UrlRecord| page.canonical.as_ref() == Some(&named.url);
        if !self.record(UrlKey::of(url))?.is_some_and(is_named) {
            return Ok(());
        }
        match self.chain_from(&named.url)?.pop() {
            Some(mut last) if last.url != url && last.url != named.url => self.hang_on(url, &mut last, tie),
            _ => Ok(()),
        }
    }

    /// A page and those that it leads to, by redirects and canonical links, as far as this frontier knows them: ten at most.
    fn chain_from(&self, url: &str) -> Result<Vec<UrlRecord>, FrontierError> {
        let (mut chain, mut next) = (Vec::new(), Some(url.to_owned()));
        while let Some(url) = next.filter(|_| chain.len() <= usize::from(self.config.max_redirects)) {
            let Some(record) = self.record(UrlKey::of(&url))? else { break };
            next = match record.state {
                UrlState::Redirected => record.redirect.clone(),
                state if state.is_gone() => None,
                // What a page named last holds until it is read again.
                _ => record.canonical.clone(),
            };
            chain.push(record);
        }
        Ok(chain)
    }

    /// What a page means, as it is now, for those that depend on it.
    pub(crate) fn settle_dependants(&mut self, key: UrlKey) -> Result<(), FrontierError> {
        let Some(record) = self.record(key)?.filter(|record| record.has_dependants) else { return Ok(()) };
        if matches!(standing(&record), Standing::Open) {
            return Ok(());
        }
        let prefix = key.to_bytes();
        for (row, value) in self.store.dependants.scan(&prefix, &prefix, usize::MAX)? {
            let dependant = Dependant::decode(&value).ok_or_else(|| self.store.dependants.damaged(&row))?;
            let (url, tie) = (dependant.url.clone(), dependant.tie);
            self.settle(&record, row, dependant, false)?;
            self.pass_on(&url, &record, tie)?;
        }
        Ok(())
    }

    /// * `row`: the place of the dependant in the table.
    /// * `told`: the dependant was just told, and may have come into the corpus by that.
    fn settle(
        &mut self,
        on: &UrlRecord,
        row: Vec<u8>,
        mut dependant: Dependant,
        told: bool,
    ) -> Result<(), FrontierError> {
        let (url, before) = (dependant.url.clone(), dependant.is_out);
        let stands = standing(on);
        if let Tie::Redirect(hops) = dependant.tie {
            let news = match stands {
                Standing::Gone => News::Settled { on: on.url.clone(), departure: Some(Departure::DeadEnd) },
                Standing::Moved(target) if hops < self.config.max_redirects => {
                    News::Depends { on: target, tie: Tie::Redirect(hops + 1) }
                }
                _ => {
                    self.store.dependants.put(row, dependant.encode());
                    return Ok(());
                }
            };
            self.store.dependants.delete(row);
            return self.tell(&url, news);
        }
        dependant.is_out = match (stands, dependant.tie) {
            (Standing::Open, _) => before,
            (Standing::Kept(said), Tie::Copy(says)) => {
                let is_home = CanonicalUrl::parse(&on.url, None).is_ok_and(|on| on.is_home());
                are_alike(said, says, is_home)
            }
            _ => false,
        };
        let is_out = dependant.is_out;
        self.store.dependants.put(row, dependant.encode());
        if is_out != before || told && is_out {
            let departure = is_out.then_some(Departure::Canonical);
            self.tell(&url, News::Settled { on: on.url.clone(), departure })?;
        }
        Ok(())
    }

    /// What the page `on` means for `url`, which is this frontier's own.
    fn settled(&mut self, url: &str, on: &str, departure: Option<Departure>) -> Result<(), FrontierError> {
        let key = UrlKey::of(url);
        let Some(mut record) = self.record(key)? else { return Ok(()) };
        // It may have changed since.
        let is_named = match record.canonical.as_deref() {
            Some(named) => named == on || self.chain_from(named)?.iter().any(|page| page.url == on),
            None => false,
        };
        match departure {
            Some(Departure::DeadEnd) if record.state == UrlState::Redirected => {}
            Some(Departure::Canonical) if is_named && record.fingerprint.is_some() => {}
            None if is_named && record.departure == Some(Departure::Canonical) => return self.bring_home(key, record),
            _ => return Ok(()),
        }
        let parsed = self.stored_url(&record.url)?;
        departure.into_iter().for_each(|why| self.depart(&mut record, &parsed, why));
        self.put_record(key, &record);
        Ok(())
    }
}

fn standing(record: &UrlRecord) -> Standing {
    match record.state {
        state if state.is_gone() => Standing::Gone,
        UrlState::Redirected => record.redirect.clone().map_or(Standing::Unkept, Standing::Moved),
        UrlState::Disallowed => Standing::Unkept,
        // One that names another is no canonical page itself.
        UrlState::Done if record.canonical.is_some() || record.departure.is_some() => Standing::Unkept,
        UrlState::Done => record.fingerprint.map_or(Standing::Unkept, Standing::Kept),
        UrlState::Queued | UrlState::Leased | UrlState::Retrying | UrlState::Failed(_) => Standing::Open,
    }
}

/// Whether two texts are the same: nearly, under the same title, or almost to the word. Some sites name their home page on all pages, of which
/// some say little beside what all of them say, so there the title decides.
fn are_alike(a: Fingerprint, b: Fingerprint, is_home: bool) -> bool {
    let distance = (a.text ^ b.text).count_ones();
    let has_words = a.text != 0 && b.text != 0;
    has_words
        && if a.title == b.title { distance <= MAX_DISTANCE } else { distance <= MAX_DISTANCE_RETITLED && !is_home }
}

/// The place in the table of a page in the list of another.
fn row_of(on: UrlKey, url: UrlKey) -> Vec<u8> {
    [on.to_bytes(), url.to_bytes()].concat()
}

impl Dependant {
    fn encode(&self) -> Vec<u8> {
        let mut writer = RecordEncoder::default();
        writer.text(&self.url).flag(self.is_out);
        match self.tie {
            Tie::None => {}
            Tie::Redirect(hops) => _ = writer.number(0).number(u64::from(hops)),
            Tie::Copy(said) => _ = writer.number(1).number(said.text).number(said.title),
        }
        writer.0
    }

    pub(crate) fn decode(bytes: &[u8]) -> Option<Self> {
        let mut reader = RecordDecoder(bytes);
        let (url, is_out) = (reader.text()?, reader.flag()?);
        let tie = match reader.number()? {
            0 => Tie::Redirect(reader.small()?),
            1 => Tie::Copy(Fingerprint { text: reader.number()?, title: reader.number()? }),
            _ => return None,
        };
        Some(Self { url, tie, is_out })
    }
}
