"""Reads dataset folders with the readers that people use: read_dataset.py (FOLDER FORMAT)... Ends with status 1 if rows differ."""

import glob
import importlib
import json
import os
import sys
import tempfile

os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["HF_DATASETS_DISABLE_PROGRESS_BARS"] = "1"


def by_datasets(datasets, folder, kind):
    with tempfile.TemporaryDirectory() as cache:
        found = datasets.load_dataset(folder, split="train", cache_dir=cache)
        assert str(found.features["text"].dtype) == "string", found.features
        return list(found["url"])


def by_pandas(pandas, folder, kind):
    read = {"parquet": pandas.read_parquet, "csv": pandas.read_csv}
    lines = lambda path: pandas.read_json(path, lines=True)
    return [url for path in sorted(glob.glob(pattern(folder, kind))) for url in read.get(kind, lines)(path)["url"]]


def by_polars(polars, folder, kind):
    read = {"parquet": polars.read_parquet, "csv": polars.read_csv}
    lines = lambda path: polars.read_ndjson(path, infer_schema_length=None)
    return [url for path in sorted(glob.glob(pattern(folder, kind))) for url in read.get(kind, lines)(path)["url"]]


def by_duckdb(duckdb, folder, kind):
    return [url for (url,) in duckdb.execute(f"select url from '{pattern(folder, kind)}'").fetchall()]


def pattern(folder, kind):
    return os.path.join(folder, "data", f"*.{kind}")


def is_read_alike(folder, kind):
    with open(os.path.join(folder, "manifest.json")) as file:
        wanted = json.load(file)["rows"]
    alike, first = True, None
    for name in ["pandas", "polars", "duckdb", "datasets"]:
        try:
            module = importlib.import_module(name)
            if kind.endswith("zst"):
                importlib.import_module("zstandard")
        except ImportError as error:
            print(f"SKIPPED {name}: {error}")
            continue
        try:
            urls = sorted(globals()[f"by_{name}"](module, folder, kind))
            first = first or urls
            said = "the same" if len(urls) == wanted and urls == first else f"{len(urls)} rows, not {wanted}"
        except Exception as error:  # What a reader refuses is a finding about the dataset.
            said = f"{type(error).__name__}: {error!s:.600}"
        print(f"{name} {os.path.basename(folder)}: {said}")
        alike &= said == "the same"
    return alike


folders = [folder.rstrip("/") for folder in sys.argv[1::2]]
sys.exit(not all([is_read_alike(*pair) for pair in zip(folders, sys.argv[2::2], strict=True)]))
