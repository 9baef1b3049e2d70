"""Bank files of four systems: questions and nuggets per topic. Pure.

Each row of a file is a topic (or facet) with items. Fields that a bank entry has no column for are
stored as raw JSON, so that an unchanged file is exported as equal JSON.
"""

from collections.abc import Sequence
from typing import Any

from annotation.corpora.formats.bank_files.autojudge_bank import AutoJudgeFormat
from annotation.corpora.formats.bank_files.containers import Faults, Rows, rows_of, written
from annotation.corpora.formats.bank_files.file_format import (
    BadRow,
    BankFormat,
    BankItem,
    BankRow,
    WrittenEntry,
)
from annotation.corpora.formats.bank_files.nuggetizer_bank import NuggetizerFormat
from annotation.corpora.formats.bank_files.ragtime_bank import RagtimeFormat
from annotation.corpora.formats.bank_files.rubric_bank import RubricFormat
from annotation.corpora.formats.faults import FormatFault
from annotation.texts.sentences import Sentence

_ALL: tuple[BankFormat, ...] = (
    RubricFormat(),
    RagtimeFormat(),
    AutoJudgeFormat(),
    NuggetizerFormat(),
)
FORMATS = {bank_format.name: bank_format for bank_format in _ALL}


def format_of(rows: Sequence[tuple[int, dict[str, Any]]]) -> BankFormat:
    """Return the common format of all rows. Raises Faults with the first row without a match."""
    (line, first), *_ = rows
    bank_format = next((one for one in _ALL if one.is_row(first)), None)
    if bank_format is None:
        reason = Sentence("is not a Rubric, nuggetizer, AutoJudge or RAGTIME bank")
        raise Faults([(line, FormatFault("", reason))])
    other = next((number for number, row in rows if not bank_format.is_row(row)), 0)
    if other:
        reason = Sentence("differs in format from the first row")
        raise Faults([(other, FormatFault("", reason))])
    return bank_format


__all__ = [
    "FORMATS",
    "BadRow",
    "BankFormat",
    "BankItem",
    "BankRow",
    "Faults",
    "Rows",
    "WrittenEntry",
    "format_of",
    "rows_of",
    "written",
]
