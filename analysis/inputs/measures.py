"""The unit of analysis: a question, asked of items of one kind, answered by one pool of raters.

Steps, frames, tables, plots, files and the digest of a run are keyed by measures. What a measure
does, and its level, decide which analyses apply to it. The level belongs to the scale, polarity to
the option (judging.answering.scales).
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from typing import Any

from analysis.inputs.settings import PEOPLE
from analysis.stats.agreement.alpha import Level
from annotation.models import Study
from judging.answering.scales import ends_of, level_of, polarity_of
from judging.items.kinds import KINDS
from judging.models import Question, Scale

ABSENT = ("abstain",)  # roles of answers that are no answer


class Does(StrEnum):
    COMPARES = "compares two"
    CHOOSES = "chooses among several"
    SCORES = "scores one"
    LABELS = "labels"
    TELLS = "tells in words"  # nothing to count: in no digest, frame or analysis


@dataclass(frozen=True)
class Option:
    """An answer to choose. `label` is canonical: a slot name, or the code of the option.

    `polarity` of an option that chooses a slot: best or worst.
    """

    label: str
    title: str
    score: float | None = None
    polarity: str = ""


@dataclass(frozen=True)
class Measure:
    """A question on items of a `kind`: `text` is its wording, `criterion` its subject's name.

    `options` are in the order of the scale, without those that are no answer (codes: `absent`); of
    two that are compared, ties are in the middle. A number on a range has none. `ends` are the
    lowest and the highest number of a scale. `choosing` are the codes that choose a slot. With
    `per_slot` the judged slots of an item are answered about one by one. `found_by` is the analysis
    that computes a measure from several others, which nobody is asked.
    """

    key: str
    title: str
    question: int
    kind: str
    does: Does
    level: Level
    text: str = ""
    name: str = ""  # the key of the question alone
    instrument: str = ""
    criterion: str = ""
    about: str = ""  # the key of the criterion
    totals: tuple[tuple[str, tuple[str, ...]], ...] = ()  # of its instrument: name, criteria
    pool: str = PEOPLE
    scale: str = Scale.Kind.OPTIONS
    options: tuple[Option, ...] = ()
    ends: tuple[float, float] | None = None
    choosing: frozenset[str] = frozenset()
    absent: frozenset[str] = frozenset()
    per_slot: bool = False
    found_by: str = ""
    whole: bool = False  # a range of whole numbers

    @property
    def labels(self) -> tuple[str, ...]:
        return tuple(option.label for option in self.options)

    @property
    def is_alone(self) -> bool:
        """True if an item has one thing that is judged, beside any context.

        Each entry of an answer is judged by itself: the item is about the answer.
        """
        kind = KINDS[self.kind]
        judged = [slot for slot in kind.slots if slot.judged]
        return len(judged) == 1 and (not judged[0].repeated or bool(kind.about))

    @property
    def is_counted(self) -> bool:
        """True if its answers are votes, and not words."""
        return self.does != Does.TELLS

    @property
    def positive(self) -> tuple[str, ...]:
        """The labels that are better than the others, if any are."""
        return tuple(option.label for option in self.options if option.polarity == "positive")

    @property
    def slots(self) -> tuple[str, ...]:
        """The slots that an answer can choose, in the order of the scale."""
        return tuple(
            option.label for option in self.options if option.polarity in ("best", "worst")
        )

    @property
    def polarity(self) -> str:
        """The polarity of all its options that choose a slot; "" if they differ."""
        polarities = {option.polarity for option in self.options if option.polarity}
        return polarities.pop() if len(polarities) == 1 else ""

    @property
    def outcomes(self) -> dict[str, int]:
        """The preference by label: 1 for a, -1 for b, else 0."""
        signs = {"a": 1, "b": -1}
        return {
            option.label: signs.get(option.label, 0) * (-1 if option.polarity == "worst" else 1)
            for option in self.options
        }


def measures_of(study: Study, *, pool: str = PEOPLE) -> list[Measure]:
    """Return the measures of a study, in the order of its questions, as answered by one pool."""
    return list(frozen_measures(study.pk, study.created_at, pool))


@lru_cache(maxsize=256)
def frozen_measures(study: int, made: Any, pool: str) -> tuple[Measure, ...]:
    """Return the measures of a launched study from memory, since its questions are frozen.

    `made`, its creation time, distinguishes it from an earlier study with the same id.
    """
    study_questions = Question.objects.filter(study=study)
    questions = list(
        study_questions.select_related("criterion", "scale", "instrument").order_by("position")
    )
    key_counts = Counter(question.key for question in questions)
    titled = _titled(
        [
            _measure(asked_question, pool, is_alone=key_counts[asked_question.key] == 1)
            for asked_question in questions
        ]
    )
    return tuple(titled)


def _measure(question: Question, pool: str, *, is_alone: bool) -> Measure:
    spec = question.scale.spec
    options, does = spec.get("options", []), _does(question)
    if does == Does.COMPARES:
        options = _between(options)
    front = "" if is_alone else f"{question.instrument.key}."
    back = f"@{pool}" if pool != PEOPLE else ""
    return Measure(
        key=f"{front}{question.key}{back}",
        title=question.criterion.name,
        question=question.pk,
        name=question.key,
        instrument=question.instrument.key,
        kind=question.instrument.item_kind,
        does=does,
        level=level_of(spec),
        text=question.text,
        criterion=question.criterion.name,
        about=question.criterion.key,
        totals=tuple(
            (total["key"], tuple(total.get("criteria", ()))) for total in question.instrument.totals
        ),
        pool=pool,
        scale=question.scale.kind,
        ends=ends_of(spec),
        options=tuple(
            Option(
                label=option["slot"] if option["role"] == "slot" else option["code"],
                title=option["label"],
                score=option.get("score"),
                polarity=polarity_of(option),
            )
            for option in options
            if option["role"] not in ABSENT
        ),
        choosing=frozenset(
            answer_option["code"] for answer_option in options if answer_option["role"] == "slot"
        ),
        absent=frozenset(
            answer_option["code"] for answer_option in options if answer_option["role"] in ABSENT
        ),
        per_slot=question.arity == Question.Arity.SLOT,
        whole=all(float(spec.get(name, 1)).is_integer() for name in ("min", "step")),
    )


def _between(options: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return options with ties in the middle, so that their order has a meaning."""
    first = next(option["slot"] for option in options if option["role"] == "slot")

    def place(option: dict[str, Any]) -> int:
        if option["role"] != "slot":
            return 1
        return 0 if option["slot"] == first else 2

    return sorted(options, key=place)


def _does(question: Question) -> Does:
    if question.scale.kind == Scale.Kind.TEXT:
        return Does.TELLS
    if question.scale.kind == Scale.Kind.RANGE:
        return Does.SCORES
    options = question.scale.spec["options"]
    slots = {option["slot"] for option in options if option["role"] == "slot"}
    if slots:
        kind = KINDS[question.instrument.item_kind]
        drawn = {slot.name for slot in kind.slots if slot.drawn}
        return Does.COMPARES if slots == drawn == {"a", "b"} else Does.CHOOSES
    scored = all(
        answer_option.get("score") is not None
        for answer_option in options
        if answer_option["role"] not in ABSENT
    )
    return Does.SCORES if scored else Does.LABELS


def _titled(measures: Sequence[Measure]) -> list[Measure]:
    """Return measures with titles: the criterion, and the question if several share it."""
    shared = Counter(measure.title for measure in measures)
    polarities = Counter((measure.title, measure.polarity) for measure in measures)
    instruments = Counter((measure.title, measure.instrument) for measure in measures)
    titled = []
    for measure in measures:
        title, polarity = measure.title, measure.polarity
        qualifiers = [measure.pool] if measure.pool != PEOPLE else []
        if shared[title] > 1:
            if polarity and polarities[title, polarity] == 1:
                qualifiers.insert(0, polarity)
            elif instruments[title, measure.instrument] == 1:
                qualifiers.insert(0, measure.instrument)
            else:  # the key says the pool, too
                qualifiers = [measure.key]
        if qualifiers:
            title = f"{title} ({', '.join(qualifiers)})"
        titled.append(replace(measure, title=title))
    return titled
