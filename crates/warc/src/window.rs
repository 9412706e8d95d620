//! The decoded bytes that are in memory, and where in the file each comes from.

use std::collections::VecDeque;

/// Room that is made for one step of decoding, in bytes.
const CHUNK: usize = 128 << 10;

/// Where a compressed member, or a stretch of plain bytes, begins.
#[derive(Debug, Clone, Copy)]
struct Mark {
    /// Decoded bytes before it.
    at: u64,
    /// Its file offset.
    offset: u64,
    is_plain: bool,
}

#[derive(Default)]
pub(crate) struct DecodeWindow {
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    /// Decoded bytes before `start`.
    consumed: u64,
    marks: VecDeque<Mark>,
}

impl DecodeWindow {
    pub fn data(&self) -> &[u8] {
        &self.buffer[self.start..self.end]
    }

    pub fn data_mut(&mut self) -> &mut [u8] {
        &mut self.buffer[self.start..self.end]
    }

    pub fn consume(&mut self, n_bytes: usize) {
        self.start += n_bytes;
        self.consumed += n_bytes as u64;
        debug_assert!(self.start <= self.end);
        if self.start == self.end {
            (self.start, self.end) = (0, 0);
        }
        while self.marks.get(1).is_some_and(|next| next.at <= self.consumed) {
            self.marks.pop_front();
        }
    }

    /// Forgets all but the first `n_bytes`.
    pub fn truncate(&mut self, n_bytes: usize) {
        self.end = self.end.min(self.start + n_bytes);
    }

    /// Room for one to two [`CHUNK`]s of bytes behind the data; [`DecodeWindow::grow`] makes them data.
    ///
    /// Data moves to the front only if at least as much was consumed, so that a byte moves once on average.
    pub fn room(&mut self) -> &mut [u8] {
        if self.buffer.len() - self.end < CHUNK {
            let length = self.end - self.start;
            if self.start >= length.max(CHUNK) {
                self.buffer.copy_within(self.start..self.end, 0);
                (self.start, self.end) = (0, length);
            } else {
                self.buffer.resize((2 * self.buffer.len()).max(2 * CHUNK), 0);
            }
        }
        let room = self.buffer.len().min(self.end + 2 * CHUNK);
        &mut self.buffer[self.end..room]
    }

    pub fn grow(&mut self, n_bytes: usize) {
        self.end += n_bytes;
    }

    /// A member or a plain stretch begins behind the data.
    pub fn mark(&mut self, offset: u64, is_plain: bool) {
        let at = self.consumed + self.data().len() as u64;
        while self.marks.back().is_some_and(|last| last.at >= at) {
            self.marks.pop_back();
        }
        self.marks.push_back(Mark { at, offset, is_plain });
    }

    pub fn n_marks(&self) -> usize {
        self.marks.len()
    }

    /// Where the byte at an index of the data comes from.
    pub fn origin(&self, index: usize) -> ByteOrigin {
        let at = self.consumed + index as u64;
        let mark = self.marks.iter().rev().find(|mark| mark.at <= at);
        match mark {
            Some(mark) if mark.is_plain => ByteOrigin { offset: mark.offset + (at - mark.at), is_plain: true },
            Some(mark) => ByteOrigin { offset: mark.offset, is_plain: false },
            None => ByteOrigin { offset: 0, is_plain: true },
        }
    }
}

/// Where a byte comes from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct ByteOrigin {
    /// File offset of the byte itself if it is plain, else of the member that holds it.
    pub offset: u64,
    pub is_plain: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn push(window: &mut DecodeWindow, bytes: &[u8]) {
        window.room()[..bytes.len()].copy_from_slice(bytes);
        window.grow(bytes.len());
    }

    #[test]
    fn a_byte_knows_where_it_comes_from() {
        let mut window = DecodeWindow::default();
        window.mark(100, false);
        push(&mut window, b"abcd");
        window.mark(150, false);
        window.mark(170, true);
        push(&mut window, b"efgh");
        assert_eq!(window.origin(3), ByteOrigin { offset: 100, is_plain: false });
        assert_eq!(window.origin(5), ByteOrigin { offset: 171, is_plain: true });
        window.consume(5);
        assert_eq!((window.data(), window.n_marks()), (&b"fgh"[..], 1));
        assert_eq!(window.origin(0), ByteOrigin { offset: 171, is_plain: true });
    }

    #[test]
    fn the_buffer_stays_as_small_as_what_is_in_use() {
        let mut window = DecodeWindow::default();
        for _ in 0..1_000 {
            push(&mut window, &[1; 50_000]);
            window.consume(49_000.min(window.data().len()));
            let left = window.data().len();
            window.consume(left - left.min(1_000));
        }
        assert!(window.buffer.len() <= 4 * CHUNK, "{}", window.buffer.len());
    }
}
