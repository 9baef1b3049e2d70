"""Instruments in other languages: beside `X.json` stands `X.de.json` with its texts and no more.

Such a file names the place of each text (annotation.studies.drafts.paths) and what is said there.
All else,
keys, codes, scales and figures, is that of the instrument itself, so that answers in all languages
are the same answers.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from annotation.models import Study
from annotation.studies.drafts import paths
from annotation.studies.instruments import BadInstrument, decoded

T = TypeVar("T", bound=msgspec.Struct)
ORIGINAL = "en"
# What a text stands under; a `name` is one below a list alone, that of the whole is its key.
TEXTS = {
    "title",
    "instructions",
    "consent",
    "rule",
    "definition",
    "text",
    "label",
    "low_label",
    "high_label",
}


def in_language(instrument: T, *, path: Path, language: str) -> T:
    """Return the instrument of a file in a language, or in the original. Raises BadInstrument."""
    if language == ORIGINAL or language not in Study.Language.values:
        return instrument
    beside = path.with_suffix(f".{language}.json")
    data = msgspec.to_builtins(instrument)
    for place, words in decoded(beside, as_type=dict[str, str]).items():
        try:
            paths.put(data, place, words)
        except paths.NoSuchPlace as error:
            raise BadInstrument("unknown_place", f"{beside.name}: {error}") from error
    return msgspec.convert(data, type(instrument))


def texts_in(data: Any, above: str = "") -> Iterator[tuple[str, str]]:
    """Yield place and value of each text of an instrument in plain data."""
    inside = data.items() if isinstance(data, dict) else zip(paths.names(data), data, strict=True)
    for name, value in inside:
        path = f"{above}/{paths.joined(name)}" if above else paths.joined(name)
        if isinstance(value, dict | list):
            yield from texts_in(value, path)
        elif isinstance(value, str) and value and (name in TEXTS or (name == "name" and above)):
            yield path, value
