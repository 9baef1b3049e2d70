"""Presentations that share a page."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

from annotation.models import Study
from judging.models import ItemRole, Presentation


@dataclass(frozen=True)
class Page:
    """An item and its questions; `number` is the shown number of the page.

    Its address has the position of its first presentation; the other positions work, too.
    """

    number: int
    presentations: tuple[Presentation, ...]

    @cached_property
    def first(self) -> Presentation:
        return self.presentations[0]

    @property
    def position(self) -> int:
        return self.first.position

    @property
    def instruments(self) -> tuple[int, ...]:
        return tuple(presentation.instrument_id for presentation in self.presentations)

    def mark_of(self, presentation: Presentation) -> str:
        """Return a prefix that keeps the questions of several instruments apart."""
        return f"{presentation.position}-" if len(self.presentations) > 1 else ""


def pages_of(presentations: Iterable[Presentation], *, study: Study) -> list[Page]:
    """Return the pages of a worker; questions on an item follow one another (`items.drawing`)."""
    shared = study.is_one_page
    runs = groupby(presentations, lambda each: (each.item_id, 0 if shared else each.position))
    return [Page(number, tuple(run)) for number, (_, run) in enumerate(runs, start=1)]


def parts_of(pages: Sequence[Page]) -> list[tuple[int, ...]]:
    """Return the instruments of each part; a check belongs to the part of its instrument."""
    judged = (page for page in pages if page.first.item.role == ItemRole.JUDGED)
    return list(dict.fromkeys(page.instruments for page in judged))


def named(positions: Iterable[int], *, pages: Sequence[Page]) -> list[Page]:
    """Return the pages with these positions."""
    wanted = set(positions)
    return [
        page
        for page in pages
        if wanted & {presentation.position for presentation in page.presentations}
    ]
