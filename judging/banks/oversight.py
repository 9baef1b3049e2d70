"""Graded texts of bank entries, with separate grades of people and models."""

from dataclasses import dataclass, field
from statistics import mean

from django.db.models import Q, QuerySet

from annotation.corpora.text_names import names_of_passages, names_of_responses
from annotation.models import Topic
from judging.banks.entries_at import entries_at
from judging.banks.scales import BankScales
from judging.banks.verifying import verdict
from judging.models import Bank, Item, ItemSlot, Judgment, Scale
from judging.raters.cells import PEOPLE, counting, counting_on, entry_keys

MOST_TEXTS = 200


@dataclass
class GradedText:
    """A passage or response with its grades and comments on one entry.

    `answers` holds each extracted answer and whether it is correct (None without a key).
    """

    key: str
    topic: int
    passage: int | None
    response: int | None
    name: str = ""
    people: list[float] = field(default_factory=list)
    models: list[float] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)
    answers: list[tuple[str, bool | None]] = field(default_factory=list)

    @property
    def mean(self) -> float:
        return mean([*self.people, *self.models])


@dataclass(frozen=True)
class CellGrade:
    """One rater's grade of a text on an entry."""

    rater: str
    is_person: bool
    score: float
    comment: str


def graded_topics(bank: Bank) -> list[Topic]:
    """Return the topics that have grades."""
    items = Item.objects.filter(pk__in=counting(bank).values("item"))
    return list(Topic.objects.filter(pk__in=items.values("topic")).order_by("pk"))


def cell_grades(bank: Bank, key: str, **text: int) -> list[CellGrade]:
    """Return the grades of a text (`passage` or `response`) on an entry, people first."""
    about = ItemSlot.objects.filter(**text).values("item")
    rows = _cells(bank, key).filter(item__in=about)
    scales = BankScales.of(bank)
    names = (
        "rater__pseudonym", "rater__kind", "score", "comment", "item__study", "question__key",
    )  # fmt: skip
    values = rows.order_by("pk").values_list(*names)
    grades = [
        CellGrade(rater, kind in PEOPLE, scales.rescaled(study, question, score), comment)
        for rater, kind, score, comment, study, question in values
        if score is not None
    ]
    return sorted(grades, key=lambda grade: not grade.is_person)


def _cells(bank: Bank, key: str) -> "QuerySet[Judgment]":
    """Return the grades of an entry."""
    return counting_on(bank, [pk for pk, entry in entry_keys(bank).items() if entry == key])


def graded_texts(bank: Bank, key: str) -> list[GradedText]:
    """Return up to MOST_TEXTS graded texts of an entry, highest mean grade first."""
    cells = _cells(bank, key)
    shown = ItemSlot.objects.filter(item__in=cells.values("item"))
    shown = shown.filter(Q(passage__isnull=False) | Q(response__isnull=False))
    of_text = ("passage", "passage__key", "response", "response__key", "item__topic")
    places = {item: place for item, *place in shown.values_list("item", *of_text)}
    texts: dict[tuple[int | None, int | None], GradedText] = {}
    columns = ("item__study", "question__key", "score", "rater__kind", "comment", "value",
               "question__scale__kind")  # fmt: skip
    scales = BankScales.of(bank)
    rows = list(cells.order_by("item__slots", "pk").values_list("item", *columns))
    for item, study, question, score, kind, comment, *_ in rows:
        if score is None or item not in places:
            continue
        passage, passage_key, response, response_key, topic = places[item]
        new = GradedText(passage_key or response_key or "", topic, passage, response)
        text = texts.setdefault((passage, response), new)
        (text.people if kind in PEOPLE else text.models).append(
            scales.rescaled(study, question, score)
        )
        text.comments += [comment] if comment else []
    (entry,) = [row for row in entries_at(bank) if row.key == key]
    for item, *_, value, scale in rows:
        passage, _, response, *_ = places.get(item, (None, None, None))
        if scale == Scale.Kind.TEXT and (passage, response) in texts:
            texts[passage, response].answers.append((value, verdict(entry, value)))
    best = sorted(texts.values(), key=lambda text: -text.mean)[:MOST_TEXTS]
    passages = names_of_passages(text.passage for text in best if text.passage)
    responses = names_of_responses(text.response for text in best if text.response)
    for text in best:
        text.name = passages.get(text.passage or 0) or responses.get(text.response or 0, text.key)
    return best
