"""Verification of extracted answers against the correct answers of bank entries."""

from collections.abc import Iterator
from dataclasses import dataclass

from annotation.models import Passage
from judging.banks.answer_keys import is_correct
from judging.banks.entries_at import EntryAt, entries_at
from judging.models import Bank, EntryDecision, Question, Rater, Scale
from judging.raters.cells import cells_of

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
        Rater.objects.filter(pk__in={cell.rater for cell in cells}).values_list("pk", "name")
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


def text_questions(bank: Bank) -> set[tuple[int, str]]:
    """Return (study, key) of the questions that ask raters to extract an answer."""
    rows = Question.objects.filter(instrument__bank=bank, scale__kind=Scale.Kind.TEXT)
    return set(rows.values_list("study", "key"))


def verdict(entry: EntryAt, answer: str) -> bool | None:
    key = [row.get("answer", "") for row in entry.answers]
    return is_correct(answer, key, every=entry.aggregator == AND)
