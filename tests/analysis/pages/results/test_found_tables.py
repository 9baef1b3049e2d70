"""Stored tables as they are shown and as files: words, numbers, intervals, CSV and LaTeX."""

import csv
import json
import re
from html import unescape
from xml.etree import ElementTree

import pandas as pd
import pytest
from django.urls import reverse
from django.utils import timezone

from analysis.analyses.catalogue import CATALOGUE
from analysis.exports.exporting import write_bundle
from analysis.exports.readable_tables import Words, number, shown
from analysis.exports.table_files import escaped, latex_of, table_file, table_files
from analysis.inputs import analysis_input
from analysis.inputs.columns import COUNT, INTERVAL, TAU, Column, NumberFormat
from analysis.models import Result
from analysis.pages.results.missing_results import is_empty
from analysis.pages.results.presentation.catalogue import presentation_of
from analysis.pages.results.run_results import RunResults, without_too_few
from analysis.pages.results.sections import PARTS, sections_of
from judging.simulation.simulating import crowd, simulate
from tests.analysis.runs.polls import analysed
from tests.analysis.whole_parts import whole_part
from tests.cast import rita, small_study

WORDS = Words(questions={"top": "Topic", "all": "Overall, in all"}, codes={"llm": "LLM"})


def test_an_interval_stands_in_brackets_behind_its_value():
    frame = pd.DataFrame({"question": ["top"], "tau": [-0.5], "low": [-0.71], "high": [None]})
    columns = {"tau": TAU}
    table = shown(frame, name="a-b", title="T", words=WORDS, columns=columns)
    assert [head.title for head in table.heads] == ["Question", "Kendall's tau-b", "Low"]
    table = shown(frame.assign(high=[0.1]), name="a-b", title="T", words=WORDS, columns=columns)
    assert [cell.text for cell in table.rows[0]] == ["Topic", "−0.500", "[−0.710, 0.100]"]


def test_an_interval_of_no_width_is_stored_nowhere_but_of_ranks():
    frame = pd.DataFrame(
        {
            "alpha": [1.0, 0.5], "low": [1.0, 0.1], "high": [1.0 + 1e-16, 0.9],
            "grade": [6.0, 5.0], "grade_low": [6.0, 4.0], "grade_high": [6.0, 6.0],
        }
    )  # fmt: skip
    assert analysis_input.table(frame)["rows"] == [
        [1.0, None, None, 6.0, 6.0, 6.0],
        [0.5, 0.1, 0.9, 5.0, 4.0, 6.0],
    ]


def test_a_page_leaves_out_an_interval_of_no_width_that_was_stored_before():
    stored = pd.DataFrame({"tau": [1.0, 0.4], "low": [1.0, 0.1], "high": [1.0, 0.7]})
    shown_now = without_too_few("stability", "stability", stored)
    assert shown_now["low"].isna().tolist() == [True, False]


def test_a_column_may_mean_something_else_in_another_table():
    """Responses are counted in one table of the mixed model and a share of variance in another."""
    mixed = CATALOGUE["mixed"]
    assert mixed.columns_of("systems")["responses"].form == NumberFormat.WHOLE
    assert mixed.columns_of("variance")["responses"].form == NumberFormat.SHARE
    judges = CATALOGUE["judges"]  # people have shares in one table, scores in another
    assert judges.columns_of("habits")["people"].form == NumberFormat.SHARE
    assert judges.columns_of("powered")["people"].form == NumberFormat.THREE
    assert number(-0.25, NumberFormat.SHARE) == "−25.0%"
    assert number(-0.0001, NumberFormat.SHARE) == "0.0%"
    assert number(0.31, NumberFormat.WHOLE) == "0.31"  # a count that is none keeps its decimals
    assert number(21.5, NumberFormat.WHOLE) == "21.50"
    assert number(21.5, NumberFormat.ROUNDED) == "22"
    assert number(31, NumberFormat.THREE) == "31"  # a count that nobody described


def test_an_interval_without_an_upper_end_says_at_least():
    frame = pd.DataFrame(
        {"question": ["top"] * 3, "votes": [1.5, 9.0, 2.0], "low": [1.0, 4.0, None],
         "high": [3.0, None, None]}
    )  # fmt: skip
    columns = {"votes": Column("Votes", NumberFormat.TWO, interval=INTERVAL)}
    table = shown(frame, name="a-b", title="T", words=WORDS, columns=columns)
    assert [row[2].text for row in table.rows] == ["[1.00, 3.00]", "at least 4.00", "–"]


def test_a_system_has_its_name_and_what_is_called_alike_has_not():
    words = Words(codes={"llm": "LLM"}, systems={"t1": "Pipeline, long"})
    rows = {"topic": ["t1"], "system": ["t1"], "group": ["news, llm"], "other": ["t1"]}
    (row,) = shown(pd.DataFrame(rows), name="a-b", title="T", words=words).rows
    assert sorted(cell.text for cell in row) == [
        "Pipeline, long", "Pipeline, long", "news, LLM", "t1",
    ]  # fmt: skip
    rows = {"topic": ["t1"], "system": ["t1"], "against": ["t1"], "part": ["t1"]}
    (row,) = shown(pd.DataFrame(rows), name="a-b", title="T", words=words).rows
    assert [cell.text for cell in row].count("Pipeline, long") == 3


def test_rows_come_in_the_order_of_the_questions_and_words_stand_for_codes():
    frame = pd.DataFrame({"question": ["all", "top"], "group": ["news, llm", "essay"], "n": [1, 2]})
    table = shown(frame, name="a-b", title="T", words=WORDS, columns={"n": COUNT})
    assert [[cell.text for cell in row] for row in table.rows] == [
        ["Topic", "essay", "2"],
        ["Overall, in all", "news, LLM", "1"],
    ]


@pytest.mark.parametrize(
    ("value", "form", "written"),
    [
        (0.0004, NumberFormat.CHANCE, "< 0.001"),
        (0.514, NumberFormat.SHARE, "51.4%"),
        (1352.0, NumberFormat.WHOLE, "1,352"),
        (float("nan"), NumberFormat.THREE, "–"),
        (None, NumberFormat.CHANCE, "–"),
        (float("inf"), NumberFormat.TWO, "–"),
        (-0.12345, NumberFormat.THREE, "−0.123"),
        (-1e-17, NumberFormat.THREE, "0.000"),
    ],
)
def test_numbers_are_written_in_the_form_of_their_column(value, form, written):
    assert number(value, form) == written


def test_latex_sets_hostile_words_as_they_stand():
    assert escaped("50% of $x_1 & {y}\n#~^\\") == (
        r"50\% of \$x\_1 \& \{y\} \#\textasciitilde{}\textasciicircum{}\textbackslash{}"
    )


def test_every_analysis_stands_in_one_part():
    placed = [name for part in PARTS.values() for name in part.analyses]
    assert sorted(placed) == sorted(CATALOGUE)


def made():
    """One small study with all analyses."""
    study = small_study(
        slug="shown", responses=4, topics=2, quota=8, pay="3.00", analysis={"draws": 40},
        batch={"closes_when_full": False}, cap=9,
    )  # fmt: skip
    workers = crowd(workers=8, spammers=0.2, seed=2)
    list(simulate(study=study, workers=workers, now=timezone.now()))
    analysed(study)
    return study


@pytest.fixture(scope="module")
def study(for_the_module):
    return for_the_module(made)


def page(client, study, part):
    if not client.session.get("_auth_user_id"):
        client.force_login(rita())
    answer = client.get(whole_part(study.slug, study.version, part))
    assert answer.status_code == 200
    return unescape(answer.content.decode())


@pytest.mark.django_db
def test_every_analysis_has_its_section_question_and_assumption(study, client):
    shown_there = set()
    for part in PARTS.values():
        text = page(client, study, part.key)
        results = RunResults(study.runs.first())
        for section in sections_of(results, part):
            shown_there.add(section.name)
            if is_empty(section, results.computed):  # it stands among what is not computed
                assert f'<strong id="{section.name}">{section.analysis.title}</strong>' in text
                continue
            assert section.analysis.answers in text
            assert f"Assumes: {section.analysis.assumes}" in text
            assert section.tables or section.files or section.sentences
    assert shown_there == RunResults(study.runs.first()).analyses


@pytest.mark.django_db
def test_every_column_and_table_that_an_analysis_describes_is_stored(study):
    for name, question, data in Result.objects.filter(missing="").values_list(
        "step__analysis", "step__question", "data"
    ):
        described = CATALOGUE[name]
        # What models did as annotators is stored where a run counts them; this one does not.
        machines = {"machines"} if described.may_have_machines else set()
        assert {*presentation_of(name).tables} - machines <= {*data}, (name, question)
        stored = {column for table in data.values() for column in table["columns"]}
        assert {*described.columns} <= stored, (name, question)


@pytest.mark.django_db
def test_both_ends_of_an_interval_belong_to_one_column_before_them(study):
    for name, data in Result.objects.filter(missing="").values_list("step__analysis", "data"):
        for table, rows in data.items():
            stored, declared = rows["columns"], CATALOGUE[name].columns_of(table)
            intervals = [
                (column, declared[column].interval)
                for column in stored
                if column in declared and {*(declared[column].interval or [""])} <= {*stored}
            ]
            ends = [end for _, interval in intervals for end in interval]
            assert len(ends) == len({*ends}), (name, table)
            assert {c for c in stored if re.search(r"(^|_)(low|high)(est)?$", c)} == {*ends}
            for column, interval in intervals:
                assert [stored.index(end) - stored.index(column) for end in interval] == [1, 2]


@pytest.mark.django_db
def test_no_p_and_no_q_is_ever_printed_as_nought(study):
    # issue 10: a printed q or p is never 0.000
    for name, data in Result.objects.filter(missing="").values_list("step__analysis", "data"):
        for table, rows in data.items():
            how = presentation_of(name).tables.get(table)
            for column in rows["columns"]:
                if re.search(r"(^|_)[pq](_|$)", column):
                    shown_as = CATALOGUE[name].columns_of(table).get(column, Column())
                    is_hidden = shown_as.hidden or how is None or column in how.hidden
                    assert shown_as.form == NumberFormat.CHANCE or is_hidden, (name, table, column)


@pytest.mark.django_db
@pytest.mark.parametrize("part", ["", *PARTS])
def test_a_page_takes_few_queries(study, client, part, django_assert_max_num_queries):
    client.force_login(rita())
    where = [study.slug, study.version]
    page = whole_part(*where, part) if part else reverse("results", args=where)
    with django_assert_max_num_queries(130):  # nobody prepared it: what it finds is written down
        client.get(page)
    with django_assert_max_num_queries(30):
        client.get(page)


@pytest.mark.django_db
def test_every_link_to_a_file_leads_to_one(study, client):
    links = []
    for part in PARTS:
        links += re.findall(
            r'href="([^"]*/results/(?:tables|plots)/[^"]*)"', page(client, study, part)
        )
    assert len(links) == len(set(links)) > 30
    for link in links:
        answer = client.get(link)
        assert answer.status_code == 200, link
        assert "attachment" in answer["Content-Disposition"]
        if link.endswith(".svg"):
            assert ElementTree.fromstring(answer.content).get("role") == "img"


@pytest.mark.django_db
@pytest.mark.parametrize(
    "name", ["agreement-nothing.csv", "nothing-agreement.csv", "agreement-agreement.pdf", "..", "x"]
)
def test_unknown_table_is_not_found(study, client, name):
    client.force_login(rita())
    where = reverse("results_table", args=[study.slug, study.version, "NAME"])
    assert client.get(where.replace("NAME", name)).status_code == 404
    plots = reverse("results_plot", args=[study.slug, study.version, "agreement-9"])
    assert client.get(plots).status_code == 404


@pytest.mark.django_db
def test_a_csv_has_the_stored_numbers(study):
    run = study.runs.first()
    rows = list(csv.DictReader(table_file(run, "agreement-agreement.csv").decode().splitlines()))
    stored = RunResults(run).records("agreement", "agreement")
    assert [float(row["value"]) for row in rows] == [row["value"] for row in stored]
    assert {row["question"] for row in rows} == {"better"}


@pytest.mark.django_db
def test_latex_is_a_whole_tabular_that_says_where_it_comes_from(study):
    run = study.runs.first()
    text = table_file(run, "agreement-agreement.tex").decode()
    assert text.splitlines()[0].startswith("% agreement-agreement: study shown")
    assert f"run {run.pk}, digest {run.digest}" in text
    assert "n = 12 items, 96 votes." in text
    columns = len(re.search(r"begin{tabular}{(\w+)}", text)[1])
    body = text.split("\\midrule")[1].split("\\bottomrule")[0].strip().splitlines()
    assert {len(re.findall(r"(?<!\\)&", line)) + 1 for line in body} == {columns}
    frame = pd.DataFrame({"group": ["a & b \\\\ %"], "topics": [1]})
    hostile = b"".join(latex_of(frame, run, "groups", "means")).decode()
    assert r"a \& b \textbackslash{}\textbackslash{} \% & 1 \\" in hostile


@pytest.mark.django_db
def test_the_bundle_has_every_table_and_forgets_older_ones(study, tmp_path):
    (tmp_path / "tables").mkdir()
    (tmp_path / "tables" / "old-table.csv").write_text("of an earlier export")
    write_bundle(study=study, out=tmp_path)
    names = {f"tables/{name}" for name, _, _ in table_files(study.runs.first())}
    assert {f"tables/{path.name}" for path in (tmp_path / "tables").iterdir()} == names
    listed = json.loads((tmp_path / "manifest.json").read_text())["files"]
    assert names <= {each["file"] for each in listed}
    assert {"tables/corrected-corrected.csv", "tables/cost-units.tex"} <= names
