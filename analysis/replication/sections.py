"""Sections of the report in the order of the paper."""

from analysis.replication.sections_judging import (
    TABLE_4,
    TABLE_5,
    TABLE_6,
    TABLE_7,
    TABLE_8,
    TABLE_9,
)
from analysis.replication.sections_writing import FIGURES, TABLE_1, TABLE_3

SECTIONS = (
    TABLE_1, TABLE_3, TABLE_4, TABLE_5, TABLE_6, TABLE_7, TABLE_8, TABLE_9, *FIGURES,
)  # fmt: skip
