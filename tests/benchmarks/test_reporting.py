"""Every benchmark imports without the peers, and what it measures is written as it was measured."""

import importlib
import re
from types import SimpleNamespace

import numpy as np
import pytest

from benchmarks import crowd_votes, measuring, reporting
from benchmarks.reporting import Row
from tests.services.children import ROOT

NAMES = re.search(r"^BENCHMARKS \?= (.+)$", (ROOT / "Makefile").read_text(), re.MULTILINE)[1]


@pytest.mark.parametrize("name", NAMES.split())
def test_a_benchmark_can_be_run_and_says_what_it_measures(name):
    module = importlib.import_module(f"benchmarks.{name}")
    if hasattr(module, "__path__"):
        module = importlib.import_module(f"benchmarks.{name}.__main__")
    assert callable(module.main)
    assert f"benchmarks.{name}" in module.__doc__


def test_make_bench_leaves_no_benchmark_out():
    folder = ROOT / "benchmarks"
    with_main = [
        path.parent.name if path.stem == "__main__" else path.stem
        for path in (*folder.glob("*.py"), *folder.glob("*/__main__.py"))
        if "\ndef main(" in path.read_text() and "load_now, report" in path.read_text()
    ]
    assert sorted(with_main) == sorted(NAMES.split())


@pytest.mark.parametrize(
    ("row", "ratio", "holds"),
    [
        (Row(what="", n="", ours=2.0), None, None),
        (Row(what="", n="", ours=2.0, peer=60.0, least_ratio=30), 30, True),
        (Row(what="", n="", ours=2.0, peer=59.0, least_ratio=30), 29.5, False),
        (Row(what="", n="", ours=2.0, peer=60.0, least_ratio=30, most=1), 30, False),
        (Row(what="", n="", ours=900, unit="/s", peer=300, least=800), 3, True),
        (Row(what="", n="", ours=700, unit="/s", least=800), None, False),
        (Row(what="", n="", ours=700, unit="/s", least=800, void=True), None, None),
        (Row(what="", n="", ours=0.1, least_ratio=2), None, False),  # the peer was not measured
    ],
)
def test_a_promise_is_compared_with_what_was_measured(row, ratio, holds):
    assert (row.ratio, row.holds) == (ratio, holds)


def test_a_row_is_written_with_its_units():
    row = Row(what="MACE", n="7", ours=0.0213, peer=2.5, peer_name="peer", most=0.05, remark="x")
    assert row.cells() == (
        *("MACE", "7", "21.3 ms", "2.5 s peer", "117", "at most 50 ms", "yes", "x"),
    )
    assert Row(what="", n="", ours=20450.2, unit="/s").cells()[2] == "20,450/s"


def test_running_one_benchmark_again_replaces_its_section_alone(tmp_path, monkeypatch, capsys):
    file = tmp_path / "RESULTS.md"
    monkeypatch.setattr(reporting, "RESULTS", file)
    for name, seconds in (("one", 1.0), ("two", 2.0), ("one", 3.0)):
        reporting.report(name, [Row(what="w", n="n", ours=seconds)], load=0.5, notes=("A note.",))
    text = file.read_text()
    assert re.findall(r"^## (.+)$", text, re.MULTILINE) == ["one", "two"]
    assert text.count("A note.") == 2
    assert "| 3 s |" in text
    assert "| 1 s |" not in text
    assert text.startswith("# ")
    assert "load at the start 0.5" in capsys.readouterr().out


def test_the_least_of_several_runs_counts(monkeypatch):
    monkeypatch.setattr(measuring, "ENOUGH", 0)
    clock = iter([0.0, 3.0, 5.0, 6.0, 10.0, 12.0])  # three runs: of three, one and two seconds
    monkeypatch.setattr(measuring, "time", SimpleNamespace(perf_counter=lambda: next(clock)))
    assert measuring.best(lambda: "done", runs=3) == (1.0, "done")


def test_the_memory_of_a_child_is_its_own():
    small, large = (measuring.in_child(np.ones, size) for size in (10, 20_000_000))
    assert small[0].shape == (10,)
    assert large[1] - small[1] > 150  # MB: twenty million numbers of eight bytes


@pytest.mark.parametrize("there", [True, False])
def test_without_the_corpus_votes_of_its_shape_are_simulated(there, monkeypatch, tmp_path):
    if there and crowd_votes.corpus_folder() is None:
        pytest.skip(f"{crowd_votes.VARIABLE}: no corpus")
    if not there:
        monkeypatch.setenv(crowd_votes.VARIABLE, str(tmp_path))
    questions = crowd_votes.questions()
    assert [len(votes) for votes in questions.values()] == [6920] * 7
    assert {len(votes.workers) for votes in questions.values()} == {420}
    comparisons = crowd_votes.gold_comparisons()
    assert (len(comparisons), len(comparisons.problems)) == (1352 * 7, 455)
    assert ("simulated" in crowd_votes.where_from()) is not there
