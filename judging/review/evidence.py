"""What the answers of a questionnaire say about how it was done: numbers, never a verdict.

Pure: no Django. The limits are high on purpose. Of the 450 questionnaires of the Crowd RAG Corpus
2025 none has one key for nine in ten answers, and 8 have one answer to all questions of nine in ten
items. Whoever reaches them may still have been honest; a person decides.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

VERSION = 1  # of the rules; what was examined by others is examined again
SAME_SHARE, SAME_ANSWERS = 0.9, 20  # the same key for nine in ten of at least 20 answers
ALIKE_SHARE, ALIKE_ITEMS, ALIKE_QUESTIONS = 0.9, 10, 3  # one key for all questions of an item
LEAST_AN_ITEM = 3.0  # seconds; nobody reads and answers faster


@dataclass(frozen=True)
class Given:
    """One answer: the item, and the key that gives it (place of the option on its scale)."""

    item: int
    key: str


@dataclass(frozen=True)
class Mark:
    """A rule that work was marked by, and its numbers."""

    rule: str
    numbers: Mapping[str, Any]

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    @property
    def sentence(self) -> str:
        return SENTENCES[self.rule].format(**self.numbers)


SENTENCES = {
    "fast": "{answers} answers to {items} items in {took}; {expected} is the least that is "
    "expected",
    "same": "The same key {key}, {same} of {answers} times",
    "alike": "One answer to all questions of an item, on {alike} of {items} items",
}


def marks_of(*, given: Sequence[Given], seconds: float | None, minimum_seconds: int) -> list[Mark]:
    """What somebody should look at. `seconds` are those from consent to handing in, if known."""
    found = [_fast(given, seconds, minimum_seconds), _same(given)]
    if found[1] is None:  # who gives one answer alone gives it to all questions, too
        found.append(_alike(given))
    return [mark for mark in found if mark is not None]


def _fast(given: Sequence[Given], seconds: float | None, minimum: int) -> Mark | None:
    items = len({each.item for each in given})
    least = max(minimum, LEAST_AN_ITEM * items)
    if not seconds or seconds >= least:
        return None
    numbers = {
        "answers": len(given),
        "items": items,
        "took": span(seconds),
        "expected": span(least),
    }
    return Mark("fast", numbers)


def _same(given: Sequence[Given]) -> Mark | None:
    if len(given) < SAME_ANSWERS:
        return None
    key, same = Counter(each.key for each in given).most_common(1)[0]
    if same < SAME_SHARE * len(given):
        return None
    return Mark("same", {"key": key, "same": same, "answers": len(given)})


def _alike(given: Sequence[Given]) -> Mark | None:
    by_item: dict[int, list[str]] = defaultdict(list)
    for each in given:
        by_item[each.item].append(each.key)
    items = [keys for keys in by_item.values() if len(keys) >= ALIKE_QUESTIONS]
    alike = sum(len(set(keys)) == 1 for keys in items)
    if len(items) < ALIKE_ITEMS or alike < ALIKE_SHARE * len(items):
        return None
    return Mark("alike", {"alike": alike, "items": len(items)})


def span(seconds: float) -> str:
    """17 s, or 8 min 20 s."""
    whole = round(seconds)
    minutes, rest = divmod(whole, 60)
    if not minutes:
        return f"{whole} s"
    return f"{minutes} min {rest} s" if rest else f"{minutes} min"
