"""Lists the records of an archive as FastWARC and warcio see them: offset, ID, digest of the payload."""

import base64
import hashlib
import sys

from fastwarc.warc import ArchiveIterator
from warcio.archiveiterator import ArchiveIterator as WarcioIterator
from warcio.checker import Checker


class Arguments:
    """What `warcio check` takes."""

    inputs = [sys.argv[1]]
    verbose = False


def digest(payload):
    return "sha1:" + base64.b32encode(hashlib.sha1(payload).digest()).decode()


def fastwarc(path):
    with open(path, "rb") as file:
        for record in ArchiveIterator(file, parse_http=True):
            ident = record.headers["WARC-Record-ID"].strip("<>")
            yield record.stream_pos, ident, digest(record.reader.read())


def warcio(path):
    with open(path, "rb") as file:
        records = WarcioIterator(file)
        for record in records:
            ident = record.rec_headers["WARC-Record-ID"].strip("<>")
            payload = record.raw_stream.read()
            yield records.get_record_offset(), ident, digest(payload)


for name, read in ("fastwarc", fastwarc), ("warcio", warcio):
    for offset, ident, payload in read(sys.argv[1]):
        print(name, offset, ident, payload)
checker = Checker(Arguments())
checker.process_all()
sys.exit(checker.exit_value)
