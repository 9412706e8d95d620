//! Pages of one batch, cut into runs that are worked on together: as many as their bodies may take memory at once.

use gristmill_log::{ConsumerRecord, ProducerRecord};
use gristmill_proto::{BodyRef, FetchedPage, ProtoError, WireEncoding, decode};

/// A record of the topic `pages`, read.
pub(crate) enum PageRecord {
    Page {
        /// Key of the record.
        key: String,
        page: Box<FetchedPage>,
    },
    /// It cannot be read; this goes to `rejects`.
    Unreadable(ProducerRecord),
}

/// Reads a batch and cuts it into runs whose bodies have at most `most` bytes unpacked, or one page. `largest` is what a body has
/// that does not tell; `reject` makes the record for what cannot be read.
pub(crate) fn runs(
    batch: Vec<ConsumerRecord>,
    most: u64,
    largest: u64,
    reject: impl Fn(&ConsumerRecord, &ProtoError) -> ProducerRecord,
) -> impl Iterator<Item = Vec<PageRecord>> {
    let mut records = batch.into_iter().peekable();
    let mut next = None;
    std::iter::from_fn(move || {
        let (mut run, mut bytes) = (Vec::new(), 0);
        while let Some(taken) = next.take().or_else(|| records.next().map(|stored| read(stored, &reject))) {
            let more = unpacked(&taken, largest);
            if !run.is_empty() && bytes + more > most {
                next = Some(taken);
                break;
            }
            bytes += more;
            run.push(taken);
        }
        (!run.is_empty()).then_some(run)
    })
}

fn read(stored: ConsumerRecord, reject: impl Fn(&ConsumerRecord, &ProtoError) -> ProducerRecord) -> PageRecord {
    match decode::<FetchedPage>(&stored.payload) {
        Ok(page) => PageRecord::Page { key: stored.key, page: Box::new(page) },
        Err(error) => PageRecord::Unreadable(reject(&stored, &error)),
    }
}

fn unpacked(taken: &PageRecord, largest: u64) -> u64 {
    let PageRecord::Page { page, .. } = taken else { return 0 };
    let told = page.unpacked.or_else(|| (page.encoding == WireEncoding::Identity).then(|| packed(&page.body)));
    // What is larger is refused when it is unpacked.
    let drawn = page.rendered.as_ref().map_or(0, |rendered| rendered.unpacked);
    told.unwrap_or(largest).min(largest) + drawn.min(largest)
}

fn packed(body: &BodyRef) -> u64 {
    match body {
        BodyRef::Inline(bytes) => bytes.len() as u64,
        BodyRef::Stored { size, .. } => *size,
    }
}

#[cfg(test)]
mod tests {
    use gristmill_log::RecordOffset;
    use gristmill_proto::{encode, topics};

    use super::*;

    fn page(encoding: WireEncoding, unpacked: Option<u64>) -> Vec<u8> {
        encode(&FetchedPage {
            order_id: 1,
            url: "http://a.test/".into(),
            status: 200,
            content_type: None,
            robots_tags: Vec::new(),
            tdm_reservation: None,
            tdm_policy: None,
            anchor_title: None,
            fetched_at: 1,
            encoding,
            unpacked,
            body: BodyRef::Inline(vec![b'x'; 40]),
            rendered: None,
        })
    }

    fn lengths(payloads: Vec<Vec<u8>>) -> Vec<usize> {
        let stored = |(position, payload)| ConsumerRecord {
            place: RecordOffset { topic: topics::PAGES, partition: 0, position },
            key: "a.test".into(),
            payload,
        };
        let batch = (0..).zip(payloads).map(stored).collect();
        let reject = |_: &ConsumerRecord, _: &ProtoError| ProducerRecord {
            topic: topics::REJECTS,
            key: String::new(),
            payload: vec![],
        };
        runs(batch, 1000, 600, reject).map(|run| run.len()).collect()
    }

    #[test]
    fn bodies_of_a_run_have_no_more_than_the_budget_unless_one_alone_has() {
        let told = |bytes| page(WireEncoding::Gzip, Some(bytes));
        assert_eq!(lengths(vec![told(300), told(500), told(200), told(500), told(500), told(1)]), [3, 2, 1]);
        assert_eq!(lengths(vec![told(5000), told(5000)]), [1, 1], "none may have more than the largest");
        assert_eq!(lengths(vec![told(10); 100]), [100]);
        assert_eq!(lengths(vec![]), Vec::<usize>::new());
    }

    #[test]
    fn a_page_that_does_not_tell_counts_as_the_largest_and_what_cannot_be_read_as_nothing() {
        let packed = page(WireEncoding::Gzip, None);
        let plain = page(WireEncoding::Identity, None);
        assert_eq!(lengths(vec![packed.clone(), packed.clone(), b"junk".to_vec(), plain.clone(), plain]), [1, 4]);
    }
}
