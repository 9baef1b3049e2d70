"""Instruments of writing: instructions, styles and forms, one data file each."""

from collections.abc import Iterable
from pathlib import Path

import msgspec
from django.utils import translation
from django.utils.translation import gettext

from annotation.studies import instruments
from annotation.studies.instruments import Fault
from annotation.studies.translations import ORIGINAL, in_language
from writing.instruments.schema import StyleSpec, WritingInstrument

FOLDER = Path(__file__).parent


def available() -> list[str]:
    """Return the names of the instruments that come with Crowdwright."""
    return instruments.names_in(FOLDER)


def load(name: str, language: str = ORIGINAL) -> WritingInstrument:
    """Return the instrument of this name in a language. Raises BadInstrument."""
    path = instruments.path_of(name, folder=FOLDER)
    return in_language(read(path), path=path, language=language)


def blank(language: str = ORIGINAL) -> WritingInstrument:
    """Return an instrument to start from: one style, no forms, the usual consent text and rule."""
    model = load("crowdrag-writing", language)
    with translation.override(language):
        title, free = gettext("Your own writing study"), gettext("Free")
    return msgspec.structs.replace(
        model,
        name="own-writing",
        title=title,
        source="",
        styles=[StyleSpec("free", free, "")],
        entry_form=[],
        exit_form=[],
    )


def read(path: Path) -> WritingInstrument:
    """Read and check an instrument file. Raises BadInstrument."""
    instrument = instruments.decoded(path, as_type=WritingInstrument)
    instruments.refuse(faults_of(instrument), name=path.name)
    return instrument


def faults_of(instrument: WritingInstrument) -> Iterable[Fault]:
    """Yield the faults that types cannot express, with paths of annotation.studies.drafts.paths."""
    styles = [style.style for style in instrument.styles]
    if not styles or len(set(styles)) < len(styles):
        yield Fault("styles", gettext("list at least one style and each style only once"))
    if not 0 < instrument.low_words <= instrument.target_words <= instrument.high_words:
        yield Fault("target_words", gettext("must be low_words <= target_words <= high_words"))
