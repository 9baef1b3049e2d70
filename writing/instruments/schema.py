"""Structs of a writing instrument: styles, forms and figures."""

from dataclasses import replace
from functools import partial
from typing import Annotated, Literal

import msgspec

from annotation.studies.drafts.setting import Setting
from annotation.studies.forms import FieldSpec
from annotation.studies.instruments import CONSENT, EXPORT_NAME, METHOD_TITLE
from annotation.texts.sentences import marked

count = partial(Setting, minimum=1, if_outside=marked("Enter at least 1."))
markdown = partial(Setting, widget="markdown", wide=True)


class StyleSpec(msgspec.Struct, frozen=True):
    style: Annotated[
        Literal["bullet", "essay", "news", "free"],
        Setting(
            title=marked("Stored as"),
            order=2,
            choices=(("bullet", "bullet"), ("essay", "essay"), ("news", "news"), ("free", "free")),
            reshapes=True,
        ),
    ]
    name: Annotated[str, Setting(title=marked("Instructions for writers"), order=1)]
    instructions: Annotated[str, markdown(title=marked("Instructions"), order=3)]


class Defaults(msgspec.Struct, frozen=True):
    quota: Annotated[int, count(title=marked("Writers per topic and style"), form="design")] = 1
    minutes: Annotated[
        int,
        count(
            title=marked("Expected time per text"),
            unit="minutes",
            form="time",
            reshapes=True,  # the suggested pay
        ),
    ] = 25
    minimum_seconds: Annotated[
        int,
        Setting(
            title=marked("Minimum time per text"),
            help=marked("Faster submissions are flagged, never refused."),
            unit="seconds",
            form="quality",
        ),
    ] = 0
    time_limit_minutes: int = 240


class WritingInstrument(msgspec.Struct, frozen=True):
    """`passages` is the number of top passages shown per topic; null shows all.

    `copy_task`: writers may copy a sentence first, which tells how fast they type.
    """

    name: Annotated[str, replace(EXPORT_NAME, form="texts", order=1)]
    title: Annotated[str, METHOD_TITLE]
    source: str
    instructions: Annotated[
        str,
        markdown(
            title=marked("Instructions"),
            help=marked("Variables: {words}, {minutes}, {pay}."),
            form="instructions",
            screen="instructions",
        ),
    ]
    consent: Annotated[str, replace(CONSENT, order=2)]
    rule: Annotated[
        str,
        markdown(
            title=marked("The rule"),
            help=marked("Writers agree to this rule before they start."),
            form="instructions",
            order=1,
        ),
    ]
    styles: list[StyleSpec]
    target_words: Annotated[int, Setting(title=marked("Target words"), form="texts")] = 250
    low_words: Annotated[
        int,
        Setting(
            title=marked("Minimum words"),
            help=marked("Shorter texts are flagged, not refused."),
            form="texts",
        ),
    ] = 200
    high_words: Annotated[int, Setting(title=marked("Maximum words"), form="texts")] = 300
    passages: Annotated[
        int | None,
        count(
            title=marked("Passages shown"),
            help=marked("Top passages per topic. Default: all."),
            form="texts",
        ),
    ] = None
    copy_task: Annotated[
        bool,
        Setting(
            title=marked("Copy task"),
            help=marked("Writers copy a sentence first, to compare typing speed."),
            form="texts",
            folds=True,
        ),
    ] = False
    entry_form: list[FieldSpec] = []
    exit_form: list[FieldSpec] = []
    defaults: Defaults = Defaults()
