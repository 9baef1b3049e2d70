"""Passages that the marks of an imported text cite; the text stays as it came."""

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field

from annotation.corpora.rows import CitationsFrom
from annotation.texts.citation_marks import Form, Mark, NoMark, marks_of

FORMS = frozenset(form.value for form in Form)  # the marks that count where nobody chose
# Brackets that may be chosen to count as well.
OPTIONAL = frozenset((NoMark.NAME.value, NoMark.NUMBERS.value, NoMark.UNSURE.value))
_IN_BRACKETS = re.compile(r"\[([^\[\]\n]{1,1000})\]")
_BETWEEN_IDS = re.compile(r"\s*[,;]\s*")


@dataclass(frozen=True)
class CitedText:
    """Citations of a text.

    marks: as stored beside the text. numbers: those written, less the first number of the
    convention. unknown: marks as written that name no passage. refused: brackets with numbers
    that do not count, and marks of other forms that name no passage.
    """

    marks: list[list[int]] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)
    read: list[Mark] = field(default_factory=list)
    refused: list[Mark] = field(default_factory=list)


def cited_text(
    text: str,
    *,
    first: CitationsFrom,
    place_of: Callable[[int], int | None],
    keys: Mapping[str, int],
    forms: Collection[str] = FORMS,
) -> CitedText:
    """Return the citations of a text.

    first: the number of the first passage, or IDS where numbers are ids of passages. place_of: the
    place in the pool of the passage at an index, None if there is none. keys: the place of each
    passage of the topic by its id, which may stand in brackets, too.
    """
    result = CitedText()
    by_id = {mark.start: mark for mark in _id_marks(text, keys)} if keys else {}
    places = {mark.start: [keys[key] for key in _ids(text, mark)] for mark in by_id.values()}
    for mark in sorted([*marks_of(text), *by_id.values()], key=lambda mark: mark.start):
        if mark.start in by_id and mark.form is not Form.ID:
            if first is not CitationsFrom.IDS:
                by_id.pop(mark.start)  # a number counts passages, unless it is said to be an id
            else:
                continue
        if mark.form is Form.ID:
            if mark.start in by_id and Form.ID.value in forms:
                result.read.append(mark)
                result.marks.append([mark.start, mark.end, *places[mark.start]])
        elif mark.kind in forms:
            _resolve(result, text, mark, first, place_of)
        else:
            result.refused.append(mark)
    return result


def _resolve(
    result: CitedText,
    text: str,
    mark: Mark,
    first: CitationsFrom,
    place_of: Callable[[int], int | None],
) -> None:
    """Add a mark with numbers to a result."""
    start = 1 if first is CitationsFrom.ONE else 0
    resolved = [
        (number, None if first is CitationsFrom.IDS else place_of(number - start))
        for number in mark.numbers
    ]
    unknown = [number for number, place in resolved if place is None]
    if unknown and mark.form is not Form.BRACKET:
        result.refused.append(mark)  # a footnote, say, that has a note of its own
        return
    result.read.append(mark)
    result.numbers.extend(number - start for number in mark.numbers)
    result.unknown.extend(f"[{number}]" for number in unknown)
    if places := [place for _, place in resolved if place is not None]:
        result.marks.append([mark.start, mark.end, *places])


def _id_marks(text: str, keys: Mapping[str, int]) -> Iterator[Mark]:
    """Yield the brackets whose whole content are ids of passages."""
    for match in _IN_BRACKETS.finditer(text):
        if all(key in keys for key in _BETWEEN_IDS.split(match[1].strip())):
            yield Mark(*match.span(), Form.ID, ())


def _ids(text: str, mark: Mark) -> list[str]:
    return _BETWEEN_IDS.split(text[mark.start + 1 : mark.end - 1].strip())
