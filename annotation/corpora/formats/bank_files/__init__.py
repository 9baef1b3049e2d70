"""Bank files of four systems: questions and nuggets per topic. Pure.

Each row of a file is a topic (or facet) with items. Fields that a bank entry has no column for are
stored as raw JSON, so that an unchanged file is exported as equal JSON.
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
