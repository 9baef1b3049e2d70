"""Struct of the design figures of a judging instrument."""

from collections.abc import Callable
from functools import partial
from typing import Annotated, Any, Literal

import msgspec

from annotation.studies.drafts.setting import Setting
from annotation.texts.sentences import marked
from judging.designers.designs import shows_documents
from judging.items.kinds import KINDS

Condition = Callable[[dict[str, Any]], bool]  # on an instrument or a part of it, in plain data


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
scored = partial(Setting, form="design", order=5, shown=_shows_scored)


class DesignDefaults(msgspec.Struct, frozen=True):
    items_per_questionnaire: Annotated[
        int, count(title=marked("Items per questionnaire"), form="design")
    ] = 15
    quota: Annotated[int, count(title=marked("Participants per questionnaire"), form="design")] = 5
    reversed_share: Annotated[
        float,
        design(
            title=marked("Reversed pairs"),
            help=marked("Share of pairs that are also shown in reverse. CrowdRAG-25 used a third."),
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
            help=marked("Skips texts already graded by a person."),
            order=4,
            choices=(
                ("all", marked("all")),
                ("unknown", marked("only texts that no person has graded")),
            ),
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
            help=marked("Default: all pairs. A sample shows systems equally often (±1)."),
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
            help=marked("Scores come from another study. Default: any score."),
            order=5,
            shown=_shows_documents,
            reshapes=True,
        ),
    ] = None
    documents_scored_in: Annotated[
        str,
        scored(
            title=marked("Study with document scores"),
            help=marked("A closed study that scored passages in this corpus, such as my-study/1."),
        ),
    ] = ""
    documents_scored_on: Annotated[
        str,
        scored(
            title=marked("Question in that study"),
            help=marked("Question key. Default: the first question that scores passages."),
        ),
    ] = ""
    documents_scored_by: Annotated[
        str,
        scored(
            title=marked("Raters"),
            help=marked(
                "Enter people, crowd, experts, models or one rater. The score is the mean, "
                "with halves rounded up."
            ),
            suggestions=("people", "crowd", "experts", "models"),
        ),
    ] = "people"
    documents_annotations: Annotated[
        Literal["hidden", "shown"],
        design(
            title=marked("Show others' ratings of documents"),
            help=marked("Participants and LLM judges see reasons unedited."),
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
            help=marked("Flags submissions if a third of items took less time. 0 turns this off."),
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
