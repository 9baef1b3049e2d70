"""Files of banks of questions and nuggets, of four systems. Pure.

A file is rows, a row is a topic (or facet) with items. What an entry of a bank has no column for is
kept as it came, so that an unchanged file is written again as equal JSON.
"""

from annotation.corpora.formats.bank_files.containers import Faults, Rows, rows_of, written
from annotation.corpora.formats.bank_files.file_format import (
    BadRow,
    BankFormat,
    BankItem,
    BankRow,
    WrittenEntry,
)
from annotation.corpora.formats.bank_files.registry import FORMATS, format_of

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
