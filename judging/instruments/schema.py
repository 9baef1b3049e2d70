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


def _asks_a_bank(one: dict[str, Any]) -> bool:
    return bool(one.get("bank"))


def _shows_annotations(one: dict[str, Any]) -> bool:
    shown = one["defaults"]["documents_annotations"] == "shown"
    return _shows_scored(one) or (_shows_documents(one) and shown)


design = partial(Setting, form="design")
count = partial(Setting, minimum=1, if_outside=marked("enter at least 1"))
amount = partial(Setting, minimum=0, if_outside=marked("enter 0 or more"))
markdown = partial(Setting, widget="markdown", wide=True)
of_range = partial(Setting, order=3, shown=_in("kind", "range"))
scored = partial(Setting, form="design", order=5, shown=_shows_scored)


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
            title=marked("Only for the topic"),
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
                ("steps", marked("buttons (a field above 11 steps)")),
                ("slider", marked("slider (VAS)")),
            ),
        ),
    ] = "steps"
    low_label: Annotated[str, of_range(title=marked("Label of the lowest"))] = ""
    high_label: Annotated[str, of_range(title=marked("Label of the highest"))] = ""
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
            title=marked("Asked"),
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
            title=marked("Asked about"),
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
    text: Annotated[str, markdown(title=marked("Text of the page"))]
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
            help=marked("Item key as in exports: text keys joined by |."),
            wide=True,
        ),
    ]
    answers: list[AnswerSpec] = []
    explanation: Annotated[
        str,
        markdown(title=marked("Explanation"), help=marked("Shown after the answer.")),
    ] = ""


class DesignDefaults(msgspec.Struct, frozen=True):
    items_per_questionnaire: Annotated[
        int, count(title=marked("Items per questionnaire"), form="design")
    ] = 15
    quota: Annotated[int, count(title=marked("Participants per questionnaire"), form="design")] = 5
    reversed_share: Annotated[
        float,
        design(
            title=marked("Reversed pairs"),
            help=marked("Pairs shown again with sides swapped. CrowdRAG-25 repeated a third."),
            order=2,
            shown=_designed_by("all_pairs"),
            minimum=0,
            maximum=1,
            if_outside=marked("enter 0 to 1"),
        ),
    ] = 0
    depth: Annotated[
        int | None,
        count(
            title=marked("Top passages per topic"),
            help=marked("Default: all."),
            blank=marked("All"),
            form="design",
            order=4,
            shown=_shows_passages,
        ),
    ] = None
    cells: Annotated[
        Literal["all", "unknown"],
        design(
            title=marked("Entries and texts"),
            help=marked("Texts that a person already graded on an entry can be skipped."),
            order=4,
            choices=(("all", marked("all")), ("unknown", marked("only without a person's grade"))),
            shown=_asks_a_bank,
        ),
    ] = "all"
    rounds: Annotated[
        int,
        count(
            title=marked("Blocks per text"),
            form="design",
            order=3,
            shown=_designed_by("blocks"),
        ),
    ] = 1
    topics_together: Annotated[
        bool, design(title=marked("Keep topics together"), order=6, folds=True)
    ] = False
    games_per_topic: Annotated[
        int | None,
        count(
            title=marked("Pairs per topic"),
            help=marked("Default: all. A sample shows each system equally often (±1)."),
            blank=marked("All"),
            form="design",
            order=1,
            shown=_designed_by("all_pairs"),
        ),
    ] = None
    documents_scored_at_least: Annotated[
        int | None,
        design(
            title=marked("Lowest document score"),
            help=marked(
                "Default: any score. Otherwise only documents with at least this score in "
                "another study."
            ),
            order=5,
            shown=_shows_documents,
            reshapes=True,
        ),
    ] = None
    documents_scored_in: Annotated[
        str,
        scored(
            title=marked("Study with document scores"),
            help=marked(
                "A closed passage study on this corpus, such as my-study/1. Scores are copied "
                "at launch."
            ),
        ),
    ] = ""
    documents_scored_on: Annotated[
        str,
        scored(
            title=marked("Question in that study"),
            help=marked("Question key. Default: the first that scores passages."),
        ),
    ] = ""
    documents_scored_by: Annotated[
        str,
        scored(
            title=marked("Raters"),
            help=marked(
                "people, crowd, experts, models, or one rater's name. Several raters are "
                "averaged, halves rounded up."
            ),
            suggestions=("people", "crowd", "experts", "models"),
        ),
    ] = "people"
    documents_annotations: Annotated[
        Literal["hidden", "shown"],
        design(
            title=marked("Show others' ratings of documents"),
            help=marked(
                "Reasons are shown unedited, so review them first. LLM judges see them too."
            ),
            order=5,
            choices=(("hidden", marked("no")), ("shown", marked("yes, with reasons"))),
            shown=_shows_annotations,
        ),
    ] = "hidden"
    minimum_seconds: Annotated[
        int,
        amount(
            title=marked("Minimum time per task"),
            help=marked("Faster submissions are flagged, never refused."),
            unit="seconds",
            form="quality",
        ),
    ] = 0
    minimum_item_seconds: Annotated[
        int,
        amount(
            title=marked("Minimum time per item"),
            help=marked(
                "Flags submissions with a third of their items faster than this. 0 for no limit."
            ),
            unit="seconds",
            form="quality",
        ),
    ] = 0
    minutes: Annotated[
        int,
        count(
            title=marked("Expected time per task"),
            unit="minutes",
            form="time",
            reshapes=True,  # the suggested pay
        ),
    ] = 15
    gold_per_questionnaire: Annotated[
        int,
        amount(
            title=marked("Gold items per questionnaire"),
            help=marked("Sampled from the list without repeats."),
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
        Setting(title=marked("Item"), form="texts", order=2, widget="choice", reshapes=True),
    ]
    instructions: Annotated[
        str,
        markdown(
            title=marked("Instructions"),
            help=marked("{items}, {time}, {minutes} and {pay} are filled in for each task."),
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
