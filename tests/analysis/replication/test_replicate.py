"""The command on a made-up corpus: what it writes, what it leaves alone, what it refuses."""

import json
import math
import os
import signal
import subprocess
import sys
import tempfile
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command

from analysis.replication.cells import TableCells
from analysis.replication.comparison import every_cell
from analysis.replication.printed_values import printed
from annotation.corpora.crowdrag import BadCorpus
from config.processes import dies_with_parent
from config.replicating import PartFailed, run_parts
from tests.analysis.replication.mini_crowdrag import DIMENSIONS, STYLES, whole, write
from tests.analysis.runs.polls import wait_for
from tests.coded_errors import command_ends
from tests.services.children import ROOT

OPTIONAL = ("llm_ratings", "expert-response", "study2_pointwise")


def replicate(data, out):
    output = StringIO()
    call_command("replicate", "crowdrag25", data=data, out=out, stdout=output)
    return output.getvalue()


@pytest.fixture(scope="module", autouse=True)
def own_scratch(tmp_path_factory):
    """Another pytest process replicates at the same time, and has folders of its own."""
    before, tempfile.tempdir = tempfile.tempdir, str(tmp_path_factory.mktemp("scratch"))
    yield
    tempfile.tempdir = before


def scratch_folders():
    return set(Path(tempfile.gettempdir()).glob("crowdwright-replicate-*"))


@pytest.fixture(scope="module")
def replicated(tmp_path_factory):
    """Replicate the whole corpus once: tables, report and output."""
    folder = tmp_path_factory.mktemp("replicated")
    report = replicate(write(folder / "data", whole()), folder / "out")
    tables = json.loads((folder / "out" / "tables.json").read_text())
    return tables, (folder / "out" / "report.html").read_text(), report


@pytest.fixture(scope="module")
def without_three(tmp_path_factory):
    """Replicated once more, without the three files that few have."""
    folder = tmp_path_factory.mktemp("without")
    files = {name: rows for name, rows in whole().items() if name not in OPTIONAL}
    before = scratch_folders()
    report = replicate(write(folder / "data", files), folder / "out")
    assert scratch_folders() <= before
    return json.loads((folder / "out" / "tables.json").read_text()), report


def leaves(value, path=()):
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from leaves(inner, (*path, key))
    else:
        yield path, value


def test_every_cell_that_the_paper_prints_has_a_place_in_the_tables(replicated):
    tables, _, _ = replicated
    names = {".".join(path) for path, _ in leaves(tables)}
    assert {
        path
        for path in set(printed()) - names
        if not any(path.startswith(f"{column}.") for column in tables["missing"])
    } == set()


def test_with_all_files_every_cell_has_a_value_or_a_reason(replicated):
    tables, _, _ = replicated
    empty = {
        ".".join(path)
        for path, value in leaves({k: v for k, v in tables.items() if k.startswith("table")})
        if value is None
    }
    unexplained = {
        path
        for path in empty
        if not any(set(reason.split(".")) <= set(path.split(".")) for reason in tables["missing"])
    }
    assert unexplained == set()
    assert tables["table4"]["min_diff_expert"]["quality_overall"] is not None
    assert tables["table4"]["pointwise_uncorrected"]["quality_overall"] is not None


def test_the_layout_is_the_documented_one(replicated):
    tables, _, _ = replicated
    assert {
        "C", "C_star_in_sample", "C_star_cross_fitted", "C_star_null", "min_diff_C",
        "min_diff_expert", "diff_C", "diff_C_star_in_sample", "pointwise",
    } <= set(tables["table4"])  # fmt: skip
    for name in DIMENSIONS:
        assert set(tables["table4"]["C"]) == set(DIMENSIONS)
        assert set(tables["table5"][name]) == {
            "left", "right", "both", "first_half", "second_half",
        }  # fmt: skip
        assert set(tables["table6"][name]) == set(DIMENSIONS)
        assert set(tables["table7"][name]) == {*STYLES, "all"}
        assert {"human", "llm"} <= set(tables["table7"][name]["all"])
        assert {*STYLES, "all"} <= set(tables["table7_significance"][name])
        assert set(tables["table8"][name]) == {
            "bleu_full", "rougeL_full", "bleu_best_worst", "rougeL_best_worst",
        }  # fmt: skip
        assert {
            "combined_llm", "combined_human", "combined_human_as_printed", "combined_rho",
            "combined_cross", "individual_cross", "individual_llm", "both", "human_two_directions",
        } <= set(tables["table9"][name])  # fmt: skip
    assert {"table3", "figures", "counts", "missing"} <= set(tables)
    assert tables["counts"]["pairs"] == 38
    assert tables["counts"]["pairs_in_both_directions"] == 8


def test_mixed_orientation_is_another_number_than_the_right_one(replicated):
    tables, _, _ = replicated
    row = tables["table9"]["correctness_topical"]
    assert row["combined_human"] > row["combined_human_as_printed"]


def test_an_absent_file_empties_its_cells_and_changes_no_other(replicated, without_three):
    (full, _, _), (part, said) = replicated, without_three
    gone = {path for path, value in leaves(part) if value is None} - {
        path for path, value in leaves(full) if value is None
    }
    assert {path[0] for path in gone} == {"table1", "table4", "table9"}
    for column in ("min_diff_expert", "pointwise"):
        assert set(part["table4"][column].values()) == {None}
    assert "expert-response.jsonl.gz" in part["missing"]["table4.min_diff_expert"]
    assert "llm_ratings.jsonl.gz" in said
    # What both runs computed is the same to the last digit.
    same = dict(leaves(full["table3"] | full["figures"] | full["table4"]["C"] | full["table7"]))
    assert same == dict(
        leaves(part["table3"] | part["figures"] | part["table4"]["C"] | part["table7"])
    )


def test_broken_files_cost_their_own_tables_alone(without_three, tmp_path):
    files = whole()
    del files["llm_ratings"][3]["coverage_deep"]
    files["study2_pointwise"][7]["quality_overall"] = 2
    data = write(tmp_path / "data", files)
    experts = data / "expert-response.jsonl.gz"
    experts.write_bytes(experts.read_bytes()[:-20])
    report = replicate(data, tmp_path / "out")
    tables = json.loads((tmp_path / "out" / "tables.json").read_text())
    absent, _ = without_three
    assert dict(leaves({**tables, "missing": 0})) == dict(leaves({**absent, "missing": 0}))
    assert set(tables["missing"]) == set(absent["missing"])
    for line in (
        "llm_ratings.jsonl.gz:4: Object missing required field `coverage_deep`",
        "study2_pointwise.jsonl.gz:8: quality_overall: 2 is none of -3, -1, 1, 3",
        "expert-response.jsonl.gz: cannot be read",
    ):
        assert line in report


def test_the_report_stands_alone_and_can_be_read_by_all(replicated):
    tables, page, _ = replicated
    assert "<script" not in page
    for outside in ('src="', "@import", 'href="http', "url("):
        assert outside not in page
    assert page.count("<caption>") == page.count("<table>")
    assert page.count("<th scope") == page.count("<th") - page.count("<thead")
    drawings = page.count("<svg")
    assert drawings == 2 * 9  # each for a wide and for a narrow page
    assert page.count('role="img"') >= drawings
    alpha = tables["table4"]["C"]["correctness_topical"]
    assert f"{alpha:.3f}".replace("-", "−") in page


def test_it_says_how_many_cells_agree_with_print(replicated):
    _, _, said = replicated
    assert "Table 4: agreement: 49 cells compared" in said
    assert "report.html" in said


@pytest.mark.parametrize("name", ["study1_tasks", "study2_responses"])
def test_it_names_a_file_that_it_cannot_do_without(tmp_path, name):
    files = {key: rows for key, rows in whole().items() if key != name}
    with command_ends(BadCorpus, "missing_files", match=rf"{name}\.jsonl\.gz"):
        replicate(write(tmp_path / "data", files), tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_broken_row_ends_it_with_file_and_line_and_leaves_nothing_behind(tmp_path):
    files = whole()
    del files["study2_responses"][4]["coverage_deep"]
    before, data = scratch_folders(), write(tmp_path / "data", files)
    with pytest.raises(PartFailed, match=r"study2_responses.jsonl.gz:5: .*coverage_deep"):
        run_parts(["judging"], data=data, share=lambda done: None)
    assert scratch_folders() <= before


def test_when_it_is_told_to_end_nothing_is_left_behind(tmp_path):
    data = write(tmp_path / "data", whole())
    command = [sys.executable, "manage.py", "replicate", "crowdrag25", "--data", data]
    before = scratch_folders()
    process = subprocess.Popen(
        [*command, "--out", tmp_path / "out"],
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "TMPDIR": str(tmp_path)},
        preexec_fn=dies_with_parent(),
    )
    wait_for(lambda: any(tmp_path.glob("crowdwright-replicate-*/judging/*")))
    process.terminate()
    assert process.wait(120) == 128 + signal.SIGTERM
    assert not list(tmp_path.glob("crowdwright-replicate-*"))
    assert scratch_folders() <= before


def test_printed_values_are_those_of_the_paper():
    cells = printed()
    assert len(cells) > 300
    assert all(math.isfinite(value) for value in cells.values())
    assert cells["table4.C.coverage_broad"] == 0.28  # Table 4, row Brd. Cov.
    assert cells["table6.coverage_deep.coverage_broad"] == 0.57
    assert cells["table6.coverage_broad.coverage_deep"] == 0.57
    assert cells["table7.quality_overall.bullet.llm"] == 4.9
    assert "table6.coverage_deep.coverage_deep" not in cells


def test_every_cell_of_the_report_stands_there_once():
    paths = [cell.path for cell in every_cell(TableCells())]
    assert len(paths) == len(set(paths))
