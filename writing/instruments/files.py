"""Instruments of writing: instructions, styles and forms, one data file each."""

from pathlib import Path
from typing import Literal

import msgspec

from annotation.studies.forms import FieldSpec

FOLDER = Path(__file__).parent


class BadInstrument(ValueError):
    """An instrument file that cannot be used; the message names the file and the fault."""


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
    return sorted(path.stem for path in FOLDER.glob("*.json"))


def load(name: str) -> Instrument:
    """The instrument of this name. Raises BadInstrument."""
    if name not in available():
        raise BadInstrument(f"No instrument {name!r}; there are {', '.join(available())}.")
    return read(FOLDER / f"{name}.json")


def read(path: Path) -> Instrument:
    """Read and check an instrument file. Raises BadInstrument."""
    try:
        instrument = msgspec.json.decode(path.read_bytes(), type=Instrument)
    except (OSError, msgspec.DecodeError) as error:
        raise BadInstrument(f"{path.name}: {error}") from error
    styles = [each.style for each in instrument.styles]
    if not styles or len(set(styles)) < len(styles):
        raise BadInstrument(f"{path.name}: it needs styles, each of them once")
    if not 0 < instrument.low_words <= instrument.target_words <= instrument.high_words:
        raise BadInstrument(f"{path.name}: low_words <= target_words <= high_words does not hold")
    return instrument
