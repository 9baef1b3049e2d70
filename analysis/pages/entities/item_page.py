"""Page of one item: its texts, its votes, and its labels in the newest run."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils.safestring import SafeString

from analysis.pages.entities.names import letter_of, slots_of
from analysis.pages.entities.newest_results import labels_of, newest_of, scores_in
from analysis.pages.entities.votes import meant, order_said
from annotation.corpora.shown_texts import ShownTexts
from annotation.corpora.text_names import response_name
from annotation.models import Response, Study
from judging.answering.page_layout import named, pages_of
from judging.answering.pages import SlotView
from judging.answering.pages import slots_of as texts_of
from judging.answering.threads import thread_above
from judging.banks.secrets import hidden_keys, hide_words
from judging.items.kinds import item_kind
from judging.models import Item, ItemSlot, Judgment, Presentation, Question
from judging.raters.pools import EVERYBODY


@dataclass(frozen=True)
class SlotText:
    """Content of a slot on its page; `letter` is its name in votes."""

    view: SlotView
    letter: str
    name: str
    response: Response | None
    scores: Sequence[Any]


@dataclass(frozen=True)
class RaterVotes:
    """Votes of one rater in one order: an answer for each question, "" where there is none."""

    rater: Any
    assignment: int | None
    shown: str
    answers: Sequence[str]
    seconds: float | None
    comments: Sequence[str]


@dataclass(frozen=True)
class QuestionAgreement:
    """Share of the votes on a question that give the most frequent answer."""

    question: Question
    most: str
    agreeing: int
    votes: int


def item_of(study: Study, pk: int) -> Item:
    """Return an item of a study, also a check, on which nobody votes."""
    items = Item.every.select_related("topic", "check_of")
    return get_object_or_404(items, study=study, pk=pk)


def context(study: Study, item: Item, work: str = "", *, shown: ShownTexts) -> dict[str, Any]:
    seen = _seen(study, item, work) if work else None
    slots = slots_of([item], study).get(item.pk, [])
    order = seen.order if seen else ",".join(item_kind(item.kind).drawn(s.name for s in slots))
    newest = newest_of(study)
    scores = scores_in(newest, [item.topic.key])
    study_questions = list(
        study.questions.select_related("scale", "criterion").order_by("position")
    )
    votes = _votes_on(item, study, study_questions)
    instruments = set(item.task_items.values_list("instrument", flat=True))
    answered = {vote.question_id for vote in votes}
    questions = [
        study_question
        for study_question in study_questions
        if study_question.pk in answered or study_question.instrument_id in instruments
    ]
    titles = {f"{question.key}": question for question in questions}
    texts = _texts(study, shown, item, slots, order, scores)
    turns = [text.view.turns for text in texts if not text.view.is_repeated]
    return {
        "item": item,
        "heading": shown.heading(item.topic.query),
        "thread": thread_above(item.topic, turns, shown),
        "shown_texts": shown,
        "kind": item_kind(item.kind),
        "texts": texts,
        "questions": questions,
        "votes": _readable(_by_rater(votes, questions, slots), slots, study),
        "vote_count": len(votes),
        "agreement": _agreement(votes, questions, slots),
        "labels": [
            (label, _label(item, titles, label.label)) for label in labels_of(newest, item.key)
        ],
        "run": newest.run if newest else None,
        "seen": seen,
        "page": _page_of(seen, study) if seen else None,
    }


def _votes_on(item: Item, study: Study, asked: Sequence[Question]) -> list[Judgment]:
    """Return the counted votes on an item, without joining the item and the questions."""
    by_pk = {question.pk: question for question in asked}
    rows = EVERYBODY.judgments(study=study).filter(item=item).select_related("rater")
    votes = list(rows.order_by("assignment", "pk"))
    for vote in votes:
        vote.item, vote.question = item, by_pk[vote.question_id]
    hide_words(study, votes)
    return votes


def _seen(study: Study, item: Item, work: str) -> Presentation:
    """Return the presentation of the item to the worker of an assignment."""
    if not work.isdecimal() or len(work) > 18:
        raise Http404("Assignment not found.")
    rows = Presentation.objects.filter(assignment__study=study, assignment=int(work), item=item)
    seen = rows.select_related("assignment__worker", "assignment__task__batch").first()
    if seen is None:
        raise Http404("This item was not shown in that assignment.")
    seen.assignment.study = study
    return seen


def _page_of(seen: Presentation, study: Study) -> int:
    """Return the number of the page on which its worker saw it."""
    if not study.is_one_page:
        return seen.position
    every = Presentation.objects.filter(assignment=seen.assignment_id).order_by("position")
    (page,) = named([seen.position], pages=pages_of(every, study=study))
    return page.number


def _texts(
    study: Study,
    shown: ShownTexts,
    item: Item,
    slots: Sequence[ItemSlot],
    order: str,
    scores: Any,
) -> list[SlotText]:
    hidden = hidden_keys(study)
    by_name = {slot.name: slot for slot in slots}
    presentation = Presentation(item=item, order=order)
    texts = []
    for view in texts_of(presentation, texts=shown):
        slot = by_name[view.name]
        if slot.criterion is not None and slot.criterion.key in hidden:
            view = replace(view, title=slot.criterion.name, html=SafeString())
        response = slot.response or (slot.segment.response if slot.segment else None)
        texts.append(
            SlotText(
                view=view,
                letter=letter_of(item.kind, view.name),
                name=response_name(response) if response else "",
                response=response,
                scores=scores.get(response.key, ()) if response and slot.response else (),
            )
        )
    return texts


def _by_rater(
    votes: Sequence[Judgment], questions: Sequence[Question], slots: Sequence[ItemSlot]
) -> list[RaterVotes]:
    """Return the votes grouped by rater and questionnaire, in the order they were given."""
    together: dict[tuple[int, int | None, str], list[Judgment]] = {}
    for vote in votes:
        together.setdefault((vote.rater_id, vote.assignment_id, vote.shown), []).append(vote)
    remarks = _remarks(votes)
    rows = []
    for (_, assignment, shown), mine in together.items():
        answers: dict[int, list[str]] = {question.pk: [] for question in questions}
        for vote in mine:
            answers[vote.question_id].append(meant(vote, slots))
        times = [vote.milliseconds for vote in mine if vote.milliseconds is not None]
        comments = [*remarks.get(assignment, ()), *(vote.comment for vote in mine)]
        rows.append(
            RaterVotes(
                rater=mine[0].rater,
                assignment=assignment,
                shown=order_said(mine[0].item, shown),
                answers=["; ".join(answers[question.pk]) for question in questions],
                seconds=max(times) / 1000 if times else None,
                comments=[comment for comment in comments if comment],
            )
        )
    return rows


def _readable(votes: list[RaterVotes], slots: Sequence[ItemSlot], study: Study) -> list[RaterVotes]:
    """Return the votes without comments if the item has an entry that is hidden."""
    hidden = hidden_keys(study)
    if not any(slot.criterion is not None and slot.criterion.key in hidden for slot in slots):
        return votes
    return [replace(vote, comments=()) for vote in votes]


def _remarks(votes: Sequence[Judgment]) -> dict[int | None, list[str]]:
    """Return the workers' comments on pages of the item, by assignment."""
    works, items = {vote.assignment_id for vote in votes}, {vote.item_id for vote in votes}
    pages = Presentation.objects.filter(assignment__in=works - {None}, item__in=items)
    remarks: dict[int | None, list[str]] = {}
    remarked = pages.exclude(comment="").order_by("position")
    for assignment, remark in remarked.values_list("assignment", "comment"):
        remarks.setdefault(assignment, []).append(remark)
    return remarks


def _agreement(
    votes: Sequence[Judgment], questions: Sequence[Question], slots: Sequence[ItemSlot]
) -> list[QuestionAgreement]:
    """Return the agreement on each question with at least two votes; texts are no votes."""
    rows = []
    for question in questions:
        counts = Counter(meant(vote, slots) for vote in votes if vote.question_id == question.pk)
        if counts.total() > 1 and question.scale.kind != "text":
            most, agreeing = counts.most_common(1)[0]
            rows.append(QuestionAgreement(question, most, agreeing, counts.total()))
    return rows


def _label(item: Item, questions: dict[str, Question], label: str) -> str:
    """Return a canonical label in words: the letter of a text, or the title of an option."""
    if item_kind(item.kind).slot(label):
        return letter_of(item.kind, label)
    for question in questions.values():
        for option in question.scale.spec.get("options", []):
            if option["code"] == label:
                return str(option["label"])
    return label
