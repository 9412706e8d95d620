"""Web archives to a dataset in Parquet on Ray Data: ``python with_ray.py OUT ARCHIVE...``

Needs ``pip install gristmill "ray[data]"`` on each machine. Ray gives each archive to a worker, which hands the rows over
as Arrow tables. The archive of a worker that died is read again by another, into the same files.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

import gristmill
import pyarrow
import ray

COLUMNS = ["url", "title", "text", "author", "published_at", "language", "language_score", "kind", "fetched_at", "id"]


def rows(paths: pyarrow.Table) -> Iterator[pyarrow.Table]:
    """The documents of the archives whose paths come in."""
    for path in paths.column("path").to_pylist():
        # One thread: Ray runs as many workers as there are cores.
        batches = gristmill.read_archive(path, format="arrow", columns=COLUMNS, threads=1)
        for batch in pyarrow.RecordBatchReader.from_stream(batches):
            yield pyarrow.Table.from_batches([batch])


def main(out: str, archives: list[str]) -> None:
    # This machine alone; `ray.init("auto")` takes the cluster that it belongs to.
    ray.init(num_cpus=2, include_dashboard=False)
    paths = ray.data.from_items([{"path": path} for path in archives], override_num_blocks=len(archives))
    paths.map_batches(rows, batch_size=1, batch_format="pyarrow", zero_copy_batch=True).write_parquet(out)
    ray.shutdown()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
