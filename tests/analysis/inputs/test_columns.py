"""Meanings of columns belong to their column, and fit the form of its numbers."""

from collections import Counter

import pytest

from analysis.analyses.catalogue import CATALOGUE
from analysis.inputs.columns import COLUMNS, NumberFormat

SHARED = {column.meaning: key for key, column in COLUMNS.items() if column.meaning}
# Columns that mean the same as the shared one of another key.
SAME = {
    ("corrected", "null_p"): "p",
    ("score_pairs", "units"): "n",
}


def declared(analysis):
    """Return (key, column) of each declaration of an analysis."""
    tables = [analysis.columns, *analysis.table_columns.values()]
    return [pair for columns in tables for pair in columns.items()]


@pytest.mark.parametrize("name", CATALOGUE)
def test_no_column_has_the_meaning_of_another(name):
    for key, column in declared(CATALOGUE[name]):
        owner = SHARED.get(column.meaning, key)
        assert owner in (key, SAME.get((name, key))), key
    meanings = Counter(
        column.meaning
        for key, column in CATALOGUE[name].columns.items()
        if column.meaning and not key.endswith("_adjusted")  # one meaning, two tests
    )
    assert [meaning for meaning, n in meanings.items() if n > 1] == []


@pytest.mark.parametrize("name", CATALOGUE)
def test_counts_are_not_called_shares_and_shares_not_counts(name):
    for key, column in declared(CATALOGUE[name]):
        if column.form == NumberFormat.SHARE:
            assert not column.meaning.startswith("how many"), key
        if column.form in (NumberFormat.WHOLE, NumberFormat.ROUNDED):
            assert not column.meaning.startswith(("share", "the share")), key
