//! The bytes of the file in order, with some of the past, so that a reader can go back without `Seek`.

use std::io::{self, Read};

/// Bytes before the present place that can be had again. A decoder that misses the end of a cut gzip member ran over the next
/// ones by 100 KiB at the worst; the rest is spare.
const HISTORY: usize = 1 << 20;

/// Bytes that one read asks for at least.
const CHUNK: usize = 128 << 10;

pub(crate) struct RewindableInput<R> {
    input: R,
    buffer: Vec<u8>,
    /// Where the next byte stands in the buffer, and where the buffer's bytes end.
    place: usize,
    end: usize,
    /// File offset of the buffer's first byte.
    base: u64,
    /// File offset from which the past is kept.
    held: u64,
    ended: bool,
    /// How many bytes may be read again: it grows with what is read anew, so that all remains linear.
    credit: u64,
}

impl<R: Read> RewindableInput<R> {
    pub fn new(input: R, offset: u64) -> Self {
        let credit = 4 * HISTORY as u64;
        RewindableInput {
            input,
            buffer: Vec::new(),
            place: 0,
            end: 0,
            base: offset,
            held: offset,
            ended: false,
            credit,
        }
    }

    /// File offset of the next byte.
    pub fn offset(&self) -> u64 {
        self.base + self.place as u64
    }

    /// The next bytes: at least `wanted`, fewer only at the end of the input.
    pub fn want(&mut self, wanted: usize) -> io::Result<&[u8]> {
        while self.end - self.place < wanted && !self.ended {
            self.read()?;
        }
        Ok(&self.buffer[self.place..self.end])
    }

    /// The last bytes that were passed, `n_bytes` of them as far as they are still known.
    pub fn behind(&self, n_bytes: usize) -> &[u8] {
        &self.buffer[self.place.saturating_sub(n_bytes)..self.place]
    }

    /// Goes on by bytes that [`RewindableInput::want`] showed.
    pub fn consume(&mut self, n_bytes: usize) {
        debug_assert!(n_bytes <= self.end - self.place);
        self.place += n_bytes;
    }

    /// Passes over bytes; says how many there were.
    pub fn pass_over(&mut self, n_bytes: u64) -> io::Result<u64> {
        let mut left = n_bytes;
        while left > 0 {
            let here = self.want(1)?.len();
            if here == 0 {
                break;
            }
            let step = left.min(here as u64);
            self.consume(step as usize);
            left -= step;
        }
        Ok(n_bytes - left)
    }

    /// Keeps what follows the offset, as far back as the history goes.
    pub fn hold(&mut self, offset: u64) {
        self.held = offset;
    }

    /// Goes back to the offset, or as near as the history allows; stays if too much has been read twice already.
    pub fn rewind(&mut self, offset: u64) {
        let target = offset.max(self.base);
        let back = self.offset().saturating_sub(target);
        if back <= self.credit {
            self.credit -= back;
            self.place -= back as usize;
        }
    }

    fn read(&mut self) -> io::Result<()> {
        if self.buffer.len() - self.end < CHUNK {
            self.make_room();
        }
        let n_read = loop {
            match self.input.read(&mut self.buffer[self.end..]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                other => break other?,
            }
        };
        self.ended = n_read == 0;
        self.end += n_read;
        self.credit += 2 * n_read as u64;
        Ok(())
    }

    /// Moves what is needed to the front. The buffer is at least twice as long, so that a byte moves once on average.
    fn make_room(&mut self) {
        let held = self.held.clamp(self.base, self.offset()) - self.base;
        let keep = (held as usize).max(self.place.saturating_sub(HISTORY));
        self.buffer.copy_within(keep..self.end, 0);
        self.base += keep as u64;
        self.place -= keep;
        self.end -= keep;
        if self.buffer.len() - self.end < CHUNK.max(self.end) {
            self.buffer.resize(2 * self.end + CHUNK, 0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_past_can_be_read_again_as_far_as_it_is_kept() {
        let bytes: Vec<u8> = (0..4 * HISTORY).map(|n| (n % 251) as u8).collect();
        let mut source = RewindableInput::new(&bytes[..], 100);
        source.hold(100);
        source.pass_over(HISTORY as u64 / 2).unwrap();
        source.rewind(105);
        assert_eq!((source.offset(), source.want(1).unwrap()[0]), (105, 5));
        source.pass_over(3 * HISTORY as u64).unwrap();
        source.rewind(105);
        let back = 3 * HISTORY as u64 + 105 - source.offset();
        assert!(back >= HISTORY as u64, "{back}");
        let index = (source.offset() - 100) as usize;
        assert_eq!(source.want(1).unwrap()[0], bytes[index]);
    }

    #[test]
    fn memory_does_not_grow_with_the_input() {
        let mut source = RewindableInput::new(io::repeat(7).take(64 << 20), 0);
        assert_eq!(source.pass_over(u64::MAX).unwrap(), 64 << 20);
        assert!(source.buffer.len() <= 4 * HISTORY, "{}", source.buffer.len());
    }

    #[test]
    fn going_back_again_and_again_ends() {
        let bytes = vec![0; HISTORY];
        let mut source = RewindableInput::new(&bytes[..], 0);
        let mut n_times = 0;
        loop {
            source.pass_over(HISTORY as u64).unwrap();
            source.rewind(0);
            if source.offset() > 0 {
                break;
            }
            n_times += 1;
        }
        assert_eq!(n_times, 6);
    }
}
