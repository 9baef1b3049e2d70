"""Rows and columns of texts that an import of checked files would ignore. Only reads."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from annotation.corpora.uploads.questions import leaves_most_text, unread_texts
from annotation.models import UploadedFile

MOST_ROWS = 0.5  # share of the rows of a file
FEW_ROWS = 4  # of a small file the half is no sign


@dataclass(frozen=True)
class Ignored:
    """Parts of a file that no corpus would get; `is_most` of its rows or of its text."""

    file: str
    rows: int
    ignored_rows: int
    texts: tuple[str, ...]
    is_most: bool


def ignored_parts(files: Iterable[UploadedFile], report: dict[str, Any]) -> list[Ignored]:
    """Return what is ignored of the files of which most would be ignored."""
    parts = (_of(file, report.get("rows", {}).get(file.name, {})) for file in files)
    return [part for part in parts if part.is_most]


def _of(file: UploadedFile, counts: dict[str, int]) -> Ignored:
    rows, ignored = counts.get("read", 0), counts.get("ignored", 0)
    texts = unread_texts(file.look, file.mapping)
    is_most_rows = rows >= FEW_ROWS and ignored > MOST_ROWS * rows and bool(texts)
    is_most = is_most_rows or leaves_most_text(file.look, file.mapping)
    return Ignored(file.name, rows, ignored, tuple(texts), is_most)
