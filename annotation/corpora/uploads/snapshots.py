"""The last text of each response from the snapshots of the Crowd RAG Corpus 2025, as rows.

The file has every state of every text. It is read twice, so that no texts are held: first which
line of each response is the last, then those lines. Only reads the upload.
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TypeVar

import msgspec
from django.utils.translation import gettext

from annotation.corpora.crowdrag import CorpusSnapshot, WrittenTask
from annotation.corpora.reading.lines import Bounds, BrokenFile, FileLines, LongLine
from annotation.corpora.rows import CitationsFrom
from annotation.models import Origin
from annotation.texts.json_faults import json_fault
from annotation.texts.sentences import Sentence
from annotation.texts.translation import translated

MOST_RESPONSES = 1_000_000
OF_PEOPLE = {"origin": Origin.HUMAN.value, "citations_from": CitationsFrom.EDITOR.value}


class SnapshotTime(msgspec.Struct):
    response: str
    timestamp: int


S = TypeVar("S", bound=msgspec.Struct)


def last_texts(path: Path, *, is_gzip: bool, bounds: Bounds, into: Path) -> None:
    """Write the last texts as rows of responses. Raises Broken at the first line that is wrong.

    Seven published responses have two texts at the last moment: the later line counts.
    """
    last: dict[str, tuple[int, int]] = {}
    for number, moment in _rows(path, SnapshotTime, is_gzip=is_gzip, bounds=bounds):
        at = (moment.timestamp, number)
        last[moment.response] = max(at, last.get(moment.response, at))
        if len(last) > MOST_RESPONSES:
            raise BrokenFile(
                number,
                gettext("has more than {most_responses:,} answers").format(
                    most_responses=MOST_RESPONSES
                ),
            )
    wanted = {number for _, number in last.values()}
    with into.open("w") as rows:
        for _, snapshot in _rows(path, CorpusSnapshot, is_gzip=is_gzip, bounds=bounds, only=wanted):
            row = {"response": snapshot.response, "topic": snapshot.topic, "style": snapshot.style}
            rows.write(json.dumps({**row, "text": snapshot.text or " ", **OF_PEOPLE}) + "\n")


def authors(
    path: Path, *, is_gzip: bool, bounds: Bounds, known: Mapping[str, str] | None = None
) -> dict[str, str]:
    """Who wrote which response, by their pseudonyms; `known` is what other files have said.

    Raises Broken, also where a response is given to two people: whoever was left out could be
    asked to judge the text.
    """
    authors = dict(known or {})
    for number, task in _rows(path, WrittenTask, is_gzip=is_gzip, bounds=bounds):
        before = authors.setdefault(task.response, task.worker)
        if before != task.worker:
            reason = gettext(
                "the author of {response!r} is {worker!r} here but was {before!r} in an earlier row"
            )
            raise BrokenFile(
                number,
                reason.format(worker=task.worker, response=task.response, before=before),
            )
    return authors


def _fault(error: Exception, line: bytes) -> str:
    if not isinstance(error, msgspec.ValidationError):
        return json_fault(error, line)
    return Sentence("a field is missing or has the wrong type")


def _rows(
    path: Path, kind: type[S], *, is_gzip: bool, bounds: Bounds, only: set[int] | None = None
) -> Iterator[tuple[int, S]]:
    decoder = msgspec.json.Decoder(kind)
    with path.open("rb") as raw:
        for number, line in FileLines(raw, is_gzip=is_gzip, bounds=bounds):
            if only is not None and number not in only:
                continue
            if isinstance(line, LongLine):
                raise BrokenFile(number, line.reason)
            try:
                yield number, decoder.decode(line)
            except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
                raise BrokenFile(
                    number,
                    gettext("is not a row of the Crowd RAG Corpus: {error}").format(
                        error=translated(_fault(error, line))
                    ),
                ) from error
