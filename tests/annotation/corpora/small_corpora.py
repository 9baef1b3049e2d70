"""A small corpus on disk, for the tests that read or import one."""

import csv
import gzip
import io
import json
from pathlib import Path
from typing import Any

from annotation.corpora.corpus_files import CorpusFile
from annotation.corpora.readers import reading
from annotation.corpora.schema import BadLine, FileLine, RowKind
from annotation.models import Citation, Corpus, Passage, Ranking, Response, System, Topic

TOPIC = {"topic": "t1", "query": "why do leaves turn red?"}
PASSAGE = {"topic": "t1", "passage": "p0", "rank": 1, "title": "Leaves", "text": "Sugar."}
SYSTEM = {"system": "s1", "name": "Pipeline A", "origin": "llm"}
RESPONSE = {
    "response": "r1",
    "topic": "t1",
    "style": "essay",
    "origin": "human",
    "system": "s1",
    "text": "Because of sugar [0].",
}
PASSAGES = [PASSAGE | {"passage": f"p{rank - 1}", "rank": rank} for rank in (1, 2, 3)]
WHOLE = {"topics": [TOPIC], "passages": PASSAGES, "systems": [SYSTEM], "responses": [RESPONSE]}


def plain(**change: Any) -> dict[str, Any]:
    """Return a row of a response with nothing but what it must state."""
    return {name: RESPONSE[name] for name in ("response", "topic", "style", "origin")} | change


def write(path: Path, content: bytes | list[Any]) -> CorpusFile:
    """Write bytes, or rows in the format that the name says."""
    if not isinstance(content, bytes):
        content = (as_csv if ".csv" in path.name else as_jsonl)(content)
    path.write_bytes(gzip.compress(content) if path.suffix == ".gz" else content)
    return CorpusFile(path)


def as_jsonl(rows: list[dict[str, Any]]) -> bytes:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()


def as_csv(rows: list[dict[str, Any]]) -> bytes:
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, list(rows[0]))
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue().encode()


def read(file: CorpusFile, kind: RowKind | None = None) -> list[FileLine | BadLine]:
    with reading(CorpusFile(file.source, kind=kind, name=file.name)) as lines:
        return list(lines)


def complaints(file: CorpusFile, kind: RowKind | None = None) -> list[str]:
    return [str(line) for line in read(file, kind) if isinstance(line, BadLine)]


def contents() -> dict[str, list[dict[str, Any]]]:
    """All rows of all tables that an import fills."""
    models = (Corpus, Topic, Passage, System, Ranking, Response, Citation)
    return {model.__name__: list(model.objects.order_by("pk").values()) for model in models}
