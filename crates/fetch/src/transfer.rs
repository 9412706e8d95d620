//! The body on its way in: read piece by piece, kept raw and decoded at once, stopped at the first limit it breaks.

use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::{Bytes, BytesMut};
use gristmill_terms::{Cut, FetchKind};

use crate::budget::{BudgetShare, BudgetWait};
use crate::config::FetchConfig;
use crate::decode::{ContentEncoding, DecodeError, DecodeLimits, Decoder};
use crate::error::FetchError;
use crate::exchange::{RecordedBody, Recorder};
use crate::explain::explain;
use crate::media::{self, DeclaredType, SNIFF_BYTES};
use crate::response::ResponseBody;

/// RFC 9309 §2.5: a parser must read at least 500 KiB of robots.txt, and may stop there.
const ROBOTS_BYTES: usize = 500 * 1024;
/// Bodies of answers that no one reads are taken in up to here, since that keeps the connection for the next page.
const DRAIN_BYTES: usize = 64 * 1024;

/// Reads the body of a 2xx answer.
pub(crate) struct Transfer<'a> {
    config: &'a FetchConfig,
    url: &'a str,
    kind: FetchKind,
    declared: DeclaredType,
    limits: DecodeLimits,
    max_wire_bytes: usize,
    /// In the order in which they were applied; empty for none.
    codings: Vec<ContentEncoding>,
}

/// A body and how many bytes of it came over the wire.
pub(crate) struct TransferredBody {
    pub(crate) body: ResponseBody,
    pub(crate) wire_bytes: u64,
}

/// Where the end tag of a page is looked for: scripts and comments may stand behind it.
const END_BYTES: usize = 1 << 10;

impl<'a> Transfer<'a> {
    pub(crate) fn new(
        config: &'a FetchConfig,
        url: &'a str,
        kind: FetchKind,
        declared: DeclaredType,
        codings: Vec<ContentEncoding>,
    ) -> Self {
        let (max_bytes, max_wire_bytes) = match kind {
            FetchKind::Page | FetchKind::Render => (config.max_body_bytes, config.max_wire_bytes),
            FetchKind::Robots | FetchKind::Tdm => (config.max_body_bytes.min(ROBOTS_BYTES), config.max_wire_bytes),
            FetchKind::Sitemap | FetchKind::Feed => (config.max_listing_bytes, config.max_listing_bytes),
        };
        Self {
            max_wire_bytes,
            config,
            url,
            kind,
            declared,
            codings,
            limits: DecodeLimits { max_bytes, max_ratio: config.max_ratio },
        }
    }

    /// Takes the body in, with memory from the share of `incoming`, which the body keeps.
    pub(crate) async fn run(
        &self,
        response: &mut reqwest::Response,
        mut incoming: RecordedBody<'_>,
        waits: &BudgetWait,
    ) -> Result<TransferredBody, FetchError> {
        let begun = Instant::now();
        // Without a coding no second copy is needed: the raw bytes are the decoded ones.
        let mut decoder = self.codings.last().map(|coding| Decoder::new(*coding, self.limits));
        let (mut sniffed, mut cut) = (false, None);
        loop {
            let piece = match self.next_piece(response).await {
                Ok(Some(piece)) => piece,
                Ok(None) => break,
                Err(error) if self.keeps_start(&error) && !incoming.wire.is_empty() => {
                    cut = Some(Cut::Disconnect);
                    break;
                }
                Err(FetchError::Timeout { .. })
                    if self.may_lack_end()
                        && has_end_of_page(decoder.as_ref().map_or(&incoming.wire[..], Decoder::decoded)) =>
                {
                    cut = Some(Cut::Time);
                    break;
                }
                Err(error) => return Err(error),
            };
            let n_decoded = decoder.as_ref().map_or(0, |decoder| decoder.decoded().len());
            incoming.share.grow_to(incoming.wire.len() + n_decoded + piece.len()).await;
            incoming.wire.extend_from_slice(&piece);
            let is_full = self.account(&mut incoming, &piece, &mut decoder).await?;
            let decoded = decoder.as_ref().map_or(&incoming.wire[..], Decoder::decoded);
            // Below further codings there are no first bytes yet.
            let is_plain = decoder.is_none() || self.codings.len() < 2;
            if !sniffed && is_plain && (is_full || decoded.len() >= SNIFF_BYTES) {
                self.sniff(decoded)?;
                sniffed = true;
            }
            if is_full {
                return self.cut(incoming, decoder).await;
            }
            self.check_speed(incoming.wire.len(), begun.elapsed().saturating_sub(waits.total()))?;
        }
        let wire = incoming.end(cut);
        let (decoded, encoding, ended) = self.undo(decoder, &wire, &mut incoming.share).await?;
        if !sniffed {
            self.sniff(&decoded)?;
        }
        let (wire_bytes, truncated) = (wire.len() as u64, cut.is_some() || !ended);
        // What a decoder would refuse the next time is carried on unpacked.
        let (wire, encoding) = match encoding {
            Some(encoding) if !truncated => (wire, encoding),
            _ => (decoded.clone(), ContentEncoding::Identity),
        };
        if !self.kind.is_listing() {
            let (decoded, truncated) = self.unpack_file(decoded, truncated, &mut incoming.share).await?;
            let share = Some(Arc::new(incoming.share.take()));
            return Ok(TransferredBody {
                body: ResponseBody { wire, encoding, decoded, truncated, share },
                wire_bytes,
            });
        }
        drop(wire);
        Ok(TransferredBody { body: self.listing(decoded, truncated, &mut incoming.share).await?, wire_bytes })
    }

    /// Undoes what codings are left when all bytes of `wire` are there. Answers the bytes, the one coding that `wire` has, if it is
    /// one, and whether all streams came to their ends.
    async fn undo(
        &self,
        decoder: Option<Decoder>,
        wire: &Bytes,
        share: &mut BudgetShare,
    ) -> Result<(Bytes, Option<ContentEncoding>, bool), FetchError> {
        let Some(decoder) = decoder else { return Ok((wire.clone(), Some(ContentEncoding::Identity), true)) };
        let (mut decoded, mut ended) = self.ended(decoder, wire)?;
        let Some((outer, inner)) = self.codings.split_last() else { return Ok((decoded, None, ended)) };
        for coding in inner.iter().rev() {
            let (packed, mut decoder) = (decoded, Decoder::new(*coding, self.limits));
            let unpacked = decode(&mut decoder, &packed, wire.len() + packed.len(), share).await;
            let is_whole;
            (decoded, is_whole) = match unpacked {
                Err(DecodeError::Corrupt(_)) if media::is_text(&packed) => (packed, true),
                Err(error) => return Err(self.decode_error(error)),
                Ok(()) => self.ended(decoder, &packed)?,
            };
            ended &= is_whole;
        }
        let encoding = (inner.is_empty() && decoded != *wire).then_some(*outer);
        Ok((decoded, encoding, ended))
    }

    /// The bytes of a stream that gets no more, and whether it came to its end.
    fn ended(&self, decoder: Decoder, packed: &Bytes) -> Result<(Bytes, bool), FetchError> {
        match decoder.end() {
            Ok(()) => Ok((decoder.into_prefix().into(), true)),
            // Text is no stream that broke off: the coding was named, but not applied.
            Err(_) if media::is_text(packed) => Ok((packed.clone(), true)),
            Err(_) if self.may_lack_end() && !decoder.decoded().is_empty() => Ok((decoder.into_prefix().into(), false)),
            Err(error) => Err(self.decode_error(error)),
        }
    }

    /// Whether a body that ends early is kept as far as it came. Of what a site wishes, the rest could be the part that forbids.
    fn may_lack_end(&self) -> bool {
        self.config.allow_truncated && !self.kind.is_wish()
    }

    fn keeps_start(&self, error: &FetchError) -> bool {
        self.may_lack_end() && matches!(error, FetchError::Truncated { .. } | FetchError::Protocol { .. })
    }

    async fn next_piece(&self, response: &mut reqwest::Response) -> Result<Option<Bytes>, FetchError> {
        let limit = self.config.read_timeout;
        match tokio::time::timeout(limit, response.chunk()).await {
            Ok(Ok(piece)) => Ok(piece),
            Ok(Err(error)) => Err(explain(self.config, self.url, &error)),
            Err(_) => Err(FetchError::Timeout {
                url: self.url.to_owned(),
                setting: "read_timeout",
                limit,
                stage: "reading the body",
            }),
        }
    }

    /// Counts one piece; `true` when the body is full and ends here, which a page's may not.
    async fn account(
        &self,
        incoming: &mut RecordedBody<'_>,
        piece: &[u8],
        decoder: &mut Option<Decoder>,
    ) -> Result<bool, FetchError> {
        let (limit, n_wire) = (self.limits.max_bytes, incoming.wire.len());
        let mut broken = match decoder {
            Some(decoder) => decode(decoder, piece, n_wire, &mut incoming.share).await.err(),
            None => None,
        };
        if matches!(broken, Some(DecodeError::Corrupt(_))) && media::is_text(&incoming.wire) {
            // Servers name codings that they did not apply.
            (*decoder, broken) = (None, None);
        }
        if decoder.is_none() && n_wire > limit {
            broken = Some(DecodeError::TooLarge { limit });
        }
        match broken {
            Some(DecodeError::TooLarge { .. }) if self.kind.may_be_cut() => return Ok(true),
            Some(error) => return Err(self.decode_error(error)),
            None => {}
        }
        match n_wire > self.max_wire_bytes {
            true if self.kind.is_listing() => Ok(true),
            true => Err(self.too_large("max_wire_bytes", self.max_wire_bytes)),
            false => Ok(false),
        }
    }

    async fn cut(
        &self,
        mut incoming: RecordedBody<'_>,
        decoder: Option<Decoder>,
    ) -> Result<TransferredBody, FetchError> {
        let wire = incoming.end(Some(Cut::Length));
        let decoded = match decoder {
            Some(decoder) => Bytes::from(decoder.into_prefix()),
            None => wire.slice(..wire.len().min(self.limits.max_bytes)),
        };
        let wire_bytes = wire.len() as u64;
        drop(wire);
        Ok(TransferredBody { body: self.listing(decoded, true, &mut incoming.share).await?, wire_bytes })
    }

    /// The body of what is read once and not carried on: its decoded form stands for both.
    async fn listing(&self, decoded: Bytes, is_cut: bool, share: &mut BudgetShare) -> Result<ResponseBody, FetchError> {
        let (decoded, truncated) = self.unpack_file(decoded, is_cut, share).await?;
        let (wire, encoding) = (decoded.clone(), ContentEncoding::Identity);
        Ok(ResponseBody { wire, encoding, decoded, truncated, share: Some(Arc::new(share.take())) })
    }

    fn sniff(&self, decoded: &[u8]) -> Result<(), FetchError> {
        let Some(found) = media::judge_bytes(self.kind, &self.config.accept, &self.declared, decoded) else {
            return Ok(());
        };
        let wanted = media::wanted_types(self.kind);
        Err(FetchError::BadType { url: self.url.to_owned(), found: found.to_owned(), wanted })
    }

    fn check_speed(&self, n_bytes: usize, elapsed: Duration) -> Result<(), FetchError> {
        let limit = self.config.min_speed;
        if elapsed > self.config.min_speed_after && (n_bytes as f64) < limit as f64 * elapsed.as_secs_f64() {
            return Err(FetchError::TooSlow { url: self.url.to_owned(), limit });
        }
        Ok(())
    }

    /// A sitemap, feed or robots.txt kept as a gzip file (`sitemap.xml.gz`) is unpacked once; a file inside that stays packed.
    /// Tells also whether it was cut, as `is_cut` says of the file, or broken, if what came before may be kept.
    async fn unpack_file(
        &self,
        packed: Bytes,
        is_cut: bool,
        share: &mut BudgetShare,
    ) -> Result<(Bytes, bool), FetchError> {
        if matches!(self.kind, FetchKind::Page | FetchKind::Render) || !media::is_gzip(&packed) {
            return Ok((packed, is_cut));
        }
        let mut decoder = Decoder::new(ContentEncoding::Gzip, self.limits);
        match decode(&mut decoder, &packed, packed.len(), share).await {
            Err(DecodeError::TooLarge { .. }) => Ok((decoder.into_prefix().into(), true)),
            Err(error @ DecodeError::Ratio { .. }) => Err(self.decode_error(error)),
            Err(_) if self.config.allow_truncated => Ok((decoder.into_prefix().into(), true)),
            Err(error) => Err(self.decode_error(error)),
            Ok(()) if is_cut => Ok((decoder.into_prefix().into(), true)),
            Ok(()) => match decoder.end() {
                Err(error) if !self.config.allow_truncated => Err(self.decode_error(error)),
                ended => Ok((decoder.into_prefix().into(), ended.is_err())),
            },
        }
    }

    fn decode_error(&self, error: DecodeError) -> FetchError {
        let url = self.url.to_owned();
        match error {
            DecodeError::TooLarge { limit } => FetchError::TooLarge { url, setting: "max_body_bytes", limit },
            DecodeError::Ratio { limit } => FetchError::Ratio { url, limit },
            other => FetchError::BadEncoding { url, reason: other.to_string() },
        }
    }

    fn too_large(&self, setting: &'static str, limit: usize) -> FetchError {
        FetchError::TooLarge { url: self.url.to_owned(), setting, limit }
    }

    /// Refuses by the declared length, before any of the body is read; nothing is ever allocated by it.
    pub(crate) fn check_declared_length(&self, length: Option<u64>) -> Result<(), FetchError> {
        let limit = self.max_wire_bytes;
        match length {
            Some(length) if length > limit as u64 && !self.kind.may_be_cut() => {
                Err(self.too_large("max_wire_bytes", limit))
            }
            _ => Ok(()),
        }
    }
}

/// Whether the end of a page stands at the end of what came: of such a page nothing is missing, whatever length was announced.
fn has_end_of_page(decoded: &[u8]) -> bool {
    const END: &[u8] = b"</html";
    let last = &decoded[decoded.len().saturating_sub(END_BYTES)..];
    last.windows(END.len()).any(|tag| tag.eq_ignore_ascii_case(END))
}

/// Decodes a piece beside `other` bytes of the same body, a step of its share at a time.
async fn decode(
    decoder: &mut Decoder,
    mut piece: &[u8],
    other: usize,
    share: &mut BudgetShare,
) -> Result<(), DecodeError> {
    while !decoder.push_up_to(&mut piece, share.covered().saturating_sub(other))? {
        share.grow_to(other + decoder.decoded().len() + 1).await;
    }
    Ok(())
}

/// Takes in a short body that is no page, and turns away from a long, slow or broken one. Answers how many bytes came, and the first
/// of them if someone wants them.
pub(crate) async fn drain(
    config: &FetchConfig,
    response: &mut reqwest::Response,
    recorder: &Recorder,
    is_wanted: bool,
) -> (u64, Bytes) {
    let (mut n_bytes, mut kept) = (0, BytesMut::new());
    let reading = async {
        loop {
            let piece = match response.chunk().await {
                Ok(Some(piece)) => piece,
                Ok(None) => break None,
                Err(_) => break Some(Cut::Disconnect),
            };
            n_bytes += piece.len();
            if is_wanted || recorder.is_on() {
                kept.extend_from_slice(&piece[..piece.len().min(DRAIN_BYTES - kept.len())]);
            }
            if n_bytes > DRAIN_BYTES {
                break Some(Cut::Length);
            }
        }
    };
    // Cut off or not, the answer itself is known already.
    let limit = config.read_timeout.min(Duration::from_secs(2));
    let cut = tokio::time::timeout(limit, reading).await.unwrap_or(Some(Cut::Time));
    let kept = kept.freeze();
    recorder.body(kept.clone(), cut, None);
    (n_bytes as u64, kept)
}
