"""Reads the files of a folder with the readers that people use, and compares the rows with `expected-*.json`.

Prints one line for each reader and format. Ends with status 1 if rows differ.
"""

import csv
import functools
import gzip
import importlib
import json
import math
import os
import sys
import tempfile
from datetime import datetime, timezone

folder = sys.argv[1]
os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["HF_DATASETS_DISABLE_PROGRESS_BARS"] = "1"
csv.field_size_limit(1 << 30)


class Missing(Exception):
    pass


def module(name):
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise Missing(name) from error


def by_python(path, kind):
    if kind == "csv":
        with open(path, newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))
    if kind == "parquet":
        return None
    if kind == "jsonl.zst":
        opened = module("compression.zstd").open(path, "rt", encoding="utf-8", newline="\n")
    else:
        opened = (gzip.open if kind.endswith("gz") else open)(path, "rt", encoding="utf-8", newline="\n")
    with opened as file:
        return [json.loads(line) for line in file]


def by_pyarrow(path, kind):
    if kind == "parquet":
        return module("pyarrow.parquet").read_table(path).to_pylist()
    if kind == "csv":
        reader, pa = module("pyarrow.csv"), module("pyarrow")
        with open(path, newline="", encoding="utf-8") as file:
            names = next(csv.reader(file))
        types = reader.ConvertOptions(column_types={name: pa.string() for name in names}, strings_can_be_null=False)
        parse = reader.ParseOptions(newlines_in_values=True)
        return reader.read_csv(path, convert_options=types, parse_options=parse).to_pylist()
    with module("pyarrow").input_stream(path) as stream:
        reader = module("pyarrow.json")
        return reader.read_json(stream, reader.ReadOptions(block_size=1 << 26)).to_pylist()


def by_pandas(path, kind):
    pandas = module("pandas")
    if kind == "parquet":
        frame = pandas.read_parquet(path, dtype_backend="pyarrow")
    elif kind == "csv":
        frame = pandas.read_csv(path, dtype=str, keep_default_na=False)
    else:
        if kind.endswith("zst"):
            module("zstandard")
        frame = pandas.read_json(path, lines=True, dtype=False, precise_float=True)
    return frame.to_dict("records")


def by_polars(path, kind):
    polars = module("polars")
    if kind == "parquet":
        return polars.read_parquet(path).to_dicts()
    if kind == "csv":
        return polars.read_csv(path, infer_schema=False).to_dicts()
    frame = polars.read_ndjson(path, infer_schema_length=None)
    # Its parser keeps objects of more than 32 members in a hash table, so the order of the columns is lost there.
    if len(frame.columns) > 32:
        frame = frame.select(list(expected(os.path.basename(path).split(".")[0], "typed")[0]))
    return frame.to_dicts()


def by_duckdb(path, kind):
    duckdb = module("duckdb")
    if kind == "parquet":
        source = "read_parquet(?)"
    elif kind == "csv":
        source = "read_csv(?, header = true, all_varchar = true, delim = ',', quote = '\"', escape = '\"')"
    else:
        with open(os.path.join(folder, f"types-{os.path.basename(path).split('.')[0]}.json")) as file:
            source = f"read_json(?, format = 'newline_delimited', columns = {file.read()})"
    found = duckdb.execute(f"select * from {source}", [path])
    names = [column[0] for column in found.description]
    return [dict(zip(names, row)) for row in found.fetchall()]


def by_datasets(path, kind):
    datasets = module("datasets")
    with tempfile.TemporaryDirectory() as cache:
        options = {}
        if kind == "csv":
            with open(path, newline="", encoding="utf-8") as file:
                names = next(csv.reader(file))
            features = datasets.Features({name: datasets.Value("string") for name in names})
            options = {"keep_default_na": False, "features": features}
        if kind.endswith("zst"):
            module("zstandard")
        name = "json" if kind.startswith("json") else kind
        found = datasets.load_dataset(name, data_files=path, split="train", cache_dir=cache, **options)
        return found.to_list()


def plain(value, name, kind):
    """One form for the values of all readers."""
    if value is None or type(value).__name__ == "NaTType" or (isinstance(value, float) and math.isnan(value)) or type(value).__name__ == "NAType":
        return "" if kind == "csv" else None
    if isinstance(value, (list, tuple)) or type(value).__name__ == "ndarray":
        return [plain(inner, name, kind) for inner in value]
    if isinstance(value, dict):
        return {key: plain(inner, key, kind) for key, inner in value.items()}
    if name == "simhash" and kind == "parquet":
        return f"{int(value):016x}"
    if hasattr(value, "isoformat"):
        return in_utc(value)  # pyarrow.json makes times of texts, too.
    return value


def in_utc(time):
    """A time, or a text that is one, as RFC 3339 in UTC; a text that is none as it is."""
    try:
        time = datetime.fromisoformat(time.removesuffix("Z")) if isinstance(time, str) else time
    except ValueError:
        return time
    time = time if getattr(time, "tzinfo", None) is None else time.astimezone(timezone.utc)
    return time.isoformat().replace("+00:00", "") + "Z"


@functools.cache
def expected(layout, values):
    with open(os.path.join(folder, f"expected-{layout}-{values}.json")) as file:
        return json.load(file)


def compare(reader, path, layout, kind):
    rows = reader(path, kind)
    if rows is None:
        return None
    wanted = expected(layout, "csv" if kind == "csv" else "typed")
    if len(rows) != len(wanted):
        return f"{len(rows)} rows, not {len(wanted)}"
    for i, (row, want) in enumerate(zip(rows, wanted)):
        if list(row) != list(want):
            return f"columns {list(row)}"
        for name, value in want.items():
            found = plain(row[name], name, kind)
            if found == value:
                continue
            if isinstance(value, str) and isinstance(found, str) and in_utc(found) == in_utc(value):
                continue
            if not (isinstance(value, float) and math.isclose(found, value, rel_tol=1e-15)):
                return f"row {i}, `{name}`: {found!r:.80}, not {value!r:.80}"
    return "the same"


bad = False
for name in ["python", "pyarrow", "pandas", "polars", "duckdb", "datasets"]:
    for kind in ["parquet", "jsonl", "jsonl.gz", "jsonl.zst", "csv"]:
        for layout in ["fineweb", "fineweb-2", "dclm", "gristmill"]:
            try:
                said = compare(globals()[f"by_{name}"], os.path.join(folder, f"{layout}.{kind}"), layout, kind)
            except Missing as missing:
                print(f"SKIPPED {name} {kind}: no module {missing}")
                break
            except Exception as error:  # What a reader refuses is a finding about that file.
                said = f"{type(error).__name__}: {error!s:.300}"
            if said is not None:
                print(f"{name} {kind} {layout}: {said}")
                bad |= said != "the same"
sys.exit(bad)
