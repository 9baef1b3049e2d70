"""The table checker: contradictions are found, wrong cells are named on evidence alone."""

import csv
from pathlib import Path

import numpy as np
import pytest
import scipy
from django.core.management import call_command
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.replication.contradictions import check_table, sentence
from analysis.replication.papers.table_files import BadTable
from analysis.replication.table_rules import read_table
from tests.coded_errors import command_ends

POPP = Path(__file__).parent / "papers" / "popp"  # the tables of Popp et al., as printed

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


def found(text):
    return check_table(table(text)).contradictions


def targets(contradictions):
    """Return one of the cells of each contradiction."""
    return {contradiction.cells[0].place for contradiction in contradictions}


def printed(name):
    return read_table(list(csv.reader((POPP / f"{name}.csv").open(encoding="utf-8"))))


def test_totals_that_are_not_the_sum_contradict_their_parts():
    contradictions = found(TOTALS)
    assert targets(contradictions) == {("GPT best", "Total"), ("GPT worst", "Total")}
    assert [contradiction.cells[0].fits for contradiction in contradictions] == [177, 156]
    first = contradictions[0]
    assert first.rule == "sum of Honesty, Comprehensibility"
    assert [cell.column for cell in first.cells] == ["Total", "Honesty", "Comprehensibility"]
    assert first.wrong is None  # any of the three could be the wrong one
    assert "can't tell" in sentence(first)


def test_the_wrong_scales_of_table_23_are_named_and_its_totals_are_not():
    """Popp et al., table 23: 1.18 for 1.68 and 4.78 for 4.68, which are no means of 25 grades."""
    contradictions = check_table(printed("table23")).contradictions
    assert {
        contradiction.wrong.place: round(contradiction.wrong.fits, 2)
        for contradiction in contradictions
    } == {
        ("Comprehensibility", "LLaMA Worst"): 1.68,
        ("Comprehensibility", "Luminous-Base Best"): 4.68,
    }
    assert {contradiction.multiple for contradiction in contradictions} == {0.04}


@pytest.mark.parametrize("path", sorted(POPP.glob("*.csv")), ids=lambda path: path.stem)
def test_nothing_else_in_the_tables_of_popp_is_accused(path):
    """Table 7 has two wrong totals; means of two alike columns are no rule (table 5)."""
    contradictions = check_table(printed(path.stem)).contradictions
    assert len(contradictions) == {"table7": 2, "table23": 2}.get(path.stem, 0)


def test_a_wrong_cell_that_breaks_a_row_and_a_column_is_named():
    rng = np.random.default_rng(1)
    values = rng.integers(100, 900, (5, 4))
    rows = [*values.tolist(), values.sum(axis=0).tolist()]
    lines = [["row", "A", "B", "C", "D", "sum"]]
    lines += [[f"r{n}", *map(str, row), str(sum(row))] for n, row in enumerate(rows)]
    assert check_table(read_table(lines)).contradictions == ()
    lines[3][2] = str(values[2, 1] + 40)
    contradictions = check_table(read_table(lines)).contradictions
    assert {contradiction.wrong.place for contradiction in contradictions} == {("r2", "B")}
    assert {contradiction.wrong.fits for contradiction in contradictions} == {values[2, 1]}
    assert len(contradictions) == 2


def test_equal_names_do_not_hide_each_other():
    lines = [["", "n", "cost", "n", "cost"], ["a", "1", "2", "3", "4"], ["a", "5", "6", "7", "8"]]
    read = read_table(lines)
    assert read.columns == ["n", "cost", "n (2)", "cost (2)"]
    assert read.rows == ["a", "a (2)"]
    assert read_table([["", "", "x"], ["", "1", "2"]]).columns == ["column 1", "x"]


def test_a_mean_is_as_exact_as_its_decimals():
    """Two decimals of means of five: 1.18 is wrong, 4.02 is not."""
    rng = np.random.default_rng(2)
    rows = rng.integers(1, 6, (12, 5))
    text = ["text,a,b,c,d,e,mean"]
    text += [f"t{n},{','.join(map(str, row))},{row.mean():.2f}" for n, row in enumerate(rows)]
    assert found("\n".join(text)) == ()
    wrong = text[3].rpartition(",")[0] + ",1.18"
    (each,) = found("\n".join([*text[:3], wrong, *text[4:]]))
    assert each.wrong.place == ("t2", "mean")


def test_a_row_of_sums_is_found_too():
    text = """\
value,A,B,C,D
one,4,8,15,16
two,23,42,11,5
three,1,9,7,3
sum,28,59,33,24
"""
    assert found(text) == ()
    contradictions = found(text.replace("28,59,33,24", "28,59,43,24"))
    assert targets(contradictions) == {("sum", "C")}
    assert contradictions[0].cells[0].fits == 33


def test_differences_and_ranks():
    text = ["system,before,after,gain,rank"]
    rng = np.random.default_rng(3)
    before, gain = rng.permutation(60)[:9] + 10, rng.permutation(40)[:9] - 20
    order = np.argsort(np.argsort(-gain)) + 1
    for n in range(9):
        text.append(f"s{n},{before[n]},{before[n] + gain[n]},{gain[n]},{order[n]}")
    assert found("\n".join(text)) == ()
    cells = text[4].split(",")
    cells[3] = str(int(cells[3]) + 7)
    contradictions = found("\n".join([*text[:4], ",".join(cells), *text[5:]]))
    assert any(("s3", "gain") in contradiction.places for contradiction in contradictions)
    assert {contradiction.line for contradiction in contradictions} == {"s3"}


NUMBERS = st.integers(0, 2**32 - 1)


@settings(max_examples=60)
@given(NUMBERS, st.integers(5, 12), st.integers(2, 6))
def test_numbers_that_have_nothing_to_do_with_each_other_have_no_marks(seed, rows, columns):
    values = np.random.default_rng(seed).integers(0, 1000, (rows, columns))
    lines = [["row", *map(str, range(columns))]]
    lines += [[f"r{n}", *map(str, row)] for n, row in enumerate(values)]
    assert check_table(read_table(lines)).contradictions == ()


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
    contradictions = check_table(read_table(lines)).contradictions
    assert targets(contradictions) == {(f"r{n}", "total") for n in wrong}
    assert {
        contradiction.wrong and contradiction.wrong.column for contradiction in contradictions
    } <= {None, "total"}


def test_cells_that_are_no_numbers_are_left_out():
    text = TOTALS.replace("60,66,126", "–,66,126").replace("151", "151*").replace("144", "1,44")
    assert ("Luminous best", "Total") not in targets(found(text))


@pytest.mark.parametrize("text", ["a,b", "a,b,c\nr,1,2", "a\nr"])
def test_small_tables_have_no_rules(text):
    assert found(text) == ()


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
    assert targets(check_table(read_table(lines)).contradictions) == {("m4", "tau")}


def test_the_command_names_cell_and_rule(tmp_path, capsys):
    wrong, right = tmp_path / "t7.csv", tmp_path / "right.tsv"
    wrong.write_text(TOTALS)
    right.write_text(TOTALS.replace(",76", ",177").replace("79,77", "79,156").replace(",", "\t"))
    call_command("check_table", str(wrong), str(right))
    output = capsys.readouterr().out
    assert "GPT best: Total 76 is not the sum of Honesty, Comprehensibility (177)" in output
    assert "Honesty 88, Comprehensibility 89" in output
    assert "right.tsv: no contradict" in output
    for content, code in (
        (b"", "not_a_table"),
        (b"a,b", "not_a_table"),
        (b"\xff\xfe", "unreadable"),
    ):
        wrong.write_bytes(content)
        with command_ends(BadTable, code):
            call_command("check_table", str(wrong))
    with command_ends(BadTable, "unreadable"):
        call_command("check_table", str(tmp_path / "none.csv"))
