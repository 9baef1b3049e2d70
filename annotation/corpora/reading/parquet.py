"""Rows of a Parquet file, a batch at a time. Pure."""

import base64
from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any, BinaryIO

import pyarrow as pa
import pyarrow.parquet as pq

from annotation.corpora.reading.lines import MOST_BYTES, Bounds, BrokenFile, megabytes
from annotation.corpora.reading.source_rows import SourceRow, UnfitFile, UnreadRow
from annotation.texts.sentences import Sentence

BATCH = 64  # rows: texts are long
MOST_COLUMNS = 1_000
# Limits of a damaged or hostile footer, in bytes and elements.
MOST_TEXT, MOST_ELEMENTS = 100_000_000, 1_000_000


def open_parquet(stream: BinaryIO) -> pq.ParquetFile:
    """Open a file. Raises UnfitFile."""
    try:
        file = pq.ParquetFile(
            stream,
            thrift_string_size_limit=MOST_TEXT,
            thrift_container_size_limit=MOST_ELEMENTS,
        )
    except (pa.ArrowException, OSError, ValueError) as error:
        raise UnfitFile(Sentence("is damaged or incomplete")) from error
    if len(file.schema_arrow.names) > MOST_COLUMNS:
        count = len(file.schema_arrow.names)
        raise UnfitFile(
            Sentence(
                "has {columns:,} columns. The limit is {most:,}", columns=count, most=MOST_COLUMNS
            )
        )
    return file


def rows(stream: BinaryIO, *, bounds: Bounds | None) -> Iterator[SourceRow | UnreadRow]:
    """Yield the rows. Raises BrokenFile."""
    number, total = 0, 0
    try:
        file = open_parquet(stream)
        for batch in file.iter_batches(batch_size=BATCH, use_threads=False):
            total += batch.nbytes
            if bounds and total > bounds.unpacked:
                most = megabytes(bounds.unpacked)
                raise BrokenFile(
                    0,
                    Sentence("is larger than {most} MB unpacked: split it", most=most),
                )
            for values in batch.to_pylist():
                number += 1
                yield SourceRow(number, number, {key: plain(one) for key, one in values.items()})
    except UnfitFile as error:
        raise BrokenFile(0, error.reason) from error
    except (pa.ArrowException, OSError, ValueError, OverflowError) as error:
        reason = Sentence("is damaged from row {row}", row=number + 1)
        raise BrokenFile(number + 1, reason) from error


def plain(value: Any) -> Any:
    """Return a value as JSON has it."""
    if isinstance(value, dict):
        return {str(key): plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [plain(one) for one in value]
    if isinstance(value, bytes):
        return base64.b64encode(value[:MOST_BYTES]).decode()
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    if isinstance(value, timedelta | Decimal):
        return str(value)
    return value
