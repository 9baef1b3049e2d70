"""Files of a corpus: what is known of one before it is read, and its readable rows."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO

from annotation.corpora.formats.file_format import FileFormat
from annotation.corpora.mapping import Columns
from annotation.corpora.reading.encodings import UTF_8
from annotation.corpora.reading.headers import FOUND
from annotation.corpora.reading.lines import Bounds, BrokenFile
from annotation.corpora.reading.opening import Opening, opening_of
from annotation.corpora.reading.source import Source
from annotation.corpora.reading.source_rows import SourceRow, UnfitFile
from annotation.corpora.remedies import USUAL, RemedyChoices
from annotation.corpora.schema import RowKind


@dataclass(frozen=True)
class CorpusFile:
    """A file to read: a path, or an open binary file that can go back to its start."""

    source: Path | BinaryIO
    kind: RowKind | None = None  # None: recognised by the keys of its rows
    name: str = ""
    columns: Columns | None = None  # None: they have our names
    opening: Opening | None = None  # None: found in its first bytes
    header: int = FOUND  # number of its row, where the opening does not say it
    bounds: Bounds | None = None  # None: a file of our own
    format: FileFormat | None = None  # of another system: `kind` is one of those that it brings
    choices: RemedyChoices = USUAL  # for problems of its rows
    only_topics: bool = False  # of a table of answers
    needs: str = ""  # the field without which a row is passed over: it is for another kind
    joined: "tuple[CorpusFile, ...]" = ()  # files that the reader of its format needs
    is_distinct: bool = False  # rows that come back are passed over: they are of another kind

    @property
    def label(self) -> str:
        """Return what to call the file in a report."""
        return self.name or (self.source.name if isinstance(self.source, Path) else "upload")

    @contextmanager
    def opened(self) -> Iterator[BinaryIO]:
        """Open the path, or start again with a file that somebody else will close."""
        if isinstance(self.source, Path):
            with self.source.open("rb") as stream:
                yield stream
        else:
            self.source.seek(0)
            yield self.source


def source_rows(file: CorpusFile) -> Iterator[SourceRow]:
    """Yield the rows that can be read; what is wrong with others is said of the file itself."""
    with file.opened() as stream:
        try:
            opening = file.opening or certain_opening(
                opening_of(stream, file.label, header=file.header)
            )
            stream.seek(0)
            for row in Source(stream=stream, opening=opening, bounds=file.bounds):
                if isinstance(row, SourceRow):
                    yield row
        except (UnfitFile, BrokenFile):
            return


def certain_opening(opening: Opening) -> Opening:
    """Return an opening without a guess about the encoding, which nobody here can confirm."""
    if not opening.is_encoding_guessed:
        return opening
    return replace(opening, encoding=UTF_8, is_encoding_guessed=False)
