"""Rubric's banks and graded passages in the terms of a corpus and of a study."""

import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from io import BytesIO
from itertools import chain
from pathlib import Path
from typing import Any

import msgspec
from django.utils.translation import gettext

from annotation.corpora.formats import nuggets, rubric
from annotation.corpora.formats.faults import FormatFault
from annotation.corpora.import_report import MOST_SHOWN
from annotation.corpora.reading.lines import Bounds, BrokenFile, FileLines, LongLine
from annotation.corpora.schema import BadLine
from annotation.texts.translation import translated, translated_error
from judging.instruments.files import BadInstrument, load
from judging.instruments.schema import CriterionSpec, InstrumentFile
from judging.labels.files import MOST_LINES, LabelLine, TooManyLines

OURS = "Crowdwright"  # the prompt class of our own export
HIGHEST = 5  # the grade of what is called correct, where nobody rated it
KEY_LENGTH, NAME_LENGTH, SETTINGS_LENGTH = 450, 200, 300
MOST_BANK = 20_000_000  # bytes, unpacked
NUL = re.compile(rb"(?<!\\)(?:\\\\)*\\u0000")  # as it is written in JSON


@dataclass(frozen=True, order=True)
class Grader:
    """An expert under a pseudonym, or a model with its prompt and settings."""

    name: str
    kind: str
    model: str = ""
    prompt_version: str = ""
    settings: str = ""


@dataclass
class RubricFiles:
    """Contents of the files.

    `topics` (key -> query), `passages` (topic, key, text), `rankings` (rows of a corpus); grades
    by grader; `left_out` counts what no study can hold. The first thousand bad lines are kept.
    """

    collection: str = ""
    topics: dict[str, str] = field(default_factory=dict)
    passages: list[dict[str, Any]] = field(default_factory=list)
    rankings: list[dict[str, Any]] = field(default_factory=list)
    entries: list[CriterionSpec] = field(default_factory=list)
    keys: set[str] = field(default_factory=set)  # of the entries
    ids: set[str] = field(default_factory=set)  # of entries, as the files have them
    asks_questions: bool = False
    grades: dict[Grader, list[LabelLine]] = field(default_factory=lambda: defaultdict(list))
    grade_count: int = 0
    judgments: list[dict[str, Any]] = field(default_factory=list)  # labels of passages, by rater
    left_out: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    bad: list[BadLine] = field(default_factory=list)
    bad_count: int = 0

    def refuse(self, bad: BadLine) -> None:
        self.bad_count += 1
        if len(self.bad) < MOST_SHOWN:
            self.bad.append(bad)


def read(*, bank: Path, passages: Path | None = None) -> RubricFiles:
    """Read a bank, and passages graded on it."""
    files = RubricFiles()
    for number, row in _rows(bank, rubric.banks, files):
        _take_bank(bank.name, number, row, files)
    for number, row in _rows(passages, rubric.passages, files) if passages else ():
        _take_query(number, row, files.keys, files)
    return files


def graded(
    *, path: Path, known: set[str], name: str = "", bounds: Bounds | None = None
) -> RubricFiles:
    """Read grades alone; `known` are the keys of entries. Raises TooManyLines with bounds."""
    files = RubricFiles()
    for number, row in _rows(path, rubric.passages, files, name=name, bounds=bounds):
        _take_query(number, row, known, files)
        files.passages, files.rankings = [], []  # for a corpus alone
        if bounds and files.grade_count > MOST_LINES:
            raise TooManyLines(name, MOST_LINES)
    return files


def instrument_of(found: RubricFiles) -> InstrumentFile:
    """Return the instrument for exam questions or nuggets with the bank's entries as points.

    Raises BadInstrument.
    """
    ready = load("exam-questions" if found.asks_questions else "nuggets")
    asked_criteria = {question.criterion for question in ready.questions}
    criteria: list[CriterionSpec] = [
        criterion for criterion in ready.criteria if criterion.key in asked_criteria
    ]
    if long := [entry.key for entry in found.entries if len(entry.key) > KEY_LENGTH]:
        message = gettext("Entry ID {key!r} is longer than {most} characters.")
        raise BadInstrument("long_key", message.format(key=long[0], most=KEY_LENGTH))
    return msgspec.structs.replace(ready, criteria=[*criteria, *found.entries])


def instrument_of_bank(content: bytes, *, name: str) -> InstrumentFile:
    """Return the instrument of an uploaded bank. Raises BadInstrument."""
    files = RubricFiles()
    bounds = Bounds(unpacked=MOST_BANK)
    try:
        rows = list(_rows(content, _banks, files, name=name, bounds=bounds))
    except TooManyLines as error:
        raise BadInstrument("too_many_lines", translated_error(error)) from error
    if not files.bad:
        for number, row in rows:
            _take_bank(name, number, row, files)
    if files.bad:
        count = files.bad_count
        message = gettext("{first} ({count} invalid rows in {name}.)") if count > 1 else "{first}"
        raise BadInstrument(
            "bad_rows", message.format(first=files.bad[0], count=f"{count:,}", name=name)
        )
    if not files.entries:
        raise BadInstrument("no_entries", gettext("{name} has no entries.").format(name=name))
    return instrument_of(files)


def _banks(lines: Iterable[str]) -> Iterator[tuple[int, rubric.RubricBank | FormatFault]]:
    """Yield the banks of a file of Rubric, or of nuggetizer."""
    rows = iter(lines)
    first = next((line for line in rows if line.strip()), "")
    try:
        is_nuggetizer = nuggets.is_nuggets(msgspec.json.decode(first or "{}"))
    except (msgspec.DecodeError, RecursionError):
        is_nuggetizer = False
    return (nuggets.banks if is_nuggetizer else rubric.banks)(chain([first], rows))


def _rows(
    path: Path | bytes,
    reader: Callable[[Iterable[str]], Iterable[tuple[int, Any]]],
    found: RubricFiles,
    *,
    name: str = "",
    bounds: Bounds | None = None,
) -> Iterator[tuple[int, Any]]:
    """Yield the good rows and refuse the others. Raises TooManyLines with bounds."""
    name = name or (path.name if isinstance(path, Path) else "")
    try:
        for number, row in reader(_texts_of(path, name=name, bounds=bounds)):
            if bounds and number > MOST_LINES:
                raise TooManyLines(name, MOST_LINES)
            if isinstance(row, FormatFault):
                found.refuse(BadLine(name, number, row.field, translated(row.reason)))
            elif NUL.search(msgspec.json.encode(row)):  # no database keeps it as it is
                found.refuse(BadLine(name, number, "", gettext("contains a NUL character")))
            else:
                yield number, row
    except UnicodeDecodeError:
        found.refuse(BadLine(name, 0, "", gettext("is not UTF-8")))
    except BrokenFile as error:
        found.refuse(BadLine(name, error.line, "", translated(error.reason)))


def _texts_of(file: Path | bytes, *, name: str, bounds: Bounds | None = None) -> Iterator[str]:
    """Yield the lines of a plain or packed file. Raises Broken or UnicodeDecodeError."""
    try:
        with BytesIO(file) if isinstance(file, bytes) else file.open("rb") as stream:
            is_gzip = name.lower().endswith(".gz")
            for number, line in FileLines(stream, is_gzip=is_gzip, bounds=bounds):
                if isinstance(line, LongLine):
                    raise BrokenFile(number, line.reason)
                yield line.decode()
    except OSError as error:
        raise BrokenFile(0, gettext("can't be opened: check path and permissions")) from error


def _take_bank(file: str, number: int, bank: rubric.RubricBank, found: RubricFiles) -> None:
    found.collection = found.collection or bank.test_collection or ""
    if found.topics.setdefault(bank.query_id, bank.query_text) != bank.query_text:
        message = gettext("{key!r} has a different query in an earlier row").format(
            key=bank.query_id
        )
        found.refuse(BadLine(file, number, "query_text", message))
    if bank.facet_id or bank.facet_text:
        found.left_out["facets"] += 1
    for entry in bank.items:
        found.asks_questions |= entry.question_id is not None
        found.left_out[gettext("gold answers")] += entry.gold_answers is not None
        # An id with the md5 of another text: the entry was edited, and is a new one.
        key = rubric.own_id(entry.key, entry.text)
        found.left_out[gettext("edited entries, imported as new")] += key != entry.key
        if key in found.keys or entry.key in found.ids:
            twice = key if key in found.keys else entry.key
            message = gettext("{key!r} is a duplicate").format(key=twice)
            found.refuse(BadLine(file, number, "items", message))
        found.keys.add(key)
        found.ids.add(entry.key)
        found.entries.append(
            CriterionSpec(key, entry.text[:NAME_LENGTH], entry.text, bank.query_id)
        )


def _take_query(number: int, query: rubric.Query, known: set[str], found: RubricFiles) -> None:
    topic, passages = query
    for passage in passages:
        found.passages.append(
            {"topic": topic, "passage": passage.paragraph_id, "text": passage.text}
        )
        data = passage.paragraph_data or rubric.ParagraphData(judgments=[], rankings=[])
        found.judgments += [
            {"topic": topic, "passage": passage.paragraph_id} | label
            for label in rubric.labels_of(passage)
        ]
        found.rankings += [
            {"system": place.method, "topic": topic, "passage": passage.paragraph_id}
            | {"rank": place.rank, "score": place.score}
            for place in data.rankings
        ]
        graders = set()
        for exam in passage.exam_grades or ():
            if (grader := grader_of(exam)) in graders:  # of several the first counts
                found.left_out[gettext("repeated grades for a passage")] += 1
            else:
                graders.add(grader)
                lines = _labels(number, topic, passage.paragraph_id, exam, known, found)
                found.grades[grader] += lines
                found.grade_count += max(len(lines), 1)  # a grader without any is held, too


def grader_of(exam: rubric.ExamGrades) -> Grader:
    """Return who graded: an expert, or a model with its prompt and options."""
    llm, options = exam.llm or rubric.LEGACY, exam.llm_options or {}
    kind = options.get("rater", "model")
    if kind in ("crowd", "expert"):
        return Grader(llm, "expert")
    prompt = str((exam.prompt_info or {}).get("prompt_class", ""))
    if prompt in ("", OURS):
        return Grader(llm, "model", model=llm)
    settings = json.dumps(options, sort_keys=True)[:SETTINGS_LENGTH] if options else ""
    return Grader(f"{llm} {prompt}"[:100], "model", llm[:100], prompt[:100], settings)


def _labels(
    number: int,
    topic: str,
    passage: str,
    exam: rubric.ExamGrades,
    known: set[str],
    found: RubricFiles,
) -> list[LabelLine]:
    """Return a line for each entry that a grader graded on a passage."""
    comments, rated = dict(exam.answers), ratings_of(exam)
    found.left_out[gettext("grades for entries that aren't in the bank")] += len(
        {entry for entry, _ in rated} - known
    )
    return [
        LabelLine(
            number=number,
            value=str(rating),
            topic=topic,
            comment=comments.get(entry, ""),
            contents={"criterion": entry, "passage": passage},
        )
        for entry, rating in rated  # one that is rated twice contradicts itself: the import says it
        if entry in known
    ]


def ratings_of(exam: rubric.ExamGrades) -> list[tuple[str, int]]:
    """Return the grade of each entry, as the file names it."""
    if exam.self_ratings is not None:
        return [(self_rating.entry, self_rating.self_rating) for self_rating in exam.self_ratings]
    # Graded with an answer key: right or wrong.
    wrong = [(entry, 0) for entry in exam.wrongAnswered]
    return [*wrong, *((entry, HIGHEST) for entry in exam.correctAnswered)]
