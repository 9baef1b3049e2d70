"""Declaration of a format of another system: its signature, and the rows that it brings.

To add one, for files whose rows hold lists or parts (a flat table needs no format: its columns are
recognised by `annotation.corpora.detection`):

1. Write a module in this room with a `FileFormat` named FORMAT:
   - `name` is stored with uploads and never changes; `title` is what the page calls the rows.
   - `signature` gets a `Sample` of the file and returns how certain it is that the file has this
     format (0 to 1, None: no) with the reasons, each a fact that a researcher can check.
   - `brings` are the kinds of rows that `reader` yields. The file is read once for each kind, so
     memory stays constant.
   - `reader` turns parsed rows into rows of ours: fields of `schema.ROWS[kind]`. What cannot be
     read is a `FormatFault` with a sentence about the data; reading goes on behind it. A row that
     several lines repeat (the topic of each answer) is yielded once. A ranking without a system
     is that of a system called like the file. What a corpus has no place for is `LeftOut`.
   - Votes, ratings and classes are `ForeignLabel`s, if `labels` is set: they are kept beside the
     corpus, and a study imports them, from there or from the same file.
   - `reads` are the paths of the fields that are kept, such as `doc.title`: the check names others.
2. Add it to `registry.FORMATS`.
3. Test it with a file in the shape that the other system writes, and note where the shape is from.

Pure.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from annotation.corpora.formats.faults import FormatFault
from annotation.corpora.reading.source_rows import SourceRow
from annotation.corpora.row_kinds import RowKind


class Signature(NamedTuple):
    """Certainty that a file has a format, from 0 to 1, and the reason."""

    score: float
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True)
class FileSample:
    """The first rows of a file: parsed values, the names of all their fields, the file's name.

    `beginning` is its text, for rows that are longer than what is looked at.
    """

    rows: Sequence[Any] = ()
    names: Sequence[str] = ()
    name: str = ""
    beginning: str = field(default="", repr=False)

    def objects(self) -> list[dict[str, Any]]:
        """Return the rows that are objects."""
        return [row for row in self.rows if isinstance(row, dict)]

    def share_of_most(self, has_shape: Callable[[dict[str, Any]], bool]) -> float:
        """Return the share of rows that are objects of a shape, and 0 unless they are most."""
        objects = self.objects()
        share = sum(map(has_shape, objects)) / len(self.rows) if objects else 0
        return share if share > 1 / 2 else 0

    def every(self, *fields: str) -> bool:
        """Return whether there are rows, and all of them have these fields."""
        return bool(self.rows) and all(
            isinstance(row, dict) and row.keys() >= set(fields) for row in self.rows
        )


class FormatRow(NamedTuple):
    """A row of ours, and the row of the file that it is from."""

    source: SourceRow
    kind: RowKind
    values: dict[str, Any]


class FaultyRow(NamedTuple):
    """A row of the file that cannot be read, or a part of it."""

    source: SourceRow
    fault: FormatFault


class LeftOutCounts(NamedTuple):
    """Counts of what a row holds and a corpus has no place for, by its name (marked)."""

    source: SourceRow
    counts: Mapping[str, int]


class ForeignLabel(NamedTuple):
    """A label that a row holds, by the columns of a file of labels (judging.labels.files)."""

    source: SourceRow
    values: dict[str, Any]


Read = FormatRow | FaultyRow | LeftOutCounts | ForeignLabel
Reader = Callable[[Iterable[SourceRow]], Iterator[Read]]
JoinedReader = Callable[[Iterable[SourceRow], Iterable[SourceRow]], Iterator[Read]]


@dataclass(frozen=True)
class FileFormat:
    """A format of another system."""

    name: str
    title: str  # marked
    signature: Callable[[FileSample], Signature | None]
    brings: tuple[RowKind, ...]
    reader: Reader
    reads: tuple[str, ...] = ()  # paths through objects and lists; a `*` is any key; (): all
    system: str = ""  # the field that names systems
    hint: str = ""  # where to bring what is left out (marked)
    labels: bool = False  # the reader yields labels
    # The name of a format whose files come in the same upload, and a reader of both.
    joins: str = ""
    joined_reader: JoinedReader | None = None

    def unkept(self, sample: FileSample) -> list[str]:
        """Return the paths of fields that the first rows have and no corpus keeps."""
        if not self.reads:
            return []
        read = {tuple(path.casefold().split(".")) for path in self.reads}
        read |= {path[:length] for path in read for length in range(1, len(path))}
        unread_paths = dict.fromkeys(path for row in sample.rows for path in _unread(row, (), read))
        return list(unread_paths)


def _unread(value: Any, path: tuple[str, ...], read: set[tuple[str, ...]]) -> Iterator[str]:
    """Yield the paths below a value that are not read; a path that is read has all below it."""
    if isinstance(value, list):
        for element in value:
            yield from _unread(element, path, read)
    elif isinstance(value, dict) and (not path or any(p[:-1] == path for p in read)):
        is_any = (*path, "*") in read
        for name, inner in value.items():
            below = (*path, "*" if is_any else name.casefold())
            if below in read:
                yield from _unread(inner, below, read)
            else:
                yield ".".join((*path, "*" if is_any else name))
