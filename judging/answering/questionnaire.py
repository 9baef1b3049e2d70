"""A questionnaire of a worker: its pages, and the template context of each."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.urls import reverse

from annotation.corpora.shown_texts import ShownTexts
from annotation.fieldwork.review.redo_reasons import asked_again
from annotation.fieldwork.work.shown_texts import texts_for
from annotation.models import Assignment, Study
from annotation.studies.creating import NO_ROW
from judging.answering import feedback, page_layout, pages, progress
from judging.answering.page_layout import Page
from judging.answering.question_views import QuestionView
from judging.answering.saved_answers import AssignmentAnswers, answers_of
from judging.answering.threads import thread_above
from judging.answering.unanswered import Questions
from judging.items.kinds import item_kind
from judging.models import ItemRole, Presentation


@dataclass(frozen=True)
class Questionnaire:
    """The pages of an assignment with what they have in common, read once."""

    assignment: Assignment
    presentations: Sequence[Presentation]
    questions: Questions
    pages: Sequence[Page]
    answers: AssignmentAnswers
    wanted: dict[int, int]
    texts: ShownTexts

    @classmethod
    def of(
        cls, assignment: Assignment, *, presentations: list[Presentation], questions: Questions
    ) -> "Questionnaire":
        """Read the answers; `presentations` are those of the assignment."""
        return cls(
            assignment=assignment,
            presentations=presentations,
            questions=questions,
            pages=page_layout.pages_of(presentations, study=assignment.study),
            answers=answers_of(assignment=assignment, presentations=presentations),
            wanted=progress.wanted_of(presentations=presentations, questions=questions),
            texts=texts_for(assignment),
        )

    @property
    def is_trial(self) -> bool:
        """Trials may look at any page."""
        return self.assignment.study.purpose == Study.Purpose.TRIAL

    @cached_property
    def open_practice(self) -> int | None:
        """The position of the first unanswered practice page, which comes before all others."""
        return feedback.open_training(
            self.presentations, counts=self.answers.counts, wanted=self.wanted
        )

    @cached_property
    def asked_again(self) -> str:
        return asked_again(self.assignment)

    def page_at(self, position: int) -> Page:
        """Return the page with this position."""
        return next(page for page in reversed(self.pages) if page.position <= position)

    def is_kept(self, page: Page) -> bool:
        """Return whether a browser may keep this page and show it again without a request.

        The pages of a practice item and of a trial depend on what the server knows: feedback, and
        the answers that a trial is filled with. A preview has no pages to go to.
        """
        is_training = page.first.item.role == ItemRole.TRAINING
        return not (is_training or self.is_trial or self.assignment.pk == NO_ROW)

    def _questions(self, page: Page) -> list[QuestionView]:
        return pages.page_questions(page=page, questions=self.questions, given=self.answers.given)

    def context(self, page: Page, *, next_position: int | None) -> dict[str, Any]:
        """Return the context of `judging/_page.html`; `next_position` is that of the next page."""
        assignment, study, texts = self.assignment, self.assignment.study, self.texts
        presentation = page.first
        kind = item_kind(presentation.item.kind)
        instrument = pages.annotating(page, self.questions)
        slots = pages.slots_of(presentation, instrument, texts=texts)
        documents = [slot for slot in slots if slot.is_repeated]
        single = [slot for slot in slots if not slot.is_repeated]
        is_erased = presentation.is_erased
        is_kept = self.is_kept(page)
        topic = presentation.item.topic
        has_following = is_kept and next_position is not None
        return {
            "assignment": assignment,
            "study": study,
            "presentation": presentation,
            "topic": topic,
            "background": pages.background_of(presentation, texts=texts),
            "is_pinned": study.background == Study.Background.PINNED,
            "kind": kind,
            "slots": single,
            "documents": documents,
            "heading": texts.heading(topic.query),
            "thread": thread_above(topic, [slot.turns for slot in single], texts),
            "is_conversation": any(slot.turns for slot in slots),
            # All documents are one part of the page.
            "parts": len(slots) - max(0, len(documents) - 1),
            "questions": []
            if is_erased
            else pages.page_questions(
                page=page, questions=self.questions, given=self.answers.given
            ),
            "is_erased": is_erased,
            "is_training": presentation.item.role == ItemRole.TRAINING and not is_erased,
            "part": progress.part_of(page=page, pages=self.pages, questions=self.questions),
            "page": page,
            "feedback": self.asked_again,
            "is_at_start": page.number == 1,
            "wanted": 0
            if is_erased
            else sum(self.wanted[presentation.position] for presentation in page.presentations),
            "total": len(self.pages),
            "previous": self.pages[page.number - 2].position if page.number > 1 else None,
            "next": next_position,
            "is_kept": is_kept,
            "following": reverse("judging:following", args=[assignment.token, page.position])
            if has_following
            else "",
        }
