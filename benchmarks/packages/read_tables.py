"""Reads an export with the packages polars and datasets: `python read_tables.py FOLDER`.

Both take the type of a column from its first rows. Prints the rows of each file, or why it cannot
be read, as JSON.
"""

import csv
import json
import sys
import tempfile
from pathlib import Path

import datasets
import polars

datasets.disable_progress_bars()
csv.field_size_limit(sys.maxsize)


def by_polars(path: Path) -> int:
    if path.name.endswith(".csv"):
        frame = polars.read_csv(path, infer_schema_length=None)
        with path.open(newline="", encoding="utf-8") as lines:
            rows = list(csv.DictReader(lines))
        for name in frame.columns:  # texts are what the standard library reads
            if frame.schema[name] == polars.String:
                cells = [cell or "" for cell in frame[name]]
                assert cells == [row[name] for row in rows], name
        return len(frame)
    return len(polars.read_ndjson(path))


def by_datasets(path: Path, cache: str) -> int:
    kind = "csv" if path.name.endswith(".csv") else "json"
    found = datasets.load_dataset(kind, data_files=str(path), split="train", cache_dir=cache)
    return len(found)


def main(folder: Path) -> None:
    found: dict[str, dict[str, int | str]] = {"polars": {}, "datasets": {}}
    with tempfile.TemporaryDirectory() as cache:
        for path in sorted([*folder.glob("*.jsonl.gz"), *folder.glob("*.csv")]):
            for package, read in (
                ("polars", lambda path: by_polars(path)),
                ("datasets", lambda path: by_datasets(path, cache)),
            ):
                try:
                    found[package][path.name] = read(path)
                except Exception as error:  # noqa: BLE001 - whatever it is, it is the finding
                    found[package][path.name] = f"{type(error).__name__}: {str(error)[:300]}"
    print(json.dumps(found))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
