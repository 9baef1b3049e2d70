"""The net edits of compositions: text that an input method, a phone or a dead key puts together.

An input method changes its letters until the word is done: n, に, にほn, にほん, 日本. The log has
all of it, because the text must be right at every moment. The writer typed 日本 and deleted
nothing, and that is what measures count. Pure.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from writing.process.replay import Step

COMPOSED = "Composition"  # in the input type of an edit
MOST_COMPOSED = 1_000  # units of one composition; more is looked at edit by edit

Unit = tuple[int, int]  # the step that inserted it, and its place there


class Settled(NamedTuple):
    """The steps of a log as net edits, as many as before; `replaced` units gave way to others.

    A step of which nothing remains keeps its time, and has neither deleted nor inserted units.
    """

    steps: list[Step]
    replaced: int


def is_composed(step: Step) -> bool:
    return COMPOSED in step.input


def _has_composed(steps: Iterable[Step]) -> bool:
    return any(COMPOSED in kind for kind in {step.input for step in steps})


def settled(steps: Sequence[Step]) -> Settled:
    """Return the net edits: the text that they rebuild at the end is the same.

    Units that a composition replaced by others were neither typed nor deleted. What it only took
    away was deleted: so a phone sends a backspace.
    """
    if not _has_composed(steps):
        return Settled(list(steps), 0)
    trimmed = list(_trimmed(steps))
    replaced = {
        unit
        for _, step, _, gone in _compositions(trimmed)
        if is_composed(step) and step.inserted
        for unit in gone
        if unit is not None
    }
    net = list(trimmed)
    for number, step, before, gone in _compositions(trimmed):
        keep = [place for place in range(len(step.codes)) if (number, place) not in replaced]
        net[number] = step._replace(
            at=step.at - sum(unit in replaced for unit in before),
            deleted=sum(unit not in replaced for unit in gone),
            inserted=b"".join(step.inserted[2 * place : 2 * place + 2] for place in keep),
            codes=type(step.codes)("i", (step.codes[place] for place in keep)),
        )
    return Settled(net, len(replaced))


def _trimmed(steps: Iterable[Step]) -> Iterator[Step]:
    """Composed edits without what they delete and put back: older logs have the whole word."""
    text = bytearray()
    for step in steps:
        end = 2 * (step.at + step.deleted)
        old = bytes(text[2 * step.at : end])
        text[2 * step.at : end] = step.inserted
        yield _changed(step, old) if is_composed(step) and old and step.inserted else step


def _changed(step: Step, old: bytes) -> Step:
    new, most = step.inserted, min(step.deleted, len(step.codes))
    head = tail = 0
    while head < most and old[2 * head : 2 * head + 2] == new[2 * head : 2 * head + 2]:
        head += 1
    while tail < most - head and (
        old[len(old) - 2 * tail - 2 : len(old) - 2 * tail]
        == new[len(new) - 2 * tail - 2 : len(new) - 2 * tail]
    ):
        tail += 1
    return step._replace(
        at=step.at + head,
        deleted=step.deleted - head - tail,
        inserted=new[2 * head : len(new) - 2 * tail],
        codes=step.codes[head : len(step.codes) - tail],
    )


def is_rewritten(steps: Sequence[Step]) -> bool:
    """Return whether compositions were recorded as the whole word at every letter.

    So the editor did until November 2026; their measures are those of the net edits all the same.
    """
    text = bytearray()
    if not _has_composed(steps):
        return False
    for step in steps:
        end = 2 * (step.at + step.deleted)
        old = bytes(text[2 * step.at : end])
        if is_composed(step) and old and step.inserted and old[:2] == step.inserted[:2]:
            return True
        text[2 * step.at : end] = step.inserted
    return False


class _Window:
    """The stretch of text that a composition has touched: for each unit the step it is from."""

    def __init__(self, step: Step) -> None:
        self.start = step.at
        self.units: list[Unit | None] = [None] * step.deleted

    def reaches(self, step: Step) -> bool:
        end = self.start + len(self.units)
        size = len(self.units) + len(step.codes) + step.deleted
        return self.start <= step.at + step.deleted and step.at <= end and size <= MOST_COMPOSED

    def apply(self, number: int, step: Step) -> tuple[list[Unit | None], list[Unit | None]]:
        """Make the change; return the units before it in the window, and those that are gone."""
        if step.at < self.start:
            self.units[:0] = [None] * (self.start - step.at)
            self.start = step.at
        first = step.at - self.start
        lacking = first + step.deleted - len(self.units)
        self.units += [None] * max(0, lacking)
        before, gone = self.units[:first], self.units[first : first + step.deleted]
        self.units[first : first + step.deleted] = [
            (number, place) for place in range(len(step.codes))
        ]
        return before, gone


def _compositions(
    steps: Sequence[Step],
) -> Iterator[tuple[int, Step, list[Unit | None], list[Unit | None]]]:
    """Yield each composition step with the units before it in its window and those it deletes.

    A composition continues through deletions within it, and ends with any other edit.
    """
    window: _Window | None = None
    for number, step in enumerate(steps):
        composed = is_composed(step) and len(step.codes) + step.deleted <= MOST_COMPOSED
        within = window is not None and window.reaches(step)
        if composed and not within:
            window = _Window(step)
        elif not composed and (not within or step.inserted):
            window = None
        if window is not None:
            yield number, step, *window.apply(number, step)
