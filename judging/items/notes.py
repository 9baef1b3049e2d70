"""Notes on documents in view: scores and reasons by raters of another study.

A study that hides them makes no query, so that no page and no prompt can show them.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from judging.models import DocumentReason, DocumentScore, Instrument, ItemSlot, TaskItem


@dataclass(frozen=True)
class Note:
    """Score of a document with its label and the reasons of its raters."""

    score: int
    label: str
    reasons: tuple[str, ...]

    @property
    def said(self) -> str:
        return f"{self.score} ({self.label})" if self.label else str(self.score)


Notes = Mapping[tuple[int, str], Note]  # by item and slot


def shows_notes(instrument: Instrument) -> bool:
    return bool(instrument.design.get("documents_annotations") == "shown")


def shown_of(instruments: Sequence[Instrument]) -> Instrument | None:
    """Return the first instrument if all show notes; else None.

    A page is read as a whole, so that one instrument hides the notes of all.
    """
    return instruments[0] if instruments and all(map(shows_notes, instruments)) else None


def notes_read(instrument: Instrument, items: Sequence[int], *, locked: bool = False) -> Notes:
    """Return the notes that people read on items of this instrument; its models read the same.

    On a page of several methods these are the page's. An item on several pages has none if one of
    them hides them: a model is asked once. An item on no page (before people are asked) has those
    of its instrument. `locked`: no reason is erased until the transaction ends, so that an erasure
    finds what was made of it.
    """
    if not shows_notes(instrument) or not instrument.study.is_one_page:
        return notes_of(instrument, items, locked=locked)
    pages: dict[tuple[int, int], list[Instrument]] = defaultdict(list)
    instrument_by_id = {
        study_instrument.pk: study_instrument
        for study_instrument in instrument.study.instruments.all()
    }
    rows = TaskItem.objects.filter(item__in=items).order_by("task", "position")
    for item, task, instrument_pk in rows.values_list("item", "task", "instrument"):
        pages[item, task].append(instrument_by_id[instrument_pk])
    whose: dict[int, Instrument | None] = dict.fromkeys(items, instrument)
    for (item, _), asked_there in pages.items():
        if instrument in asked_there and whose[item] is not None:
            whose[item] = shown_of(asked_there)
    notes: dict[tuple[int, str], Note] = {}
    for scored_by in {scorer for scorer in whose.values() if scorer is not None}:
        notes |= notes_of(
            scored_by,
            [item for item, scoring in whose.items() if scoring == scored_by],
            locked=locked,
        )
    return notes


def notes_of(instrument: Instrument, items: Iterable[int], *, locked: bool = False) -> Notes:
    """Return the notes, none if they are hidden. `locked`: as in `notes_read`."""
    if not shows_notes(instrument):
        return {}
    slots = ItemSlot.objects.filter(item__in=list(items), passage__isnull=False)
    beside = {(item, name): pk for item, name, pk in slots.values_list("item", "name", "passage")}
    scores = DocumentScore.objects.filter(instrument=instrument, passage__in=set(beside.values()))
    score_ids = list(scores)
    written = DocumentReason.objects.filter(score__in=score_ids).order_by("pk")
    if locked:
        written = written.select_for_update(no_key=True)
    reasons: dict[int, list[tuple[int, str]]] = defaultdict(list)
    for note in written:
        reasons[note.score_id].append((note.judgment_id, note.text))
    notes = {
        score.passage_id: Note(
            score.score, score.label, tuple(text for _, text in sorted(reasons[score.pk]))
        )
        for score in score_ids
    }
    return {at: notes[passage] for at, passage in beside.items() if passage in notes}
