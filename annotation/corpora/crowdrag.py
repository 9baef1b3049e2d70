"""The texts of the Crowd RAG Corpus 2025 as rows (Gienapp et al., SIGIR 2025). Only reads."""

import zlib
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Annotated, BinaryIO, Literal, TypeVar

import msgspec

from annotation.texts.coded_errors import CodedError

RETRIEVAL = "study1_retrieval.jsonl.gz"
TASKS = "study1_tasks.jsonl.gz"
HUMAN = "study1_responses_human.jsonl.gz"
LLM = "study1_responses_llm.jsonl.gz"
TEXTS = (RETRIEVAL, TASKS, HUMAN, LLM)

StyleName = Literal["bullet", "essay", "news"]
Grade = Annotated[float, msgspec.Meta(ge=-1, le=5)] | None  # an answer of a form, by its code

S = TypeVar("S", bound=msgspec.Struct)
Progress = Callable[[int], None]  # how many bytes of a file were read since the last call
BUFFER = 1 << 11  # bytes, up to a thousand times as many when inflated
GZIP = 31  # of zlib: with header and checksum


class BadCorpus(CodedError):
    """A file of the corpus is missing or not what it should be; the message says where."""


class CorpusSnapshot(msgspec.Struct):
    response: str
    topic: str
    style: StyleName
    timestamp: int
    text: str


History = tuple[str, list[CorpusSnapshot]]  # of a response


class WrittenTask(msgspec.Struct):
    response: str
    worker: str
    topic: str
    style: StyleName
    query_answerable: Grade = None
    query_controversial: Grade = None
    worker_knowledge: Grade = None
    worker_expertise: Grade = None
    worker_satisfaction: Grade = None
    references_quality: Grade = None
    references_extra: Grade = None
    references_omission: Grade = None


def rows(path: Path, kind: type[S], progress: Progress | None = None) -> Iterator[S]:
    """Yield the rows of a JSONL.gz file. Raises BadCorpus with file and line."""
    decoder = msgspec.json.Decoder(kind)
    number = before = 0
    try:
        with path.open("rb") as raw:
            rest = b""
            for data in _inflated(raw):
                lines = rest + data
                end = lines.rfind(b"\n") + 1
                rest = lines[end:]
                for row in _decoded(decoder, lines[:end], path.name, number):
                    number += 1
                    yield row
                if progress and (place := raw.tell()) != before:
                    progress(place - before)
                    before = place
            yield from _decoded(decoder, rest, path.name, number)
    except (OSError, EOFError, zlib.error) as error:
        raise BadCorpus("unreadable", f"{path.name}:{number + 1}: unreadable: {error}") from error


def _inflated(raw: BinaryIO) -> Iterator[bytes]:
    """Yield a gzip file piece by piece, in a third of the time that GzipFile takes."""
    stream = zlib.decompressobj(GZIP)
    while data := raw.read(BUFFER):
        while data:
            yield stream.decompress(data)
            if data := stream.unused_data.lstrip(b"\0"):  # another member, or padding
                stream = zlib.decompressobj(GZIP)
    if not stream.eof:
        raise EOFError("the file ends before its end marker")


def _decoded(decoder: msgspec.json.Decoder[S], lines: bytes, file: str, before: int) -> list[S]:
    """Decode the lines after `before` at once, or one by one to name the bad one."""
    count = lines.count(b"\n") + (lines[-1:] not in b"\n")
    try:
        decoded = decoder.decode_lines(lines)
        if len(decoded) == count:  # none is empty
            return decoded
    except (msgspec.DecodeError, RecursionError):
        pass
    decoded = []
    for number, line in enumerate(lines.split(b"\n")[:count], start=before + 1):
        try:
            decoded.append(decoder.decode(line))
        except (msgspec.DecodeError, RecursionError) as error:
            raise BadCorpus("bad_row", f"{file}:{number}: {error}") from error
    return decoded


def check_folder(folder: Path, files: Sequence[str]) -> None:
    """Raise BadCorpus unless these files are there."""
    missing = [name for name in files if not (folder / name).is_file()]
    if missing:
        raise BadCorpus(
            "missing_files", f"{folder} lacks files of the corpus: {', '.join(missing)}"
        )


def histories(path: Path, progress: Progress | None = None) -> Iterator[History]:
    """Yield the snapshots of one response after the other; the file keeps them together."""
    together = groupby(rows(path, CorpusSnapshot, progress), key=lambda row: row.response)
    return ((response, list(snapshots)) for response, snapshots in together)


def last_of(snapshots: Sequence[CorpusSnapshot]) -> CorpusSnapshot:
    """Return the last snapshot.

    Seven responses have two texts at the last timestamp; the later line of the file counts.
    """
    return max(reversed(snapshots), key=lambda snapshot: snapshot.timestamp)


def submitted_texts(
    path: Path, progress: Progress | None = None, note: Callable[[History], None] | None = None
) -> dict[str, CorpusSnapshot]:
    """Return the last snapshot of each response; `note` is called with all of each."""
    last: dict[str, CorpusSnapshot] = {}
    for history in histories(path, progress):
        if note:
            note(history)
        response, newest = history[0], last_of(history[1])
        if response not in last or newest.timestamp >= last[response].timestamp:
            last[response] = newest
    return last
