"""Mark a passage of a comment, which becomes a unit for all coders, or remove the mark."""

from django.db import transaction
from django.db.models import Max

from annotation.refusals import Refusal
from annotation.texts.sentences import Sentence
from judging.coding.starting import lock
from judging.models import CoderCall, CodingUnit, UnitCodes

MOST_PASSAGES = 50  # of a comment


def markable(text: str) -> str:
    """Return a text as pages show it, with the line ends that a browser counts."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


@transaction.atomic
def mark(*, unit: CodingUnit, start: int, passage: str) -> CodingUnit:
    """Add the passage that begins at a character of a comment as a unit, once.

    Raises Refusal for a passage that isn't there, and once the coding is closed.
    """
    coding = lock(unit.coding)
    text = markable(unit.text)
    passage = markable(passage)
    at = start + len(passage) - len(passage.lstrip())
    passage = passage.strip()
    is_there = start >= 0 and passage and text[at : at + len(passage)] == passage
    if not is_there or passage == text.strip() or unit.whole_id is not None:
        raise Refusal("BadPassage", Sentence("Select a part of the comment."), status=422)
    source = f"{unit.source}#{at}-{at + len(passage)}"
    if same := CodingUnit.objects.filter(coding=coding, source=source).first():
        return same
    if unit.passages.count() >= MOST_PASSAGES:
        sentence = Sentence("You can mark up to {n} passages in a comment.", n=MOST_PASSAGES)
        raise Refusal("TooManyPassages", sentence, status=422)
    last = coding.units.aggregate(last=Max("position"))["last"] or 0
    return CodingUnit.objects.create(
        coding=coding,
        position=last + 1,
        kind=unit.kind,
        source=source,
        text=passage,
        question=unit.question,
        whole=unit,
        start=at,
        assignment_id=unit.assignment_id,
        item_id=unit.item_id,
        instrument_id=unit.instrument_id,
    )


@transaction.atomic
def unmark(*, unit: CodingUnit) -> None:
    """Remove a marked passage that nobody has coded. Raises Refusal."""
    lock(unit.coding)
    if unit.whole_id is None or UnitCodes.objects.filter(unit=unit).exists():
        raise Refusal("PassageCoded", Sentence("This passage is already coded."))
    CoderCall.objects.filter(unit=unit).forget()
    unit.delete()
