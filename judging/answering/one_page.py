"""Which presentations stand on one page of a worker. Only reads."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

from annotation.models import Study
from judging.models import Presentation, Role


@dataclass(frozen=True)
class Page:
    """An item and what is asked of it at once; `number` is what people call the page.

    Its address has the position of its first presentation; that of any other leads to it, too.
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
        return tuple(each.instrument_id for each in self.presentations)

    def mark_of(self, presentation: Presentation) -> str:
        """What tells the questions of one instrument from those of another on the page."""
        return f"{presentation.position}-" if len(self.presentations) > 1 else ""


def pages_of(presentations: Iterable[Presentation], *, study: Study) -> list[Page]:
    """The pages of a worker; what is asked of an item follows one another (`items.drawing`)."""
    shared = study.is_one_page
    runs = groupby(presentations, lambda each: (each.item_id, 0 if shared else each.position))
    return [Page(number, tuple(run)) for number, (_, run) in enumerate(runs, start=1)]


def parts_of(pages: Sequence[Page]) -> list[tuple[int, ...]]:
    """The parts of a questionnaire: the instruments that are asked together. A check belongs to
    the part of its instrument."""
    judged = (page for page in pages if page.first.item.role == Role.JUDGED)
    return list(dict.fromkeys(page.instruments for page in judged))


def named(positions: Iterable[int], *, pages: Sequence[Page]) -> list[Page]:
    """The pages that have these positions."""
    wanted = set(positions)
    return [page for page in pages if wanted & {each.position for each in page.presentations}]
