"""`replicate popp|rubric|sgss`: known wrong cells are found and no others, each with a reason."""

import csv
import gzip
import json
import shutil
from io import StringIO
from pathlib import Path

import numpy as np
import pytest
from django.core.management import call_command

from analysis.replication.contradictions import check_table
from analysis.replication.paper_replication import outcome_of
from analysis.replication.papers import popp, rubric, sgss
from analysis.replication.papers.table_files import BadTable
from analysis.replication.table_rules import read_table
from analysis.stats.effects.method_comparison import one_tailed_tau
from annotation.corpora.formats import rubric as files
from tests.coded_errors import command_ends, raises

SYSTEMS = ("GPT", "LLaMA", "Luminous", "Mistral")
TEXTS = [f"{system} {which}" for system in SYSTEMS for which in ("best", "worst")]
HONESTY = ("Honesty", "Truthfulness", "Correctness", "Relevance", "Completeness")
READING = ("Comprehensibility", "Fluency", "Non Red.", "Underst.", "Readability")
CRITERIA = (*HONESTY, *READING)
SCALES = ("Honesty", "Comprehensibility", "Total")


def write(folder, name, columns, rows):
    with (folder / f"{name}.csv").open("w", newline="", encoding="utf-8") as lines:
        writer = csv.writer(lines)
        writer.writerow(["", *columns])
        writer.writerows([name, *cells] for name, cells in rows.items())


def scales(values, combine):
    return np.column_stack(
        [combine(values[:, :5], axis=1), combine(values[:, 5:], axis=1), combine(values, axis=1)]
    )


def by_system(values, combine):
    return np.stack([combine(values[2 * k : 2 * k + 2], axis=0) for k in range(len(SYSTEMS))])


def rows(names, values, form="{:g}"):
    return {n: [form.format(v) for v in row] for n, row in zip(names, values, strict=True)}


@pytest.fixture
def paper(tmp_path):
    """Write tables as Popp et al. print them, of invented scores.

    The known numbers are those of seed-systems.md, section 2, with its misprints.
    """
    rng = np.random.default_rng(5)
    wins = rng.integers(0, 36, (8, 10))
    wins[0] = [36 - 1, 17, 18, 18, 0, 35, 18, 18, 18, 0]  # 88 and 89: the total is 177
    wins[1] = [20, 20, 20, 17, 0, 20, 20, 20, 19, 0]  # 77 and 79: 156
    _sums(tmp_path, ("table5", "table7", "table9", "table11"), wins, wrong={
        ("GPT best", "Total"): 76, ("GPT worst", "Total"): 77,
    })  # fmt: skip
    yes = rng.integers(0, 6, (8, 10))
    _sums(tmp_path, ("table13", "table15", "table17", "table19"), yes, wrong={})
    grades = rng.integers(5, 26, (8, 10)) / 5
    grades[3, 5:] = [1.6, 1.8, 1.6, 1.8, 1.6]  # LLaMA worst: 1.68
    grades[4, 5:] = [4.8, 4.6, 4.6, 4.8, 4.6]  # Luminous best: 4.68
    _means(tmp_path, grades)
    _best_worst(tmp_path)
    return tmp_path


def _sums(folder, names, values, wrong):
    lowest, scale, systems, system_scales = names
    write(folder, lowest, CRITERIA, rows(TEXTS, values))
    printed = rows(TEXTS, scales(values, np.sum))
    for (row, column), number in wrong.items():
        printed[row][SCALES.index(column)] = number
    write(folder, scale, SCALES, printed)
    of_systems = by_system(values, np.sum)
    write(folder, systems, SYSTEMS, rows(CRITERIA, of_systems.T))
    write(folder, system_scales, SCALES, rows(SYSTEMS, scales(of_systems, np.sum)))


def _means(folder, grades):
    write(folder, "table21", CRITERIA, rows(TEXTS, grades, "{:.1f}"))
    printed = rows(TEXTS, scales(grades, np.mean), "{:.2f}")
    printed["LLaMA worst"][1], printed["Luminous best"][1] = "1.18", "4.78"
    write(folder, "table23", SCALES, printed)
    of_systems = by_system(grades, np.mean)
    criteria = rows(CRITERIA, of_systems.T, "{:.1f}")
    shifted = dict(criteria)
    for place in range(5, 10):  # from Comprehensibility on, each row has the numbers above it
        shifted[CRITERIA[place]] = criteria[CRITERIA[place - 1]]
    write(folder, "table25", SYSTEMS, shifted)
    write(folder, "table27", SCALES, rows(SYSTEMS, scales(of_systems, np.mean), "{:.2f}"))


def _best_worst(folder):
    values = np.array([[12, 14], [10, 8], [-9, -4], [-1, -1], [-8, -7], [-4, -4], [1, 2], [-1, -8]])
    table = np.column_stack([values, values.sum(axis=1)])  # GPT 44, LLaMA -15, -23, Mistral -6
    write(folder, "table29", SCALES, rows(TEXTS, table))
    write(folder, "table31", SCALES, rows(SYSTEMS, by_system(table, np.sum)))
    cosines = [0.81, 0.79, 0.77, 0.74, 0.76, 0.75, 0.7302, 0.7293]
    both = zip(TEXTS, table[:, 2], cosines, strict=True)
    write(folder, "table33", ("BWS", "Cosine"), {t: [w, f"{c:.4f}"] for t, w, c in both})
    write(folder, "table35", ("BWS", "Cosine"), {
        "GPT": [44, 1.6], "LLaMA": [-15, 1.51], "Luminous": [-13, 1.51], "Mistral": [-6, 1.460],
    })  # fmt: skip
    tau = one_tailed_tau(table[:, 2], cosines)
    write(folder, "table37", ("tau", "p"), {"BWS Total": [f"{tau.tau:.3f}", f"{tau.p:.3f}"]})


def wrong(found, table):
    return {(c.row, c.column): c for t in found.tables if t.name == table for c in t.wrong}


def test_the_known_wrong_cells_of_popp_are_found_and_no_others(paper):
    report = popp.replicate(paper)
    by_table = {table.name: len(table.wrong) for table in report.tables if table.wrong}
    assert set(by_table) == {"table7", "table23", "table25", "table35"}
    totals = wrong(report, "table7")
    assert {key: cell.computed for key, cell in totals.items()} == {
        ("GPT best", "Total"): 177,
        ("GPT worst", "Total"): 156,
    }
    readable = wrong(report, "table23")
    assert {key: round(cell.computed, 2) for key, cell in readable.items()} == {
        ("LLaMA worst", "Comprehensibility"): 1.68,
        ("Luminous best", "Comprehensibility"): 4.68,
    }
    assert {cell.reason for cell in readable.values()} == {"One digit is wrong."}
    shifted = wrong(report, "table25")
    assert {row for row, _ in shifted} == set(READING)
    moved = {(row, cell.reason) for (row, _), cell in shifted.items()}
    assert moved == {
        (name, f"This row has the numbers of {above.rstrip('.')}.")
        for name, above in zip(READING, CRITERIA[4:9], strict=True)
    }
    (slip,) = wrong(report, "table35").values()
    assert (slip.row, slip.printed, slip.computed) == ("Luminous", -13, -23)
    assert all(cell.reason for table in report.tables for cell in table.wrong)
    assert set(report.missing) == {"table3", "table39"}  # not among the made-up tables
    assert not report.unread


def test_equal_tables_of_popp_have_no_differences(paper):
    """4.02 printed as 4.0, and 1.460 for 1.459: rounding is no difference."""
    report = popp.replicate(paper)
    (cosine,) = [
        cell
        for table in report.tables
        if table.name == "table35"
        for cell in table.cells
        if (cell.row, cell.column) == ("Mistral", "Cosine")
    ]
    assert (cosine.printed, round(cosine.computed, 4)) == (1.46, 1.4595)
    assert not cosine.differs
    taus = next(table for table in report.tables if table.name == "table37")
    assert len(taus.cells) == 2


def test_the_table_checker_finds_them_without_being_told_what_follows_from_what(paper):
    """Table 23 beside its lower table, and table 7 alone: those cells and no others."""
    lines = {
        name: list(csv.reader((paper / f"{name}.csv").open(encoding="utf-8")))
        for name in ("table7", "table21", "table23")
    }
    contradictions = check_table(read_table(lines["table7"])).contradictions
    assert {
        (*contradiction.cells[0].place, contradiction.cells[0].fits)
        for contradiction in contradictions
    } == {
        ("GPT best", "Total", 177),
        ("GPT worst", "Total", 156),
    }
    joined = [
        [*low[:6], high[1], *low[6:], high[2]]
        for low, high in zip(lines["table21"], lines["table23"], strict=True)
    ]
    joined[0][6], joined[0][12] = "H", "C"
    contradictions = check_table(read_table(joined)).contradictions
    assert {
        (*contradiction.wrong.place, round(contradiction.wrong.fits, 2))
        for contradiction in contradictions
    } == {
        ("LLaMA worst", "C", 1.68),
        ("Luminous best", "C", 4.68),
    }


def test_what_is_not_there_is_said_and_the_rest_compared(paper):
    (paper / "table5.csv").unlink()
    report = popp.replicate(paper)
    assert "table5.csv" in report.missing["table5"]
    assert len(wrong(report, "table7")) == 2  # the total of two scales, from the table itself
    with raises(BadTable, "missing_files"):
        popp.replicate(paper / "..")


PRINTED = Path(__file__).parent / "papers"  # tables as the papers print them


def test_the_printed_tables_of_popp_are_read_whole():
    """Numbers of seed-systems.md, section 2.

    Table 39 has three wrong taus, each with its p; 12 of 12 taus of table 37 hold (one p is
    cut: .003 for .0037); costs follow from the times.
    """
    outcome = outcome_of("popp", PRINTED / "popp")
    replica = outcome.replica
    assert (replica.missing, dict(outcome.unread)) == ({}, {})
    assert {key: round(cell.computed, 3) for key, cell in wrong(replica, "table39").items()} == {
        ("AB", "Honesty Corr. Coeff."): 0.667,
        ("AB", "Honesty Sig. (1-tail)"): 0.167,
        ("AB", "Comprehensibility Corr. Coeff."): 0,
        ("AB", "Comprehensibility Sig. (1-tail)"): 0.625,
        ("BWS", "Total Corr. Coeff."): 0.667,
        ("BWS", "Total Sig. (1-tail)"): 0.167,
    }
    assert set(wrong(replica, "table37")) == {("BWS", "Comprehensibility Sig. (1-tail)")}
    assert {key: cell.computed for key, cell in wrong(replica, "table35").items()} == {
        ("Luminous", "BWS Score"): -23
    }
    assert not wrong(replica, "table3")
    assert not wrong(replica, "table33")
    cells = {table.name: len(table.cells) for table in replica.tables}
    assert [cells[name] for name in ("table3", "table33", "table35", "table37", "table39")] == [
        15, 32, 20, 24, 24,
    ]  # fmt: skip
    sizes = [cell for cell in _cells(replica, "table3") if not cell.is_compared]
    assert [(cell.row, cell.printed, cell.computed) for cell in sizes] == [
        ("DQE", 13, 13), ("DQE", 32, 32), ("AQC", 160, 160),
    ]  # fmt: skip


def _cells(replica, name):
    return next(table for table in replica.tables if table.name == name).cells


def test_figures_6_and_7_of_popp_follow_from_the_tables():
    """The text: BWS correlates .33 with AQC and DQE over the systems, and not with AB."""
    replica = outcome_of("popp", PRINTED / "popp").replica
    totals = {
        cell.row: cell.computed for cell in _cells(replica, "figure7") if cell.column == "Total"
    }
    assert totals == pytest.approx(
        {
            "AB, AQC": 2 / 3,
            "AB, DQE": 2 / 3,
            "AB, BWS": 0,
            "AQC, DQE": 1,
            "AQC, BWS": 1 / 3,
            "DQE, BWS": 1 / 3,
        }
    )
    texts = _cells(replica, "figure6")
    assert len(texts) == 18
    # The text: strong between all methods, but for BWS on comprehensibility.
    weak = {(cell.row, cell.column) for cell in texts if cell.computed <= 0.5}
    assert {column for _, column in weak} <= {"Comprehensibility"}
    assert all("BWS" in row for row, _ in weak)


def test_p_values_below_a_head_of_two_lines_are_no_taus(tmp_path):
    """In print, one name stands over the tau and its p; without names a column is not read."""
    folder = Path(shutil.copytree(PRINTED / "popp", tmp_path / "popp"))
    upper = "Test Condition,Total,,Honesty,,Comprehensibility,\n"
    lower = "," + ",".join(["Corr. Coeff.,Sig. (1-tail)"] * 3) + "\n"
    for name in ("table37.csv", "table39.csv"):
        _, _, body = (folder / name).read_text().partition("\n")
        (folder / name).write_text(upper + lower + body)
    outcome = outcome_of("popp", folder)
    assert outcome.replica.as_json() == outcome_of("popp", PRINTED / "popp").replica.as_json()
    (folder / "table37.csv").write_text(upper + body.replace("0.375", "0.999"))
    found = outcome_of("popp", folder)
    read = {column for _, column in wrong(found.replica, "table37")}
    assert read <= {"Total", "Honesty", "Comprehensibility"}
    assert found.unread["table37"].count("column “column ") == 3


def test_a_wrong_cost_is_found(tmp_path):
    text = (PRINTED / "popp" / "table3.csv").read_text().replace('"1,043.73"', '"1,143.73"')
    (tmp_path / "table3.csv").write_text(text)
    report = popp.replicate(tmp_path)
    assert set(wrong(report, "table3")) == {("AQC", "8 texts: cost (EUR)")}


def test_what_is_not_read_is_named(paper):
    (paper / "table2.csv").write_text("a,b\nc,1\n")
    (paper / "notes.txt").write_text("hello")
    with (paper / "table33.csv").open("a") as lines:
        lines.write("Claude best,1,2\n")
    unread = outcome_of("popp", paper).unread
    assert set(unread) == {"table2.csv", "notes.txt", "table33"}
    assert "Claude best" in unread["table33"]
    output = StringIO()
    call_command("replicate", "popp", data=paper, out=paper / "out", stdout=output)
    assert "table2.csv: not read" in output.getvalue()
    assert "table2.csv" in (paper / "out" / "report.html").read_text()
    assert set(json.loads((paper / "out" / "tables.json").read_text())["unread"]) == set(unread)


def test_correlations_over_some_of_the_systems_are_shown_and_not_compared():
    """Rubric, table 4: correlations over 59 systems above the ranks of six of them."""
    outcome = outcome_of("rubric", PRINTED / "rubric")
    (table,) = outcome.replica.tables
    cells = {(cell.row, cell.column): cell for cell in table.cells}
    assert len(cells) == 12
    assert cells["Spearman", "Question 4"].printed == 0.941
    assert cells["Spearman", "Question 4"].computed == pytest.approx(1)
    assert (outcome.replica.wrong, outcome.replica.printed) == (0, 0)
    assert "GPT4-wiki" in outcome.unread["table4"]  # its official rank is a guess: ≈ 44


def test_kappa_and_totals_of_rubric(tmp_path):
    """Table 5: 998, 2377, 668, 7343 give .249; 1211, 4095, 455, 5625 give .160; 11,386 passages."""
    write(tmp_path, "table5", ("TP", "FP", "FN", "TN", "kappa"), {
        "question": [998, 2377, 668, 7343, 0.249], "nugget": [1211, 4095, 455, 5625, 0.16],
    })  # fmt: skip
    report = rubric.replicate(tmp_path)
    cells = {(c.row, c.column): c for c in report.tables[0].cells}
    assert report.wrong == 0
    assert [cells[row, "TP + FP"].computed for row in ("question", "nugget")] == [3375, 5306]
    assert [cells[row, "FN + TN"].computed for row in ("question", "nugget")] == [8011, 6080]
    assert {cells[row, "n"].computed for row in ("question", "nugget")} == {11386}
    write(
        tmp_path, "table5", ("TP", "FP", "FN", "TN", "kappa"), {"q": [998, 2377, 668, 7343, 0.294]}
    )
    (cell,) = rubric.replicate(tmp_path).tables[0].wrong
    assert cell.reason


def test_leaderboards_of_rubric_correlate_by_average_ranks(tmp_path):
    board = {f"s{k}": [k + 1, v] for k, v in enumerate((0.9, 0.8, 0.8, 0.6, 0.7, 0.1))}
    write(
        tmp_path,
        "leaderboard",
        ("Official rank", "Cover"),
        board | {"Spearman": ["", 0.928], "Kendall": ["", 0.5]},
    )
    report = rubric.replicate(tmp_path)
    (kendall,) = wrong(report, "leaderboard").values()
    assert kendall.row == "Kendall"
    assert kendall.computed == pytest.approx(0.828, abs=5e-4)


def test_the_files_of_rubric_are_covered_and_judged(tmp_path):
    """Seed-systems section 3, R10: X covers half at grade 4, Y nothing; kappa -.5."""
    grades = {"p1": (5, 2, 0, 0, 3), "p2": (4, 4, 1, 0, 0), "p3": (0, 0, 3, 1, 2)}
    places = {"p1": ("X", 1), "p2": ("X", 2), "p3": ("Y", 1)}
    paragraphs = [_graded(key, row, *places[key]) for key, row in grades.items()]
    content = b"".join(files.written([("q", paragraphs)]))
    (tmp_path / "rubric_passages.jsonl.gz").write_bytes(gzip.compress(content))
    report = rubric.replicate(tmp_path)
    cells = {(c.row, c.column): c.computed for t in report.tables for c in t.cells}
    assert (cells["X", "Cover@20"], cells["Y", "Cover@20"]) == (0.5, 0)
    assert (cells["X", "n-Cover@20"], cells["Y", "n-Cover@20"]) == (1, 0)
    assert cells["strict 5, 4 / 3, 2, 1 answers", "kappa"] == pytest.approx(-0.5)
    (tmp_path / "rubric_passages.jsonl.gz").write_bytes(b"no")
    with raises(BadTable, "unreadable"):
        rubric.replicate(tmp_path)


def test_boards_of_rubric_are_compared_with_the_official_order(tmp_path):
    grades = {"p1": (5, 0, 0, 0, 3), "p2": (4, 0, 0, 0, 0), "p3": (3, 0, 0, 0, 2)}
    places = {"p1": ("X", 1), "p2": ("Y", 1), "p3": ("Z", 1)}
    paragraphs = [_graded(key, row, *places[key]) for key, row in grades.items()]
    content = gzip.compress(b"".join(files.written([("q", paragraphs)])))
    (tmp_path / "rubric_passages.jsonl.gz").write_bytes(content)
    (tmp_path / "official.json").write_text('{"X": 1, "y": 2, "Z": 3, "gone": 4}')
    (table,) = (t for t in rubric.replicate(tmp_path).tables if t.name == "official")
    cells = {(c.row, c.column): c.computed for c in table.cells}
    assert ("MRR, grade 3", "Kendall") not in cells  # all three have it, so nothing is ordered
    assert cells["MRR, grade 4", "Kendall"] == pytest.approx(2 / 6**0.5)  # one tied pair
    assert cells["MRR, grade 5", "Spearman"] == pytest.approx(0.866, abs=5e-4)
    assert cells["Cover@20, grade 5", "tau-AP"] == pytest.approx(0.75)
    (tmp_path / "official.json").write_text("no")
    with raises(BadTable, "unreadable"):
        rubric.replicate(tmp_path)


def _graded(key, row, method, rank):
    judged = files.Relevance(paragraphId=key, query="q", relevance=row[4], titleQuery="q")
    place = files.PassageRank(method=method, paragraphId=key, queryId="q", rank=rank, score=1.0)
    ratings = [
        files.SelfRating(nugget_id=entry, self_rating=grade)
        for entry, grade in zip("abcd", row, strict=False)
    ]
    exam = files.ExamGrades(
        correctAnswered=[], wrongAnswered=[], answers=[], llm="m", llm_options={}, exam_ratio=0,
        self_ratings=ratings,
    )  # fmt: skip
    data = files.ParagraphData(judgments=[judged], rankings=[place])
    return files.Paragraph(paragraph_id=key, text="...", paragraph_data=data, exam_grades=[exam])


def test_the_figures_of_sgss(tmp_path):
    """Figure 3: .9354 and .9286; figure 4: .983471 and .792481."""
    names = ("s1", "s2", "s3", *[f"X{k}" for k in range(1, 8)], "XUX", "XUX_F")
    write(tmp_path, "figure3", names, {
        "last": [1, 1, 0, 1, 1, 1, 1, 1, 0.8333, 0.7143, 0.9354, 0.9286],
        "first": [0, 1, 1, 1, 0.5, 0.3333, 0.5, 0.6, 0.6667, 0.7143, 0.66, 0.6],
    })  # fmt: skip
    write(tmp_path, "figure4", ("g1", "g2", "g3", "Comp"), {
        "a": [1, 1, 0.5, 0.9835], "b": [0, 0.5, 1, 0.7925], "c": [1, 1, 1, 0.9],
    })  # fmt: skip
    report = sgss.replicate(tmp_path)
    assert set(wrong(report, "figure3")) == {("first", "XUX"), ("first", "XUX_F")}
    assert set(wrong(report, "figure4")) == {("c", "Comp")}
    write(tmp_path, "figure4", ("Comp",), {"a": [1]})
    with raises(BadTable, "missing_columns", match="figure4.*g1"):
        sgss.replicate(tmp_path)


@pytest.mark.parametrize("what", ["popp", "rubric", "sgss"])
def test_the_command_writes_tables_and_a_report_that_stands_alone(what, paper, tmp_path):
    write(tmp_path, "figure4", ("g1", "g2", "Comp"), {"a": [1, 1, 0.5]})
    board = {"a": [1, 0.4], "b": [2, 0.5], "c": [3, 0.1], "Spearman": ["", 0.9]}
    write(tmp_path, "table4", ("official rank", "MRR"), board)
    if what == "rubric":
        (tmp_path / "table5.csv").unlink()
    said, out = StringIO(), tmp_path / what
    call_command("replicate", what, data=tmp_path, out=out, stdout=said)
    data = json.loads((out / "tables.json").read_text())
    page = (out / "report.html").read_text()
    assert data["paper"] == what
    assert data["differing_cells"] == len(data["differences"]) > 0
    assert all(difference["reason"] for difference in data["differences"])
    assert "<script" not in page
    assert data["differences"][0]["reason"][:20] in page
    assert str(out / "report.html") in said.getvalue()
    empty = tmp_path / "empty"
    empty.mkdir()
    with command_ends(BadTable, "missing_files"):
        call_command("replicate", what, data=empty, out=out)
