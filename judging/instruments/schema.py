"""Structs of a judging instrument: criteria, scales, questions, checks and design figures."""

from typing import Literal

import msgspec

from annotation.studies.forms import FieldSpec

TITLE_LENGTH = 200  # of the column that a study copies it to


class CriterionSpec(msgspec.Struct, frozen=True):
    """`topic` is the key of its topic, empty for all topics."""

    key: str
    name: str
    definition: str = ""
    topic: str = ""


class OptionSpec(msgspec.Struct, frozen=True, omit_defaults=True):
    """`polarity`: the chosen slot is the best or the worst, or a label is the better one."""

    code: str
    label: str
    role: Literal["slot", "tie", "abstain", "both_bad", "score", "label"]
    slot: str | None = None
    score: float | None = None
    polarity: Literal["best", "worst", "positive"] | None = None


class ScaleSpec(msgspec.Struct, frozen=True, omit_defaults=True):
    """The default `level` depends on the kind (answering.scales.level_of)."""

    key: str
    kind: Literal["options", "range", "text"]
    options: list[OptionSpec] = []
    min: float | None = None
    max: float | None = None
    step: float = 1
    low_label: str = ""
    high_label: str = ""
    max_length: int = 2000
    level: Literal["nominal", "ordinal", "interval"] | None = None


class QuestionSpec(msgspec.Struct, frozen=True):
    key: str
    criterion: str
    scale: str
    text: str
    arity: Literal["item", "slot", "choose"] = "item"
    justification: bool = False
    optional: bool = False


class TotalSpec(msgspec.Struct, frozen=True, omit_defaults=True):
    """A sum for each text, of its criteria, or of all."""

    key: str
    criteria: list[str] = []


class AnswerSpec(msgspec.Struct, frozen=True):
    """The right answer to the question `key`: a code for the nominal order, or a number."""

    key: str
    answer: str


class AttentionSpec(msgspec.Struct, frozen=True):
    """A page like the others in every questionnaire; `text` (Markdown) has the answers."""

    key: str
    text: str
    answers: list[AnswerSpec] = []


class KnownSpec(msgspec.Struct, frozen=True):
    """An item with known answers. `item` is its key, as in exports: the contents of its slots.

    `explanation` (Markdown) is shown after a training item.
    """

    key: str
    item: str
    answers: list[AnswerSpec] = []
    explanation: str = ""


class DesignDefaults(msgspec.Struct, frozen=True):
    items_per_questionnaire: int = 15
    quota: int = 5
    reversed_share: float = 0
    depth: int | None = None
    rounds: int = 1
    topics_together: bool = False
    games_per_topic: int | None = None
    documents_scored_at_least: int | None = None
    documents_scored_in: str = ""
    documents_scored_on: str = ""
    documents_scored_by: str = "people"
    documents_annotations: Literal["hidden", "shown"] = "hidden"
    minimum_seconds: int = 0
    minimum_item_seconds: int = 0
    minutes: int = 15
    gold_per_questionnaire: int = 1


class InstrumentFile(msgspec.Struct, frozen=True):
    """A method. Its `version` rises by 1 whenever its questions, answers or instructions change."""

    name: str
    title: str
    source: str
    item_kind: str
    instructions: str
    consent: str
    criteria: list[CriterionSpec]
    scales: list[ScaleSpec]
    questions: list[QuestionSpec]
    exit_form: list[FieldSpec] = []
    designer: str = ""
    item_order: Literal["drawn", "fixed"] = "drawn"
    totals: list[TotalSpec] = []
    defaults: DesignDefaults = DesignDefaults()
    attention: list[AttentionSpec] = []
    gold: list[KnownSpec] = []
    training: list[KnownSpec] = []
    version: int = 1
