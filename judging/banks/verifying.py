"""Verification of extracted answers against the correct answers of bank entries."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from annotation.models import Passage
from judging.answering.scales import ends_of
from judging.banks.answer_keys import is_correct
from judging.banks.entries_at import EntryAt, entries_at
from judging.models import Bank, EntryDecision, Question, Rater, Scale
from judging.raters.cells import Cell, cells_of

AND = EntryDecision.Aggregator.AND


@dataclass(frozen=True)
class VerifiedAnswer:
    """An extracted answer; `correct` is None if the entry has no answer key."""

    entry: str
    passage: str
    rater: str
    kind: str
    answer: str
    correct: bool | None


def verified_answers(bank: Bank) -> Iterator[VerifiedAnswer]:
    """Yield the extracted answers of a bank, oldest first, checked against its current keys."""
    by_key = {row.key: row for row in entries_at(bank)}
    questions = text_questions(bank)
    cells = [cell for cell in cells_of(bank) if (cell.study, cell.question) in questions]
    passages = dict(
        Passage.objects.filter(pk__in={cell.passage for cell in cells}).values_list("pk", "key")
    )
    raters = dict(
        Rater.objects.filter(pk__in={cell.rater for cell in cells}).values_list("pk", "pseudonym")
    )
    for cell in cells:
        entry = by_key.get(cell.entry)
        yield VerifiedAnswer(
            cell.entry,
            passages.get(cell.passage or 0, ""),
            raters[cell.rater],
            cell.kind,
            cell.value,
            None if entry is None else verdict(entry, cell.value),
        )


def with_verdicts(bank: Bank, cells: Sequence[Cell]) -> list[Cell]:
    """Return the cells with yes or no replaced by the verdict on the answer that the rater gave.

    Answers without a key have no verdict. Grades on longer scales are ratings: they stay.
    """
    asked = text_questions(bank)
    if not asked:
        return list(cells)
    by_key = {row.key: row for row in entries_at(bank) if row.answers}
    verdicts = {
        _place(cell): verdict(by_key[cell.entry], cell.value)
        for cell in cells
        if (cell.study, cell.question) in asked and cell.entry in by_key
    }
    ends = _yes_no_questions(bank)
    verified = []
    for cell in cells:
        correct = verdicts.get(_place(cell))
        scale = ends.get((cell.study, cell.question))
        if correct is not None and scale is not None and cell.score is not None:
            cell = replace(cell, score=scale[correct])
        verified.append(cell)
    return verified


def _place(cell: Cell) -> tuple[int, int, str, int | None, int | None]:
    return cell.study, cell.rater, cell.entry, cell.passage, cell.response


def _yes_no_questions(bank: Bank) -> dict[tuple[int, str], tuple[float, float]]:
    """Return the two scores of each question with two options, by (study, key)."""
    rows = Question.objects.filter(instrument__bank=bank, scale__kind=Scale.Kind.OPTIONS)
    scored = {
        (study, key): ends_of(spec)
        for study, key, spec in rows.values_list("study", "key", "scale__spec")
        if len(spec["options"]) == 2
    }
    return {place: ends for place, ends in scored.items() if ends is not None}


def text_questions(bank: Bank) -> set[tuple[int, str]]:
    """Return (study, key) of the questions that ask raters to extract an answer."""
    rows = Question.objects.filter(instrument__bank=bank, scale__kind=Scale.Kind.TEXT)
    return set(rows.values_list("study", "key"))


def verdict(entry: EntryAt, answer: str) -> bool | None:
    key = [row.get("answer", "") for row in entry.answers]
    return is_correct(answer, key, every=entry.aggregator == AND)
