"""Structs of a judging instrument: criteria, scales, questions and checks."""

from dataclasses import replace
from functools import partial
from typing import Annotated, Any, Literal

import msgspec

from annotation.studies.drafts.setting import Setting
from annotation.studies.forms import FieldSpec
from annotation.studies.instruments import CONSENT, EXPORT_NAME, METHOD_TITLE
from annotation.texts.sentences import marked
from judging.instruments.design_schema import Condition, DesignDefaults, design

TITLE_LENGTH = 200  # of the column that a study copies it to
KEY_LENGTH, NAME_LENGTH = 100, 200  # of the columns that a study copies them to
QUESTION_LENGTH = 10_000  # characters
DEFINITION_LENGTH = 2_000  # characters, of an answer
TOO_LONG = marked("it exceeds {longest} characters")


def _in(field: str, *values: str) -> Condition:
    return lambda part: part[field] in values


markdown = partial(Setting, widget="markdown", wide=True)
of_range = partial(Setting, order=3, shown=_in("kind", "range"))


def _key(setting: Setting, **more: Any) -> Setting:
    """Return the setting of a key, which has a column."""
    blank = marked("empty")
    limited = replace(setting, if_blank=blank, max_length=KEY_LENGTH, if_outside=TOO_LONG)
    return replace(limited, **more)


class CriterionSpec(msgspec.Struct, frozen=True):
    """`topic` is a topic key; empty for all topics."""

    key: Annotated[str, replace(EXPORT_NAME, order=4)]
    name: Annotated[
        str,
        Setting(
            title=marked("Name"),
            order=1,
            if_blank=marked("enter a name for {key}"),
            max_length=NAME_LENGTH,
            if_outside=TOO_LONG,
        ),
    ]
    definition: Annotated[str, markdown(title=marked("Explanation"), order=3)] = ""
    topic: Annotated[
        str,
        Setting(
            title=marked("Limit to topic"),
            help=marked("Topic key in the corpus. Default: all."),
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
            if_blank=marked("enter a label"),
            max_length=NAME_LENGTH,
            if_outside=TOO_LONG,
        ),
    ]
    role: Annotated[
        Literal["slot", "tie", "abstain", "both_bad", "score", "label"],
        Setting(
            title=marked("Meaning"),
            choices=(
                ("slot", marked("chooses a text")),
                ("tie", marked("equal")),
                ("both_bad", marked("both bad")),
                ("abstain", marked("cannot say")),
                ("score", marked("has a score")),
                ("label", marked("is a category")),
            ),
            reshapes=True,
        ),
    ]
    slot: Annotated[
        str | None, Setting(title=marked("Slot"), widget="choice", shown=_in("role", "slot"))
    ] = None
    score: Annotated[
        float | None,
        Setting(title=marked("Score"), order=1, shown=_in("role", "slot", "score", "label")),
    ] = None
    polarity: Annotated[
        Literal["best", "worst", "positive"] | None,
        Setting(
            title=marked("Polarity"),
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

    key: Annotated[str, _key(Setting(title=marked("Scale name"), order=4, reshapes=True))]
    kind: Annotated[
        Literal["options", "range", "text"],
        Setting(
            title=marked("Type"),
            order=1,
            choices=(
                ("options", marked("options")),
                ("range", marked("range of numbers")),
                ("text", marked("text")),
            ),
            reshapes=True,
        ),
    ]
    options: list[OptionSpec] = []
    min: Annotated[float | None, of_range(title=marked("From"))] = None
    max: Annotated[float | None, of_range(title=marked("To"))] = None
    step: Annotated[float, of_range(title=marked("Step"))] = 1
    display: Annotated[
        Literal["steps", "slider"],
        of_range(
            title=marked("Display"),
            help=marked("Sliders start without an answer."),
            choices=(
                ("steps", marked("buttons (number field above 11 steps)")),
                ("slider", marked("slider (VAS)")),
            ),
        ),
    ] = "steps"
    low_label: Annotated[str, of_range(title=marked("Label for lowest value"))] = ""
    high_label: Annotated[str, of_range(title=marked("Label for highest value"))] = ""
    max_length: Annotated[
        int,
        Setting(
            title=marked("Maximum length"), unit="characters", order=3, shown=_in("kind", "text")
        ),
    ] = 2000
    level: Annotated[
        Literal["nominal", "ordinal", "interval"] | None,
        Setting(
            title=marked("Level of measurement"),
            order=2,
            choices=(
                ("", marked("default for its type")),
                ("nominal", "categories"),
                ("ordinal", marked("ordinal")),
                ("interval", "numbers"),
            ),
        ),
    ] = None


class QuestionSpec(msgspec.Struct, frozen=True):
    key: Annotated[str, _key(EXPORT_NAME, order=5)]
    criterion: Annotated[
        str, Setting(title=marked("Criterion"), order=4, widget="choice", reshapes=True)
    ]
    scale: Annotated[str, Setting(title=marked("Answer type"), order=2, widget="choice")]
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
            title=marked("Ask"),
            order=3,
            choices=(
                ("item", marked("once per item")),
                ("slot", marked("per text")),
                ("choose", marked("by choosing a text")),
            ),
        ),
    ] = "item"
    about: Annotated[
        Literal["", "overview", "heading", "statement", "cited", "section", "response"],
        Setting(
            title=marked("Ask about"),
            order=3,
            choices=(
                ("", marked("all texts")),
                ("overview", marked("overviews")),
                ("heading", marked("headings")),
                ("statement", marked("statements")),
                ("cited", marked("statements with citations")),
                ("section", marked("sections")),
                ("response", marked("whole texts")),
            ),
            shown=lambda question: bool(question["about"]),
        ),
    ] = ""
    justification: Annotated[bool, Setting(title=marked("Ask for a reason"), order=6)] = False
    optional: Annotated[bool, Setting(title=marked("Optional"), order=7)] = False


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
    """An extra page in every questionnaire. `text` is Markdown with the expected answers."""

    key: Annotated[str, CHECK_NAME]
    text: Annotated[str, markdown(title=marked("Page text"))]
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
            help=marked("Item key from exports: text keys joined by |."),
            wide=True,
        ),
    ]
    answers: list[AnswerSpec] = []
    explanation: Annotated[
        str,
        markdown(title=marked("Explanation"), help=marked("Shown after the answer.")),
    ] = ""


class InstrumentFile(msgspec.Struct, frozen=True):
    """A method. Its `version` rises by 1 whenever its questions, answers or instructions change."""

    name: Annotated[
        str, _key(EXPORT_NAME, form="texts", order=3, if_blank=marked("enter a method name"))
    ]
    title: Annotated[str, replace(METHOD_TITLE, order=1, max_length=TITLE_LENGTH)]
    source: str
    item_kind: Annotated[
        str,
        Setting(title=marked("Item"), form="texts", order=2, widget="choice", reshapes=True),
    ]
    instructions: Annotated[
        str,
        markdown(
            title=marked("Instructions"),
            help=marked("Variables: {items}, {time}, {minutes}, {pay}."),
            form="instructions",
            screen="instructions",
        ),
    ]
    consent: Annotated[
        str,
        replace(
            CONSENT,
            help=marked("Shown before participants take part."),
        ),
    ]
    criteria: list[CriterionSpec]
    scales: list[ScaleSpec]
    questions: list[QuestionSpec]
    exit_form: list[FieldSpec] = []
    designer: Annotated[
        str, design(title=marked("Item design"), widget="choice", reshapes=True, folds=True)
    ] = ""
    item_order: Annotated[
        Literal["drawn", "fixed"],
        design(
            title=marked("Item order"),
            order=7,
            choices=(("drawn", marked("random per participant")), ("fixed", marked("as designed"))),
            folds=True,
        ),
    ] = "drawn"
    totals: list[TotalSpec] = []
    defaults: DesignDefaults = DesignDefaults()
    attention: list[AttentionSpec] = []
    gold: list[KnownSpec] = []
    training: list[KnownSpec] = []
    version: int = 1
    bank: str = ""  # of the corpus, whose entries at a revision are its criteria
    bank_revision: int = 0
