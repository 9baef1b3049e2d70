"""Evidence on how a questionnaire was done: numbers, never a verdict.

Pure: no Django. The limits are high on purpose. Of the 450 questionnaires of the Crowd RAG Corpus
2025 none has one key for nine in ten answers, and 8 have one answer to all questions of nine in
ten items. A flagged worker may be honest; a person decides. Results of attention and gold items
are always shown.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

from annotation.texts.sentences import Sentence, marked

VERSION = 2  # of the rules; what was examined by others is examined again
SAME_SHARE, SAME_ANSWERS = 0.9, 20  # the same key for nine in ten of at least 20 answers
ALIKE_SHARE, ALIKE_ITEMS, ALIKE_QUESTIONS = 0.9, 10, 3  # one key for all questions of an item
SIDE_ITEMS = 10  # nine in ten choices on the same side, which is drawn, on so many items
LEAST_AN_ITEM = 3.0  # seconds; nobody reads and answers faster
QUICK_SHARE = 1 / 3  # of the pages in less than the least time that a study says for a page


class ExaminedAnswer(NamedTuple):
    """An answer: item, key (place of the option on its scale), and chosen `side` if drawn."""

    item: int
    key: str
    side: str = ""


@dataclass(frozen=True)
class CheckCounts:
    """Failed and all attention and gold items, quick and timed pages, copied and long remarks."""

    attention: tuple[int, int] = (0, 0)
    gold: tuple[int, int] = (0, 0)
    quick: tuple[int, int] = (0, 0)
    copied: tuple[int, int] = (0, 0)


@dataclass(frozen=True)
class EvidenceFlag:
    """A rule that flagged a submission, and its numbers."""

    rule: str
    numbers: Mapping[str, Any]

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    @property
    def sentence(self) -> Sentence:
        return Sentence(SENTENCES[self.rule], **self.numbers)


SENTENCES = {
    "fast": marked("{answers} answers in {took} (minimum {expected})"),
    "same": marked("Key {key} used for {same} of {answers} answers"),
    "alike": marked("Same answer to all questions on {alike} of {items} items"),
    "side": marked("{same} of {answers} answers on the same side"),
    "attention": marked("{failed} of {items} attention items failed"),
    "gold": marked("{failed} of {items} gold items failed"),
    "quick": marked("{quick} of {items} pages below the minimum time"),
    "copied": marked("{copied} of {remarks} comments match others' on the same item"),
}
# Which check of a study (annotation.studies.drafts.schema.Policies) a rule belongs to.
CHECK_OF = {"alike": "same", "side": "same", "quick": "fast"}


NOTHING = CheckCounts()


def marks_of(
    *,
    given: Sequence[ExaminedAnswer],
    seconds: float | None,
    minimum_seconds: int,
    checks: CheckCounts = NOTHING,
) -> list[EvidenceFlag]:
    """Return the flags; `seconds` are those from consent to submission, if known."""
    flags = [_failed("attention", checks.attention), _failed("gold", checks.gold)]
    flags += [_fast(given, seconds, minimum_seconds), _quick(checks.quick)]
    same = _same(given)
    # Who gives one answer alone gives it to all questions, and on one side, too.
    flags += [same] if same else [_side(given), _alike(given)]
    flags.append(_copied(checks.copied))
    return [mark for mark in flags if mark is not None]


def _failed(rule: str, counted: tuple[int, int]) -> EvidenceFlag | None:
    failed, items = counted
    return EvidenceFlag(rule, {"failed": failed, "items": items}) if failed else None


def _quick(counted: tuple[int, int]) -> EvidenceFlag | None:
    quick, items = counted
    if not quick or quick < QUICK_SHARE * items:
        return None
    return EvidenceFlag("quick", {"quick": quick, "items": items})


def _side(given: Sequence[ExaminedAnswer]) -> EvidenceFlag | None:
    sides = [answer for answer in given if answer.side]
    if len({side.item for side in sides}) < SIDE_ITEMS:
        return None
    same = Counter(side.side for side in sides).most_common(1)[0][1]
    if same < SAME_SHARE * len(sides):
        return None
    return EvidenceFlag("side", {"same": same, "answers": len(sides)})


def _copied(counted: tuple[int, int]) -> EvidenceFlag | None:
    copied, remarks = counted
    return EvidenceFlag("copied", {"copied": copied, "remarks": remarks}) if copied else None


def _fast(
    given: Sequence[ExaminedAnswer], seconds: float | None, minimum: int
) -> EvidenceFlag | None:
    items = len({answer.item for answer in given})
    least = max(minimum, LEAST_AN_ITEM * items)
    if not seconds or seconds >= least:
        return None
    numbers = {
        "answers": len(given),
        "items": items,
        "took": span(seconds),
        "expected": span(least),
    }
    return EvidenceFlag("fast", numbers)


def _same(given: Sequence[ExaminedAnswer]) -> EvidenceFlag | None:
    if len(given) < SAME_ANSWERS:
        return None
    key, same = Counter(answer.key for answer in given).most_common(1)[0]
    if same < SAME_SHARE * len(given):
        return None
    return EvidenceFlag("same", {"key": key, "same": same, "answers": len(given)})


def _alike(given: Sequence[ExaminedAnswer]) -> EvidenceFlag | None:
    by_item: dict[int, list[str]] = defaultdict(list)
    for answer in given:
        by_item[answer.item].append(answer.key)
    items = [keys for keys in by_item.values() if len(keys) >= ALIKE_QUESTIONS]
    alike = sum(len(set(keys)) == 1 for keys in items)
    if len(items) < ALIKE_ITEMS or alike < ALIKE_SHARE * len(items):
        return None
    return EvidenceFlag("alike", {"alike": alike, "items": len(items)})


def span(seconds: float) -> str:
    """Return a duration such as 17 s or 8 min 20 s."""
    whole = round(seconds)
    minutes, rest = divmod(whole, 60)
    if not minutes:
        return f"{whole} s"
    return f"{minutes} min {rest} s" if rest else f"{minutes} min"
