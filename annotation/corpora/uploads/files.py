"""An upload as files that the importing code reads. Only reads, but for its scratch folder."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from django.conf import settings

from annotation.corpora.corpus_files import CorpusFile
from annotation.corpora.detection.kinds import AUTHORS, SNAPSHOTS
from annotation.corpora.formats.registry import FORMATS
from annotation.corpora.mapping import Columns
from annotation.corpora.reading.lines import Bounds, BrokenFile
from annotation.corpora.reading.opening import Opening
from annotation.corpora.schema import BadLine, RowKind
from annotation.corpora.uploads import snapshots
from annotation.corpora.uploads.id_preview import numbered_fields
from annotation.models import UploadedFile
from annotation.texts.translation import translated


class BadFile(ValueError):
    """A file of the published corpus that is not what it is called."""

    def __init__(self, bad_line: BadLine) -> None:
        super().__init__(str(bad_line))
        self.bad_line = bad_line


def bounds() -> Bounds:
    return Bounds(unpacked=settings.UPLOAD_MOST_UNPACKED)


def corpus_files(files: Iterable[UploadedFile], *, scratch: Path) -> list[CorpusFile]:
    """Return the files with their mappings; snapshots as last texts. Raises BadFile."""
    return [_corpus_file(file, scratch) for file in files if kind_of(file) != AUTHORS]


def kind_of(file: UploadedFile) -> str:
    kind: str = file.mapping.get("kind") or file.look["kind"]
    return kind


def _corpus_file(file: UploadedFile, scratch: Path) -> CorpusFile:
    if kind_of(file) == SNAPSHOTS:
        into = scratch / f"{file.pk}.jsonl"
        try:
            snapshots.last_texts(file.path, is_gzip=_is_gzip(file), bounds=bounds(), into=into)
        except BrokenFile as error:
            raise BadFile(BadLine(file.name, error.line, "", translated(error.reason))) from error
        return CorpusFile(into, kind=RowKind.RESPONSES, name=f"{_stem(file)} (last texts).jsonl")
    kind = kind_of(file)
    opening = file.look.get("opening")
    whole = CorpusFile(
        file.path,
        name=file.name,
        opening=Opening.from_json(opening) if opening else None,
        bounds=bounds(),
    )
    if file_format := FORMATS.get(kind):
        return replace(whole, kind=file_format.brings[0], format=file_format)
    return replace(
        whole, kind=RowKind(kind), columns=_columns(file.look, file.mapping, kind_of(file))
    )


def _columns(look: dict[str, Any], mapping: dict[str, Any], kind: str) -> Columns | None:
    """None: they have our names."""
    if not mapping.get("columns"):
        return None
    return Columns(
        mapping["columns"],
        mapping["fixed"],
        mapping.get("numbered", ()),
        seen=frozenset(look["names"]),
        given=numbered_fields(look, mapping, kind),
        systems=mapping.get("systems", {}),
    )


def _stem(file: UploadedFile) -> str:
    return file.name.removesuffix(".gz").removesuffix(".jsonl")


def authors_of(files: Iterable[UploadedFile]) -> dict[str, str]:
    """Return the author of each response, from the published file if any. Raises BadFile."""
    authors: dict[str, str] = {}
    for file in files:
        if kind_of(file) == AUTHORS:
            try:
                authors = snapshots.authors(
                    file.path, is_gzip=_is_gzip(file), bounds=bounds(), known=authors
                )
            except BrokenFile as error:
                raise BadFile(
                    BadLine(file.name, error.line, "", translated(error.reason))
                ) from error
    return authors


def _is_gzip(file: UploadedFile) -> bool:
    return file.name.lower().endswith(".gz")
