"""Structs of a judging instrument: criteria, scales, questions, checks and design figures."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Annotated, Any, Literal

import msgspec

from annotation.studies.drafts.setting import Setting
from annotation.studies.forms import FieldSpec
from annotation.studies.instruments import CONSENT, EXPORT_NAME, METHOD_TITLE
from annotation.texts.sentences import marked
from judging.designers.designs import shows_documents
from judging.items.kinds import KINDS

TITLE_LENGTH = 200  # of the column that a study copies it to
KEY_LENGTH, NAME_LENGTH = 100, 200  # of the columns that a study copies them to
QUESTION_LENGTH = 10_000  # characters
DEFINITION_LENGTH = 2_000  # characters, of an answer
TOO_LONG = marked("it has more than {longest} characters")

Condition = Callable[[dict[str, Any]], bool]  # on an instrument or a part of it, in plain data


def _in(field: str, *values: str) -> Condition:
    return lambda part: part[field] in values


def _designed_by(name: str) -> Condition:
    return lambda one: (
        name
        == (
            one["designer"]
            or (KINDS[one["item_kind"]].designer if one["item_kind"] in KINDS else "")
        )
    )


def _shows_passages(one: dict[str, Any]) -> bool:
    kind = KINDS.get(one["item_kind"])
    return kind is not None and any(slot.holds == "passage" for slot in kind.slots)


def _shows_documents(one: dict[str, Any]) -> bool:
    return one["item_kind"] in KINDS and shows_documents(KINDS[one["item_kind"]])


def _shows_scored(one: dict[str, Any]) -> bool:
    return _shows_documents(one) and one["defaults"]["documents_scored_at_least"] is not None


def _shows_annotations(one: dict[str, Any]) -> bool:
    shown = one["defaults"]["documents_annotations"] == "shown"
    return _shows_scored(one) or (_shows_documents(one) and shown)


def _reversed_share(one: dict[str, Any]) -> str:
    if one["name"] == "crowdrag-pairwise":
        return marked("0 for none, 0.3333 for a third as in the CrowdRAG paper, 1 for all.")
    return marked("0 for none, 0.3333 for a third, 1 for all.")


design = partial(Setting, form="design")
count = partial(Setting, minimum=1, if_outside=marked("it must be at least 1"))
amount = partial(Setting, minimum=0, if_outside=marked("it cannot be negative"))
markdown = partial(Setting, widget="markdown", wide=True)
of_range = partial(Setting, order=3, shown=_in("kind", "range"))
scored = partial(Setting, form="design", order=5, shown=_shows_scored)


def _key(setting: Setting, **more: Any) -> Setting:
    """Return the setting of a key, which has a column."""
    blank = marked("there is nothing here yet")
    limited = replace(setting, if_blank=blank, max_length=KEY_LENGTH, if_outside=TOO_LONG)
    return replace(limited, **more)


class CriterionSpec(msgspec.Struct, frozen=True):
    """`topic` is the key of its topic, empty for all topics."""

    key: Annotated[str, replace(EXPORT_NAME, order=4)]
    name: Annotated[
        str,
        Setting(
            title=marked("In short"),
            order=1,
            if_blank=marked("say in short what {key} is about"),
            max_length=NAME_LENGTH,
            if_outside=TOO_LONG,
        ),
    ]
    definition: Annotated[str, markdown(title=marked("Explanation"), order=3)] = ""
    topic: Annotated[
        str,
        Setting(
            title=marked("Only for the topic"),
            help=marked("Its key in the corpus; empty for all."),
            order=2,
        ),
    ] = ""


class OptionSpec(msgspec.Struct, frozen=True, omit_defaults=True):
    """`polarity`: the chosen slot is the best or the worst, or a label is the better one."""

    code: Annotated[str, Setting(title=marked("Stored as"), order=2, reshapes=True)]
    label: Annotated[
        str,
        Setting(
            title=marked("Answer"),
            if_blank=marked("say what the answer is called"),
            max_length=NAME_LENGTH,
            if_outside=TOO_LONG,
        ),
    ]
    role: Annotated[
        Literal["slot", "tie", "abstain", "both_bad", "score", "label"],
        Setting(
            title=marked("It says"),
            choices=(
                ("slot", marked("chooses a text")),
                ("tie", marked("they are equal")),
                ("both_bad", marked("both are bad")),
                ("abstain", marked("cannot say")),
                ("score", marked("has a score")),
                ("label", marked("is a category")),
            ),
            reshapes=True,
        ),
    ]
    slot: Annotated[
        str | None, Setting(title=marked("Which"), widget="choice", shown=_in("role", "slot"))
    ] = None
    score: Annotated[
        float | None,
        Setting(title=marked("Score"), order=1, shown=_in("role", "slot", "score", "label")),
    ] = None
    polarity: Annotated[
        Literal["best", "worst", "positive"] | None,
        Setting(
            title=marked("As"),
            choices=(
                ("", "–"),
                ("best", marked("the best")),
                ("worst", marked("the worst")),
                ("positive", marked("the better label")),
            ),
            shown=_in("role", "slot", "label"),
        ),
    ] = None
    definition: Annotated[
        str,
        Setting(
            title=marked("Explanation"),
            order=3,
            max_length=DEFINITION_LENGTH,
            if_outside=TOO_LONG,
        ),
    ] = ""


class ScaleSpec(msgspec.Struct, frozen=True, omit_defaults=True):
    """The default `level` depends on the kind (answering.scales.level_of)."""

    key: Annotated[
        str, _key(Setting(title=marked("Name of this way to answer"), order=4, reshapes=True))
    ]
    kind: Annotated[
        Literal["options", "range", "text"],
        Setting(
            title=marked("Answers are"),
            order=1,
            choices=(
                ("options", marked("answers to choose from")),
                ("range", marked("numbers")),
                ("text", marked("a text")),
            ),
            reshapes=True,
        ),
    ]
    options: list[OptionSpec] = []
    min: Annotated[float | None, of_range(title=marked("From"))] = None
    max: Annotated[float | None, of_range(title=marked("To"))] = None
    step: Annotated[float, of_range(title=marked("In steps of"))] = 1
    display: Annotated[
        Literal["steps", "slider"],
        of_range(
            title=marked("Shown as"),
            help=marked("A slider has no answer until it is used."),
            choices=(
                ("steps", marked("buttons, or a field where there are more than 11 steps")),
                ("slider", marked("a slider (VAS)")),
            ),
        ),
    ] = "steps"
    low_label: Annotated[str, of_range(title=marked("The lowest is called"))] = ""
    high_label: Annotated[str, of_range(title=marked("The highest is called"))] = ""
    max_length: Annotated[
        int, Setting(title=marked("At most"), unit="characters", order=3, shown=_in("kind", "text"))
    ] = 2000
    level: Annotated[
        Literal["nominal", "ordinal", "interval"] | None,
        Setting(
            title=marked("They are"),
            order=2,
            choices=(
                ("", marked("as its kind has it")),
                ("nominal", "categories"),
                ("ordinal", marked("an order")),
                ("interval", "numbers"),
            ),
        ),
    ] = None


class QuestionSpec(msgspec.Struct, frozen=True):
    key: Annotated[str, _key(EXPORT_NAME, order=5)]
    criterion: Annotated[
        str, Setting(title=marked("About the criterion"), order=4, widget="choice", reshapes=True)
    ]
    scale: Annotated[str, Setting(title=marked("Answered by"), order=2, widget="choice")]
    text: Annotated[
        str,
        Setting(
            title=marked("Question"),
            order=1,
            widget="text",
            wide=True,
            if_blank=marked("enter the question"),
            max_length=QUESTION_LENGTH,
            if_outside=TOO_LONG,
        ),
    ]
    arity: Annotated[
        Literal["item", "slot", "choose"],
        Setting(
            title=marked("Asked"),
            order=3,
            choices=(
                ("item", marked("once for the page")),
                ("slot", marked("for each text")),
                ("choose", marked("by choosing a text")),
            ),
        ),
    ] = "item"
    justification: Annotated[
        bool, Setting(title=marked("Offer a field for the reason"), order=6)
    ] = False
    optional: Annotated[bool, Setting(title=marked("It may be left out"), order=7)] = False


class TotalSpec(msgspec.Struct, frozen=True, omit_defaults=True):
    """A sum for each text, of its criteria, or of all."""

    key: str
    criteria: list[str] = []


class AnswerSpec(msgspec.Struct, frozen=True):
    """The right answer to the question `key`: a code for the nominal order, or a number."""

    key: str
    answer: str


CHECK_NAME = Setting(title=marked("Name"), order=1, reshapes=True)


class AttentionSpec(msgspec.Struct, frozen=True):
    """A page like the others in every questionnaire; `text` (Markdown) has the answers."""

    key: Annotated[str, CHECK_NAME]
    text: Annotated[str, markdown(title=marked("In the place of the texts"))]
    answers: list[AnswerSpec] = []


class KnownSpec(msgspec.Struct, frozen=True):
    """An item with known answers. `item` is its key, as in exports: the contents of its slots.

    `explanation` (Markdown) is shown after a training item.
    """

    key: Annotated[str, CHECK_NAME]
    item: Annotated[
        str,
        Setting(
            title=marked("Item"),
            help=marked("Its key as in exports: those of its texts, with | between them."),
            wide=True,
        ),
    ]
    answers: list[AnswerSpec] = []
    explanation: Annotated[
        str,
        markdown(
            title=marked("Why this is right"), help=marked("People read it after their answer.")
        ),
    ] = ""


class DesignDefaults(msgspec.Struct, frozen=True):
    items_per_questionnaire: Annotated[
        int, count(title=marked("Pages in a questionnaire"), form="design")
    ] = 15
    quota: Annotated[int, count(title=marked("Workers for each questionnaire"), form="design")] = 5
    reversed_share: Annotated[
        float,
        design(
            title=marked("Share of pairs asked in reverse, too"),
            help=_reversed_share,
            order=2,
            shown=_designed_by("all_pairs"),
            minimum=0,
            maximum=1,
            if_outside=marked("it must be between 0 and 1"),
        ),
    ] = 0
    depth: Annotated[
        int | None,
        count(
            title=marked("Best passages of a topic"),
            help=marked("Default: all."),
            form="design",
            order=4,
            shown=_shows_passages,
        ),
    ] = None
    rounds: Annotated[
        int,
        count(
            title=marked("Blocks that each text is in"),
            form="design",
            order=3,
            shown=_designed_by("blocks"),
        ),
    ] = 1
    topics_together: Annotated[
        bool, design(title=marked("A questionnaire has all pages of a topic"), order=6, folds=True)
    ] = False
    games_per_topic: Annotated[
        int | None,
        count(
            title=marked("Pairs of a topic"),
            help=marked(
                "Left empty, all of them. Fewer are drawn by the seed, so that every system "
                "stands equally often, or once more."
            ),
            form="design",
            order=1,
            shown=_designed_by("all_pairs"),
        ),
    ] = None
    documents_scored_at_least: Annotated[
        int | None,
        design(
            title=marked("Documents in view from this score on"),
            help=marked(
                "Left empty, whatever their score. Otherwise those that another study gave this "
                "score or more; of these the best passages."
            ),
            order=5,
            shown=_shows_documents,
            reshapes=True,
        ),
    ] = None
    documents_scored_in: Annotated[
        str,
        scored(
            title=marked("Study in which they were scored"),
            help=marked(
                "A closed study on the same corpus that asks for a score of passages, as in its "
                "address, with its version: my-study/1. Its scores are copied at the launch."
            ),
        ),
    ] = ""
    documents_scored_on: Annotated[
        str,
        scored(
            title=marked("Question of that study"),
            help=marked("Its key. Left empty, the first that scores passages."),
        ),
    ] = ""
    documents_scored_by: Annotated[
        str,
        scored(
            title=marked("Whose scores"),
            help=marked(
                "people, crowd, experts, models, or one rater by name. Several raters count by "
                "their mean, halves up."
            ),
            suggestions=("people", "crowd", "experts", "models"),
        ),
    ] = "people"
    documents_annotations: Annotated[
        Literal["hidden", "shown"],
        design(
            title=marked("People read how others rated a document"),
            help=marked(
                "With their reasons, as they wrote them: read these before you show them. Models "
                "are told the same."
            ),
            order=5,
            choices=(("hidden", marked("no")), ("shown", marked("yes, with reasons"))),
            shown=_shows_annotations,
        ),
    ] = "hidden"
    minimum_seconds: Annotated[
        int,
        amount(
            title=marked("Least time for a task"),
            help=marked("Faster work is marked for review, never refused."),
            unit="seconds",
            form="quality",
        ),
    ] = 0
    minimum_item_seconds: Annotated[
        int,
        amount(
            title=marked("Least time for a page"),
            help=marked("Work is marked where a third of its pages took less. 0 for no limit."),
            unit="seconds",
            form="quality",
        ),
    ] = 0
    minutes: Annotated[
        int,
        count(
            title=marked("Expected time for one task"),
            unit="minutes",
            form="time",
            reshapes=True,  # the suggested pay
        ),
    ] = 15
    gold_per_questionnaire: Annotated[
        int,
        amount(
            title=marked("Gold items in a questionnaire"),
            help=marked(
                "So many are drawn from the list. A questionnaire has none that it shows already."
            ),
            form="checks",
            shown=lambda one: one["gold"],
        ),
    ] = 1


class InstrumentFile(msgspec.Struct, frozen=True):
    """A method. Its `version` rises by 1 whenever its questions, answers or instructions change."""

    name: Annotated[
        str, _key(EXPORT_NAME, form="texts", order=3, if_blank=marked("the method has no name"))
    ]
    title: Annotated[str, replace(METHOD_TITLE, order=1, max_length=TITLE_LENGTH)]
    source: str
    item_kind: Annotated[
        str,
        Setting(
            title=marked("A page shows"), form="texts", order=2, widget="choice", reshapes=True
        ),
    ]
    instructions: Annotated[
        str,
        markdown(
            title=marked("Instructions"),
            help=marked(
                "{items}, {time}, {minutes} and {pay} become the figures of the worker's own task."
            ),
            form="instructions",
            screen="instructions",
        ),
    ]
    consent: Annotated[
        str,
        replace(
            CONSENT,
            help=marked(
                "What people agree to before they take part. Methods with the same text show it "
                "once."
            ),
        ),
    ]
    criteria: list[CriterionSpec]
    scales: list[ScaleSpec]
    questions: list[QuestionSpec]
    exit_form: list[FieldSpec] = []
    designer: Annotated[
        str, design(title=marked("Pages are made of"), widget="choice", reshapes=True, folds=True)
    ] = ""
    item_order: Annotated[
        Literal["drawn", "fixed"],
        design(
            title=marked("Order of pages"),
            order=7,
            choices=(("drawn", marked("drawn for each worker")), ("fixed", marked("as designed"))),
            folds=True,
        ),
    ] = "drawn"
    totals: list[TotalSpec] = []
    defaults: DesignDefaults = DesignDefaults()
    attention: list[AttentionSpec] = []
    gold: list[KnownSpec] = []
    training: list[KnownSpec] = []
    version: int = 1
