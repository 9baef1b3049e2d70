"""Structs of a writing instrument: styles, forms and figures."""

from typing import Literal

import msgspec

from annotation.studies.forms import FieldSpec


class StyleSpec(msgspec.Struct, frozen=True):
    style: Literal["bullet", "essay", "news", "free"]
    name: str
    instructions: str


class Defaults(msgspec.Struct, frozen=True):
    quota: int = 1
    minutes: int = 25
    minimum_seconds: int = 0
    time_limit_minutes: int = 240


class Instrument(msgspec.Struct, frozen=True):
    """`passages`: of each topic the best so many are shown, all of them where it is null.

    `copy_task`: writers may copy a sentence first, which tells how fast they type.
    """

    name: str
    title: str
    source: str
    instructions: str
    consent: str
    rule: str
    styles: list[StyleSpec]
    target_words: int = 250
    low_words: int = 200
    high_words: int = 300
    passages: int | None = None
    copy_task: bool = False
    entry_form: list[FieldSpec] = []
    exit_form: list[FieldSpec] = []
    defaults: Defaults = Defaults()
