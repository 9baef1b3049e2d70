"""What raters of another study said of documents in view, where people are to read it. Only reads.

Nothing is asked of the database where a study hides it, so that no page and no prompt has it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from judging.models import DocumentScore, Instrument, ItemSlot


@dataclass(frozen=True)
class Note:
    """The score of a document, what it is called, and the reasons of its raters."""

    score: int
    label: str
    reasons: tuple[str, ...]

    @property
    def said(self) -> str:
        return f"{self.score} ({self.label})" if self.label else str(self.score)


Notes = Mapping[tuple[int, str], Note]  # by item and slot


def shows_notes(instrument: Instrument) -> bool:
    return bool(instrument.design.get("documents_annotations") == "shown")


def notes_of(instrument: Instrument, items: Iterable[int]) -> Notes:
    """Empty where they are hidden."""
    if not shows_notes(instrument):
        return {}
    slots = ItemSlot.objects.filter(item__in=list(items), passage__isnull=False)
    beside = {(item, name): pk for item, name, pk in slots.values_list("item", "name", "passage")}
    scores = DocumentScore.objects.filter(instrument=instrument, passage__in=set(beside.values()))
    notes = {
        each.passage_id: Note(
            each.score, each.label, tuple(reason.text for reason in each.reasons.all())
        )
        for each in scores.prefetch_related("reasons")
    }
    return {at: notes[passage] for at, passage in beside.items() if passage in notes}
