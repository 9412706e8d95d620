"""Reads a dataset folder with the readers that people use: read_dataset.py FOLDER FORMAT. Ends with status 1 if rows differ."""

import glob
import importlib
import json
import os
import sys
import tempfile

folder, kind = sys.argv[1].rstrip("/"), sys.argv[2]
os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["HF_DATASETS_DISABLE_PROGRESS_BARS"] = "1"
with open(os.path.join(folder, "manifest.json")) as file:
    wanted = json.load(file)["rows"]
files = sorted(glob.glob(os.path.join(folder, "data", f"*.{kind}")))
pattern = os.path.join(folder, "data", f"*.{kind}")


def by_datasets(datasets):
    with tempfile.TemporaryDirectory() as cache:
        found = datasets.load_dataset(folder, split="train", cache_dir=cache)
        assert str(found.features["text"].dtype) == "string", found.features
        return list(found["url"])


def by_pandas(pandas):
    read = {"parquet": pandas.read_parquet, "csv": pandas.read_csv}
    lines = lambda path: pandas.read_json(path, lines=True)
    return [url for path in files for url in read.get(kind, lines)(path)["url"]]


def by_polars(polars):
    read = {"parquet": polars.read_parquet, "csv": polars.read_csv}
    lines = lambda path: polars.read_ndjson(path, infer_schema_length=None)
    return [url for path in files for url in read.get(kind, lines)(path)["url"]]


def by_duckdb(duckdb):
    return [url for (url,) in duckdb.execute(f"select url from '{pattern}'").fetchall()]


bad, first = False, None
for name in ["pandas", "polars", "duckdb", "datasets"]:
    try:
        module = importlib.import_module(name)
        if kind.endswith("zst"):
            importlib.import_module("zstandard")
    except ImportError as error:
        print(f"SKIPPED {name}: {error}")
        continue
    try:
        urls = sorted(globals()[f"by_{name}"](module))
        first = first or urls
        said = "the same" if len(urls) == wanted and urls == first else f"{len(urls)} rows, not {wanted}"
    except Exception as error:  # What a reader refuses is a finding about the dataset.
        said = f"{type(error).__name__}: {error!s:.600}"
    print(f"{name} {os.path.basename(folder)}: {said}")
    bad |= said != "the same"
sys.exit(bad)
