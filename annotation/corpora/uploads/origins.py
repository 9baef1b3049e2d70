"""Author kinds of systems' texts whose files don't name them. Only reads."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from annotation.corpora.detection.kinds import SNAPSHOTS
from annotation.corpora.formats.registry import FORMATS, brought_kinds
from annotation.corpora.schema import RowKind
from annotation.corpora.uploads.files import kind_of
from annotation.models import CorpusUpload, Origin, UploadedFile

# Rows of these are texts, and may say who wrote them.
TEXTS = frozenset(
    {
        RowKind.TABLE,
        RowKind.RESPONSES,
        RowKind.ANSWERS,
        RowKind.RAG_ANSWERS,
        RowKind.SUMMARIES,
    }
)
MOST_SYSTEMS = 40  # that a page asks about; for more a file of systems says it
# The column of a system, by what the rows are, where no other is chosen.
COLUMNS = {
    RowKind.RESPONSES: "system",
    RowKind.TABLE: "system",
    RowKind.SYSTEMS: "system",
    RowKind.ANSWERS: "agent",
    RowKind.RAG_ANSWERS: "run_id",
    RowKind.SUMMARIES: "system",
}


@dataclass(frozen=True)
class SystemOrigin:
    """`origin` is empty where nothing is said yet."""

    system: str
    origin: str


@dataclass(frozen=True)
class OpenOrigins:
    """True if it has to be asked who wrote texts: files have no column that says it."""

    is_open: bool
    is_of_all: bool  # no file has one
    systems_say: bool  # a file of systems has one
    guess: str


def asked(files: Iterable[UploadedFile]) -> OpenOrigins:
    """Return the origins that the files leave open. Language models are the default of systems."""
    files = list(files)
    texts = [file for file in files if not TEXTS.isdisjoint(brought_kinds(kind_of(file)))]
    silent = [file for file in texts if not _has_origin(file)]
    systems_say = any(kind_of(file) == RowKind.SYSTEMS and _has_origin(file) for file in files)
    is_published = any(kind_of(file) == SNAPSHOTS for file in files)
    are_of_systems = all(
        kind_of(file) in (RowKind.TABLE, *FORMATS)
        or _column(file.mapping, kind_of(file)) in file.look["names"]
        for file in silent
    )
    is_guessed = bool(silent) and not systems_say and (is_published or are_of_systems)
    return OpenOrigins(
        is_open=bool(silent),
        is_of_all=len(silent) == len(texts),
        systems_say=systems_say,
        guess=Origin.LLM.value if is_guessed else "",
    )


def is_missing(upload: CorpusUpload, files: Iterable[UploadedFile]) -> bool:
    """Return whether nobody and nothing says who wrote any of the texts of a new corpus."""
    if upload.origin or any(upload.origins.values()) or upload.corpus_id is not None:
        return False
    question = asked(files)
    return question.is_open and question.is_of_all and not question.systems_say


def _has_origin(file: UploadedFile) -> bool:
    """Return whether rows name their origin, or one is set for all of them."""
    columns = file.mapping.get("columns")
    column = columns.get("origin") if columns else "origin"
    return column in file.look["names"] or "origin" in file.mapping.get("fixed", {})


def systems_of(upload: CorpusUpload, files: Iterable[UploadedFile]) -> list[SystemOrigin]:
    """Return the systems with a declared or missing origin, or named in the first rows."""
    missed = upload.report.get("of_nobody", [])
    names = dict.fromkeys([*upload.origins, *missed, *_named(files)])
    return [SystemOrigin(name, upload.origins.get(name, "")) for name in [*names][:MOST_SYSTEMS]]


def _named(files: Iterable[UploadedFile]) -> Iterator[str]:
    for file in files:
        column = _column(file.mapping, kind_of(file))
        yield from file.look.get("few", {}).get(column, [])


def _column(mapping: dict[str, Any], kind: str) -> str:
    if kind in FORMATS:
        return FORMATS[kind].system
    usual = COLUMNS[RowKind(kind)] if kind in list(COLUMNS) else ""
    columns = mapping.get("columns")
    return str(columns.get(usual, "")) if columns else usual
