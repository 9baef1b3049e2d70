"""Open questions of a worker, found without a query."""

from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from judging.answering.page_layout import Page
from judging.items.contents import slot_names, slots_asked
from judging.items.kinds import item_kind
from judging.models import Presentation, Question

Questions = dict[int, dict[str, Question]]  # by the id of their instrument, and by key
Answer = tuple[int, int, str]  # item, question, slot


@dataclass(frozen=True)
class OpenQuestion:
    """`mark` is the question's name on its page."""

    question: Question
    mark: str


@dataclass(frozen=True)
class OpenPage:
    """A page with its open questions; `is_whole` if none is answered."""

    page: Page
    questions: tuple[OpenQuestion, ...]
    is_whole: bool


def open_questions(
    presentations: Iterable[Presentation], *, questions: Questions, answered: AbstractSet[Answer]
) -> dict[int, list[Question]]:
    """Return the required questions without an answer, by position; none on withdrawn texts."""
    every = list(presentations)
    names = slot_names(presentation.item for presentation in every)
    open_by_position = {}
    for presentation in every:
        if presentation.is_erased:
            continue
        kind = item_kind(presentation.item.kind)
        wanting = [
            question
            for question in presentation.asked(
                questions.get(presentation.instrument_id, {}).values()
            )
            if not question.optional
            and any(
                (presentation.item_id, question.pk, slot) not in answered
                for slot in slots_asked(question, kind, names[presentation.item_id])
            )
        ]
        if wanting:
            open_by_position[presentation.position] = wanting
    return open_by_position


def open_pages(
    pages: Sequence[Page], *, questions: Questions, answered: AbstractSet[Answer]
) -> list[OpenPage]:
    """Return the pages with open questions."""
    shown = [presentation for page in pages for presentation in page.presentations]
    wanting = open_questions(shown, questions=questions, answered=answered)
    met = {(item, question) for item, question, _ in answered}
    return [
        OpenPage(
            page,
            tuple(_named(page, wanting)),
            not any(
                (presentation.item_id, question.pk) in met
                for presentation in page.presentations
                for question in questions.get(presentation.instrument_id, {}).values()
            ),
        )
        for page in pages
        if any(presentation.position in wanting for presentation in page.presentations)
    ]


def _named(page: Page, wanting: dict[int, list[Question]]) -> Iterator[OpenQuestion]:
    for presentation in page.presentations:
        for question in wanting.get(presentation.position, ()):
            yield OpenQuestion(question, page.mark_of(presentation) + question.key)
