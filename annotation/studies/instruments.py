"""Instruments: ready-made methods, one data file each in a folder of the study kind they are for.

What is in a file, and what else must hold of it, the kind says: `judging.instruments.files`,
`writing.instruments.files`.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import TypeVar

import msgspec

T = TypeVar("T")


class BadInstrument(ValueError):
    """An instrument file that cannot be used; the message names the file and the fault."""


def names_in(folder: Path) -> list[str]:
    """The names of the instruments in a folder."""
    return sorted(path.stem for path in folder.glob("*.json"))


def path_of(name: str, *, folder: Path) -> Path:
    """The file of the instrument of this name. Raises BadInstrument."""
    names = names_in(folder)
    if name not in names:
        raise BadInstrument(f"No instrument {name!r}; there are {', '.join(names)}.")
    return folder / f"{name}.json"


def decoded(path: Path, *, as_type: type[T]) -> T:
    """What an instrument file says, of the types that it should have. Raises BadInstrument."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=as_type)
    except (OSError, msgspec.DecodeError) as error:
        raise BadInstrument(f"{path.name}: {error}") from error


def refuse(faults: Iterable[str], *, name: str) -> None:
    """Raises BadInstrument with all faults of an instrument, if there are any."""
    if lines := [f"{name}: {fault}" for fault in faults]:
        raise BadInstrument("\n".join(lines))
