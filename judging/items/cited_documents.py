"""Numbers of the documents on a page in the texts that cite them."""

from collections.abc import Iterable, Mapping

from annotation.models import Passage, Topic
from annotation.texts.citations import Marks
from judging.models import ItemSlot


def document_numbers(topic: Topic, slots: Iterable[ItemSlot]) -> dict[int, int]:
    """Return the number of each shown document by its place in the topic's pool, from 0."""
    numbers = {
        slot.passage_id: int(slot.name.lstrip("d")) for slot in slots if slot.passage_id is not None
    }
    pool = Passage.objects.filter(topic=topic).order_by("rank", "pk").values_list("pk", flat=True)
    return {place: numbers[pk] for place, pk in enumerate(pool) if pk in numbers}


def with_numbers(
    text: str, marks: Marks, numbers: Mapping[int, int]
) -> tuple[str, list[list[int]]]:
    """Return a text that cites documents by their number on the page, and its citations.

    Documents that the page does not show are not cited.
    """
    pieces, written, at, length = [], [], 0, 0
    for start, end, *places in marks:
        shown = [numbers[place] for place in places if place in numbers]
        sign = f"[{', '.join(map(str, shown))}]" if shown else ""
        pieces += [text[at:start], sign]
        length += start - at
        if sign:
            written.append([length, length + len(sign), *shown])
        length += len(sign)
        at = end
    return "".join([*pieces, text[at:]]), written
