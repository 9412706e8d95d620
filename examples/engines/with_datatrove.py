"""Web archives to a dataset in Parquet with datatrove: ``python with_datatrove.py OUT FOLDER``

Needs ``pip install gristmill "datatrove[io]"``. Each archive of the folder is a task. Give the same command again after a
failure: tasks that are complete are passed over, and others begin anew. ``SlurmPipelineExecutor`` and
``RayPipelineExecutor`` of datatrove take the same pipeline.
"""

from __future__ import annotations

import sys
from pathlib import Path

from datatrove.executor import LocalPipelineExecutor
from datatrove.pipeline.writers import ParquetWriter
from gristmill.datatrove import GristmillExtractor, WarcReader


def main(out: str, folder: str) -> None:
    pipeline = [WarcReader(folder, glob_pattern="*.warc.gz"), GristmillExtractor(), ParquetWriter(f"{out}/data")]
    tasks = len(list(Path(folder).glob("*.warc.gz")))
    LocalPipelineExecutor(pipeline=pipeline, tasks=tasks, workers=1, logging_dir=f"{out}/logs").run()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
