"""Grades on a bank as files: graded passages of Rubric, extracted answers, qrels.

They have the grades of all studies of the bank on its confirmed entries, on one scale.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator
from functools import partial
from typing import Any, cast

import msgspec

from analysis.exports.kept_passages import KeptPassages
from analysis.exports.passages import RIGHT, Grade, exams_of, new_paragraphs
from analysis.inputs.bank_cells import POOLS, grade_levels_of, passage_grades
from analysis.stats.retrieval.coverage import By, qrels_of
from analysis.stats.retrieval.leaderboards import middle_of
from annotation.corpora.formats import trec
from annotation.models import Passage, Topic
from annotation.refusals import Refusal
from judging.banks.entries_at import EntryAt, confirmed_at, entries_at
from judging.banks.scales import BankScales, half_up
from judging.banks.secrets import public_entries, secret_keys_of
from judging.banks.verifying import text_questions, verified_answers, with_verdicts
from judging.models import Bank, PassageFile, Rater
from judging.raters.cells import cells_of

Grades = dict[str, dict[str, list[Grade]]]  # by topic and passage
KIND_OF_ENTRY = {Bank.Kind.QUESTIONS: "question", Bank.Kind.NUGGETS: "nugget"}


def grade_lines(bank: Bank, name: str, *, pool: str = "", secret: bool = False) -> Iterator[bytes]:
    """Yield the lines of a file: `rubric`, `answers`, or that of `qrels`.

    Raises Refusal for keys that no qrels can have.
    """
    if name == "rubric":
        yield from (
            msgspec.json.encode(row) + b"\n" for row in graded_passages(bank, secret=secret)
        )
    elif name == "answers":
        entries = entries_at(bank)
        shown = {row.key for row in (entries if secret else public_entries(bank, entries))}
        for row in verified_answers(bank):
            if row.entry in shown and (not pool or row.kind in POOLS[pool]):
                yield msgspec.json.encode(row) + b"\n"
    else:
        try:
            yield from (line.encode() for line in qrels(bank, name, pool=pool))
        except ValueError as error:
            raise Refusal("WhiteSpaceInKey", error.args[0]) from error


def graded_passages(bank: Bank, *, secret: bool = False) -> Iterator[Any]:
    """Yield the lines of Rubric's file: [topic, passages]; those of imported files come first.

    Without `secret`, grades on secret entries are left out.
    """
    entries = confirmed_at(bank)
    shown = entries if secret else public_entries(bank, entries)
    hidden = frozenset[str]() if secret else secret_keys_of(bank)
    exams = partial(exams_of, kind_of_entry=KIND_OF_ENTRY[Bank.Kind(bank.kind)])
    files = PassageFile.objects.filter(study__instruments__bank=bank).distinct().order_by("pk")
    kept = KeptPassages(files, exams, hidden=hidden)
    by_topic = _grades(bank, shown)
    for topic in Topic.objects.filter(corpus=bank.corpus).order_by("pk"):
        graded = by_topic[topic.key]
        names = {row.key: row.key for row in shown if row.topic_id == topic.pk}
        lines, present = kept.merged(topic.key, graded, names)
        yield from lines
        passages = topic.passages.filter(key__in=set(graded) - present).order_by("rank")
        if passages:
            yield topic.key, new_paragraphs(topic, passages, graded, names, exams)


def qrels(bank: Bank, by: str, *, pool: str = "") -> Iterator[str]:
    """Yield the lines of a qrels file.

    by: maximum, count or threshold (the grade that covers an entry) of the grades of a passage.
    `facets` is the maximum for each facet, with topics such as topic/facet. `entries` has each
    grade, with the key of the entry as the iteration.
    """
    _, grades = passage_grades(bank, pool)
    entries = {row.key: row for row in confirmed_at(bank)}
    grades = grades[grades["entry"].isin(list(entries))]
    if by == "entries":
        rows = grades.sort_values(["topic", "entry", "passage"]).to_dict("records")
        yield from trec.written_qrels(
            trec.Graded(row["topic"], row["passage"], row["grade"], row["entry"]) for row in rows
        )
        return
    if by == "facets":
        queries = [
            "/".join(filter(None, (entries[key].topic, entries[key].facet)))
            for key in map(str, grades["entry"])
        ]
        grades, by = grades.assign(topic=queries), "maximum"
    level = middle_of(grade_levels_of(bank)) if by == "threshold" else RIGHT
    yield from trec.written_qrels(
        trec.Graded(topic, passage, grade)
        for topic, graded in sorted(qrels_of(grades, cast(By, by), level=level).items())
        for passage, grade in sorted(graded.items())
    )


def _grades(bank: Bank, entries: Collection[EntryAt]) -> Grades:
    """Return each rater's last grade of each passage on each of the entries.

    Words that a rater extracted stand in the place of the comment.
    """
    keys, scales = {row.key: row.topic for row in entries}, BankScales.of(bank)
    cells = [cell for cell in cells_of(bank) if cell.entry in keys and cell.passage]
    asked = text_questions(bank)
    extracted = {
        (cell.rater, cell.passage, cell.entry): cell.value
        for cell in cells
        if (cell.study, cell.question) in asked
    }
    raters = dict(Rater.objects.in_bulk({cell.rater for cell in cells}))
    passages = Passage.objects.filter(topic__corpus=bank.corpus).values_list("pk", "key")
    by_passage = dict(passages)
    grades: dict[tuple[int, int | None, str], Grade] = {}
    for cell in with_verdicts(bank, cells):
        if cell.score is not None:
            place = (cell.rater, cell.passage, cell.entry)
            grades[place] = Grade(
                keys[cell.entry], by_passage[cell.passage or 0], cell.entry,
                raters[cell.rater].pseudonym, cell.kind, int(half_up(scales.grade_of(cell))),
                extracted.get(place) or cell.comment,
            )  # fmt: skip
    by_topic: Grades = defaultdict(lambda: defaultdict(list))
    for grade in grades.values():
        by_topic[grade.topic][grade.passage].append(grade)
    return by_topic
