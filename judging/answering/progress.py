"""Progress in a questionnaire: its parts, and a dot for each page."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from judging.answering.fragments import filled, pieces
from judging.answering.page_layout import Page, parts_of
from judging.answering.unanswered import Questions
from judging.items.contents import slot_names, slots_asked
from judging.items.kinds import item_kind
from judging.models import Instrument, ItemRole, Presentation


@dataclass(frozen=True)
class PartView:
    """Part of a questionnaire: its number and instructions."""

    instruments: tuple[Instrument, ...]
    number: int
    total: int

    @property
    def title(self) -> str:
        return " · ".join(instrument.title for instrument in self.instruments)

    @property
    def instructions(self) -> str:
        """Instructions of each instrument, with titles if there are several."""
        if len(self.instruments) == 1:
            return self.instruments[0].instructions
        return "\n\n".join(
            f"# {instrument.title}\n\n{instrument.instructions}" for instrument in self.instruments
        )


@dataclass(frozen=True)
class Dot:
    """A page in the progress row: open, begun or done."""

    number: int
    position: int
    state: str
    current: bool
    address: str = field(compare=False)

    @property
    def html(self) -> SafeString:
        """HTML of the dot, remembered without its address."""
        return filled(_pieces(self, get_language()), [format_html('href="{}"', self.address)])


@lru_cache(maxsize=2_000)
def _pieces(dot: Dot, language: str | None) -> list[str]:
    return pieces("judging/_dot.html", dot=dot)


def wanted_of(*, presentations: list[Presentation], questions: Questions) -> dict[int, int]:
    """Return the number of answers that each presentation needs, by position."""
    names = slot_names(presentation.item for presentation in presentations)
    wanted = {}
    for presentation in presentations:
        kind = item_kind(presentation.item.kind)
        questions_here = questions.get(presentation.instrument_id, {}).values()
        wanted[presentation.position] = sum(
            len(slots_asked(question, kind, names[presentation.item_id]))
            for question in questions_here
            if not question.optional
        )
    return wanted


def items_by_kind(presentations: list[Presentation]) -> Counter[str]:
    """Return the number of items of each kind; an item with two questions counts once."""
    judged = (
        presentation for presentation in presentations if presentation.item.role == ItemRole.JUDGED
    )
    return Counter({judged_page.item_id: judged_page.item.kind for judged_page in judged}.values())


def dots_of(
    *,
    pages: Sequence[Page],
    counts: dict[tuple[int, int], int],
    wanted: dict[int, int],
    token: str,
    current: Page | None = None,
) -> list[Dot]:
    """Return the progress row.

    `counts` are answers by item and instrument, `wanted` those needed. A withdrawn text needs
    none.
    """
    # Addresses differ in the position alone, and to make one takes longer than the rest of a dot.
    before, _, after = reverse("judging:item", args=[token, 0]).rpartition("0")
    dots = []
    for page in pages:
        answers = [counts.get((e.item_id, e.instrument_id), 0) for e in page.presentations]
        is_done = page.first.is_erased or all(
            n >= wanted[presentation.position]
            for n, presentation in zip(answers, page.presentations, strict=True)
        )
        state = "done" if is_done else "begun" if any(answers) else "open"
        address = f"{before}{page.position}{after}"
        dots.append(Dot(page.number, page.position, state, page is current, address))
    return dots


def part_of(*, page: Page, pages: Sequence[Page], questions: Questions) -> PartView | None:
    """Return the part of a page if a study has several instruments."""
    if len(questions) < 2:
        return None
    parts = parts_of(pages)
    if len(parts) < 2:
        return None
    number = next((n for n, p in enumerate(parts, start=1) if set(page.instruments) <= set(p)), 1)
    instruments = (next(iter(questions[pk].values())).instrument for pk in page.instruments)
    return PartView(instruments=tuple(instruments), number=number, total=len(parts))
