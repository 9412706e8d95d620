"""Web archives to a dataset in Parquet on Apache Spark: ``python with_spark.py OUT ARCHIVE...``

Needs ``pip install gristmill pyspark pyarrow pandas`` on each machine. Spark gives each archive to a Python process, which
hands the rows over as Arrow record batches. What a process that died has written is thrown away, and its archive is
read again on another. `PYSPARK_PYTHON` names the Python of the processes.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator

import gristmill
import pyarrow
from pyspark.sql import SparkSession
from pyspark.sql.pandas.types import from_arrow_schema

# All but `simhash`: Spark has no integers without sign.
COLUMNS = ["url", "title", "text", "author", "published_at", "language", "language_score", "kind", "fetched_at", "id"]


def rows(parts: Iterable[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
    """The documents of the archives whose paths come in."""
    for part in parts:
        for path in part.column("path").to_pylist():
            # One thread: Spark runs as many processes as there are cores.
            batches = gristmill.read_archive(path, format="arrow", columns=COLUMNS, threads=1)
            yield from pyarrow.RecordBatchReader.from_stream(batches)


def main(out: str, archives: list[str]) -> None:
    # `local[2,4]`: two cores of this machine, and four tries of each archive. A cluster has its address here.
    builder = SparkSession.builder.master("local[2,4]").config("spark.ui.enabled", "false")
    spark = builder.config("spark.sql.parquet.outputTimestampType", "TIMESTAMP_MICROS").getOrCreate()
    schema = from_arrow_schema(pyarrow.schema(gristmill.extract_many([], format="arrow", columns=COLUMNS)))
    paths = spark.sparkContext.parallelize([(path,) for path in archives], len(archives)).toDF("path string")
    paths.mapInArrow(rows, schema).write.parquet(out)
    spark.stop()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
