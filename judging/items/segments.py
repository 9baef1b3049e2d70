"""Text of a part of a response, and of all its sections."""

from collections.abc import Collection, Iterable

from annotation.models import Segment
from annotation.texts.sentences import Sentence
from annotation.texts.translation import translated
from judging.items.kinds import item_kind
from judging.models import ItemSlot

NO_SECTIONS = Sentence("This summary has no sections.")
NO_ANSWER = Sentence("This system gave no answer.")


def text_of(segment: Segment) -> str:
    """Return a segment as Markdown: a section without text is its heading and statements."""
    if segment.text or segment.kind != Segment.Kind.SECTION:
        return segment.text
    parts = Segment.objects.filter(response=segment.response_id).order_by("line")
    return _joined(_words_under(parts, {segment.pk}))


def response_text(slot: ItemSlot) -> str:
    """Return the shown text of the response in a slot, or of its sections alone.

    Empty if the writer has withdrawn it; a sentence if the answer is empty.
    """
    assert slot.response is not None
    if slot.response.is_empty:
        return translated(NO_ANSWER)
    kind_slot = item_kind(slot.item.kind).slot(slot.name)
    if not slot.response.text or kind_slot is None or not kind_slot.sections_only:
        return slot.response.text
    return _sections(slot) or translated(NO_SECTIONS)


def _sections(slot: ItemSlot) -> str:
    parts = slot.imagined_parts
    if parts is None:
        parts = list(Segment.objects.filter(response=slot.response_id).order_by("line"))
    sections = [part for part in parts if part.kind == Segment.Kind.SECTION]
    inside = {part.pk for part in sections if not part.text}
    return _joined(_words_under(parts, inside, {part.pk for part in sections if part.text}))


def _words_under(
    parts: Iterable[Segment], inside: set[int], wordy: Collection[int] = ()
) -> list[str]:
    """Return the texts below the parts in `inside`, which grows by them.

    `wordy` are sections with a text of their own.
    """
    words = []
    for part in parts:
        if part.parent_id in inside:
            inside.add(part.pk)
            is_heading = part.kind == Segment.Kind.HEADING
            words.append(f"**{part.text}**" if is_heading and part.text else part.text)
        elif part.pk in wordy:
            words.append(part.text)
    return words


def _joined(words: Iterable[str]) -> str:
    return "\n\n".join(filter(None, words))
