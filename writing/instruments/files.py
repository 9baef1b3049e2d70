"""Instruments of writing: instructions, styles and forms, one data file each."""

from collections.abc import Iterable
from pathlib import Path
from typing import Literal

import msgspec

from annotation.studies import instruments
from annotation.studies.forms import FieldSpec
from annotation.studies.instruments import Fault

FOLDER = Path(__file__).parent


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
    entry_form: list[FieldSpec] = []
    exit_form: list[FieldSpec] = []
    defaults: Defaults = Defaults()


def available() -> list[str]:
    """The names of the instruments that come with Crowdwright."""
    return instruments.names_in(FOLDER)


def load(name: str) -> Instrument:
    """The instrument of this name. Raises BadInstrument."""
    return read(instruments.path_of(name, folder=FOLDER))


def blank() -> Instrument:
    """An instrument to begin with: one style, no forms, the consent text and rule of the others."""
    model = load("crowdrag-writing")
    return msgspec.structs.replace(
        model,
        name="own-writing",
        title="Own writing study",
        source="",
        styles=[StyleSpec("free", "Free", "")],
        entry_form=[],
        exit_form=[],
    )


def read(path: Path) -> Instrument:
    """Read and check an instrument file. Raises BadInstrument."""
    instrument = instruments.decoded(path, as_type=Instrument)
    instruments.refuse(faults_of(instrument), name=path.name)
    return instrument


def faults_of(instrument: Instrument) -> Iterable[Fault]:
    """What the types cannot say; paths as annotation.drafts.paths has them."""
    styles = [each.style for each in instrument.styles]
    if not styles or len(set(styles)) < len(styles):
        yield Fault("styles", "it needs styles, each of them once")
    if not 0 < instrument.low_words <= instrument.target_words <= instrument.high_words:
        yield Fault("target_words", "low_words <= target_words <= high_words does not hold")
