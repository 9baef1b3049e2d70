"""Who wrote the texts of each system, where the files do not say it. Only reads."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from annotation.corpora.schema import Kind
from annotation.models import CorpusUpload, UploadedFile
from annotation.uploads.files import kind_of

MOST_SYSTEMS = 40  # that a page asks about; for more a file of systems says it
# The column of a system, by what the rows are, where no other is chosen.
COLUMNS = {
    Kind.RESPONSES: "system",
    Kind.TABLE: "system",
    Kind.SYSTEMS: "system",
    Kind.ANSWERS: "agent",
}


@dataclass(frozen=True)
class SystemOrigin:
    """`origin` is empty where nothing is said yet."""

    system: str
    origin: str


def systems_of(upload: CorpusUpload, files: Iterable[UploadedFile]) -> list[SystemOrigin]:
    """The systems that the first rows of the files name, that the check has missed the origin of,
    or of which it was said."""
    missed = upload.report.get("of_nobody", [])
    names = dict.fromkeys([*upload.origins, *missed, *_named(files)])
    return [SystemOrigin(each, upload.origins.get(each, "")) for each in [*names][:MOST_SYSTEMS]]


def _named(files: Iterable[UploadedFile]) -> Iterator[str]:
    for file in files:
        column = _column(file.mapping, kind_of(file))
        yield from file.look.get("few", {}).get(column, [])


def _column(mapping: dict[str, Any], kind: str) -> str:
    usual = COLUMNS[Kind(kind)] if kind in list(COLUMNS) else ""
    columns = mapping.get("columns")
    return str(columns.get(usual, "")) if columns else usual
