"""The table checker: wrong cells are found, and nothing else is marked."""

import numpy as np
import pytest
import scipy
from django.core.management import CommandError, call_command
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.replication.table_checking import check_table, read_table

# The row of each text: two heads, the total of both. From Popp et al., table 7, as printed: the
# totals of both texts of one system are 100 off, the other numbers of this sample are made up.
TOTALS = """\
Text,Honesty,Comprehensibility,Total
GPT best,88,89,76
GPT worst,77,79,77
LLaMA best,71,80,151
LLaMA worst,69,75,144
Luminous best,60,66,126
Luminous worst,52,70,122
Mistral best,43,57,100
Mistral worst,40,51,91"""


def table(text):
    return read_table([line.split(",") for line in text.strip().split("\n")])


def places(marks):
    return {(mark.row, mark.column) for mark in marks}


def test_totals_that_are_not_the_sum_are_marked():
    marks = check_table(table(TOTALS))
    assert places(marks) == {("GPT best", "Total"), ("GPT worst", "Total")}
    assert [mark.expected for mark in marks] == [177, 156]
    assert marks[0].rule == "sum of Honesty, Comprehensibility"


def test_a_mean_is_as_exact_as_its_decimals():
    """Two decimals of means of five: 1.18 is wrong, 4.02 is not."""
    rng = np.random.default_rng(2)
    rows = rng.integers(1, 6, (12, 5))
    text = ["text,a,b,c,d,e,mean"]
    text += [f"t{n},{','.join(map(str, row))},{row.mean():.2f}" for n, row in enumerate(rows)]
    assert check_table(table("\n".join(text))) == []
    wrong = text[3].rpartition(",")[0] + ",1.18"
    assert places(check_table(table("\n".join([*text[:3], wrong, *text[4:]])))) == {("t2", "mean")}


def test_a_row_of_sums_is_found_too():
    text = """\
value,A,B,C,D
one,4,8,15,16
two,23,42,11,5
three,1,9,7,3
sum,28,59,33,24
"""
    assert check_table(table(text)) == []
    marks = check_table(table(text.replace("28,59,33,24", "28,59,43,24")))
    assert places(marks) == {("sum", "C")}
    assert marks[0].expected == 33


def test_differences_and_ranks():
    text = ["system,before,after,gain,rank"]
    rng = np.random.default_rng(3)
    before, gain = rng.permutation(60)[:9] + 10, rng.permutation(40)[:9] - 20
    order = np.argsort(np.argsort(-gain)) + 1
    for n in range(9):
        text.append(f"s{n},{before[n]},{before[n] + gain[n]},{gain[n]},{order[n]}")
    assert check_table(table("\n".join(text))) == []
    cells = text[4].split(",")
    cells[3] = str(int(cells[3]) + 7)
    marks = check_table(table("\n".join([*text[:4], ",".join(cells), *text[5:]])))
    assert ("s3", "gain") in places(marks) or ("s3", "before") in places(marks)
    assert {row for row, _ in places(marks)} == {"s3"}


NUMBERS = st.integers(0, 2**32 - 1)


@settings(max_examples=60)
@given(NUMBERS, st.integers(5, 12), st.integers(2, 6))
def test_numbers_that_have_nothing_to_do_with_each_other_have_no_marks(seed, rows, columns):
    values = np.random.default_rng(seed).integers(0, 1000, (rows, columns))
    lines = [["row", *map(str, range(columns))]]
    lines += [[f"r{n}", *map(str, row)] for n, row in enumerate(values)]
    assert check_table(read_table(lines)) == []


@settings(max_examples=60)
@given(NUMBERS, st.integers(6, 12), st.integers(2, 5), st.booleans(), st.data())
def test_wrong_sums_and_means_are_found_and_nothing_else(seed, rows, columns, is_mean, data):
    values = np.random.default_rng(seed).integers(100, 1000, (rows, columns))
    totals = values.mean(axis=1).round(1) if is_mean else values.sum(axis=1)
    wrong = data.draw(st.sets(st.integers(0, rows - 1), max_size=rows // 4))
    lines = [["row", *[f"c{n}" for n in range(columns)], "total"]]
    for n, row in enumerate(values):
        total = totals[n] + (37 if n in wrong else 0)
        lines.append([f"r{n}", *map(str, row), f"{total:.1f}" if is_mean else str(total)])
    assert places(check_table(read_table(lines))) == {(f"r{n}", "total") for n in wrong}


def test_cells_that_are_no_numbers_are_left_out():
    text = TOTALS.replace("60,66,126", "–,66,126").replace("151", "151*").replace("144", "1,44")
    assert ("Luminous best", "Total") not in places(check_table(table(text)))


@pytest.mark.parametrize("text", ["a,b", "a,b,c\nr,1,2", "a\nr"])
def test_small_tables_have_no_rules(text):
    assert check_table(table(text)) == []


def test_taus_beside_the_values_that_they_come_from():
    """A row a method, a column a system, and tau with the first method."""
    rng = np.random.default_rng(5)
    base = rng.permutation(8)
    lines = [["method", *[f"s{n}" for n in range(8)], "tau"]]

    for n in range(7):
        row = base if n == 0 else rng.permutation(8)
        tau = scipy.stats.kendalltau(row, base).statistic
        shown = f"{tau + (0.2 if n == 4 else 0):.3f}"
        lines.append([f"m{n}", *map(str, row), shown])
    assert places(check_table(read_table(lines))) == {("m4", "tau")}


def test_the_command_names_cell_and_rule(tmp_path, capsys):
    wrong, right = tmp_path / "t7.csv", tmp_path / "right.tsv"
    wrong.write_text(TOTALS)
    right.write_text(TOTALS.replace(",76", ",177").replace("79,77", "79,156").replace(",", "\t"))
    call_command("check_table", str(wrong), str(right))
    said = capsys.readouterr().out
    assert (
        "GPT best, Total: 76 is printed, but the sum of Honesty, Comprehensibility is 177" in said
    )
    assert "right.tsv: nothing contradicts the 1 rules found" in said
    for content in (b"", b"a,b", b"\xff\xfe"):
        wrong.write_bytes(content)
        with pytest.raises(CommandError, match=r"is no table|cannot be read"):
            call_command("check_table", str(wrong))
    with pytest.raises(CommandError, match="cannot be read"):
        call_command("check_table", str(tmp_path / "none.csv"))
