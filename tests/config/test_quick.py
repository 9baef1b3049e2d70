"""`make quick`: the folders of tests that it finds, the tests that it chooses there."""

import os
import re
import subprocess
import sys
from types import SimpleNamespace

import pytest

from tests.quick import Choice, folder_of_tests, outermost
from tests.services.children import ROOT

COUNTS = ("passed", "tests were not begun")
BUSY = """import pytest, time
@pytest.mark.parametrize("n", range(8))
def test_busy(n):
    ends = time.process_time() + 0.6
    while time.process_time() < ends:
        pass
"""


@pytest.mark.parametrize(
    ("path", "folder"),
    [
        ("annotation/texts", "tests/annotation/texts"),
        ("annotation/texts/citations.py", "tests/annotation/texts"),
        ("analysis/stats/text/a_new_folder/bleu.py", "tests/analysis/stats/text"),
        ("annotation/urls.py", "tests/annotation"),
        ("tests/annotation/texts", "tests/annotation/texts"),
        ("tests/annotation/texts/test_words.py", "tests/annotation/texts/test_words.py"),
        ("tests/annotation/corpora/uploads/cast.py", "tests/annotation/corpora/uploads"),
        ("tests/cast.py", None),
        ("templates/base.html", None),
        ("README.md", None),
    ],
)
def test_folder_of_tests_mirrors_the_product(path, folder):
    assert folder_of_tests(path) == folder


def test_folders_inside_other_folders_are_not_named_twice():
    paths = ["tests/writing", "tests/judging/items", "tests/writing/log", "tests/judging/items"]
    assert outermost(paths) == ["tests/judging/items", "tests/writing"]


class Item:
    def __init__(self, nodeid: str, *markers: str) -> None:
        self.nodeid, self.get_closest_marker = nodeid, markers.__contains__


@pytest.mark.parametrize(
    ("seconds", "chosen"),
    [(0.5, ["quick"]), (1.5, ["quick", "middling"]), (60, ["quick", "middling"])],
)
def test_quickest_tests_are_chosen_within_the_time_but_no_slow_one(seconds, chosen):
    durations = {"slow": 5.0, "quick": 0.3, "middling": 0.9, "server": 0.1}
    assert kept(Choice(seconds), durations, failed=[]) == chosen


def test_failed_tests_are_chosen_first():
    choice = Choice(5.0)
    assert kept(choice, {"slow": 5.0, "quick": 0.3, "middling": 0.9}, failed=["slow"]) == ["slow"]
    assert choice.left_out == 3


def test_tests_that_never_ran_are_guessed_by_their_need_of_a_database():
    config = SimpleNamespace(cache={})
    items = [Item("database", "django_db"), Item("pure"), Item("pure too")]
    Choice(0.1).pytest_collection_modifyitems(config, items)
    assert [item.nodeid for item in items] == ["pure", "pure too"]


def test_fixtures_of_a_module_count_once():
    items = [Item("a.py::one"), Item("a.py::two"), Item("b.py::three")]
    durations = {"a.py": 0.7, "a.py::one": 0.1, "a.py::two": 0.1, "b.py::three": 0.2}
    config = SimpleNamespace(cache={"crowdwright/durations": durations})
    Choice(0.9).pytest_collection_modifyitems(config, items)
    assert [item.nodeid for item in items] == ["a.py::one", "a.py::two"]


def test_module_with_a_failed_test_runs_first():
    items = [Item("a.py::one"), Item("b.py::two"), Item("b.py::three")]
    config = SimpleNamespace(cache={"cache/lastfailed": {"b.py::three": True}})
    Choice(5.0).pytest_collection_modifyitems(config, items)
    assert [item.nodeid for item in items] == ["b.py::two", "b.py::three", "a.py::one"]


@pytest.mark.system
@pytest.mark.parametrize("jobs", [(), ("-n", "2")], ids=["alone", "with xdist"])
def test_tests_that_are_not_begun_in_time_are_counted_and_do_not_pass(tmp_path, jobs):
    folder = tmp_path / "tests"
    folder.mkdir()
    (folder / "test_busy.py").write_text(BUSY)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "tests.conftest", "--storage=sqlite"]
    command += ["--rootdir", str(folder), "-c", os.devnull, "--within=1", *jobs, str(folder)]
    env = {key: value for key, value in os.environ.items() if not key.startswith("PYTEST_")}
    run = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True)
    passed, too_late = (int(re.search(rf"(\d+) {words}", run.stdout)[1]) for words in COUNTS)
    assert run.returncode == 0, run.stdout + run.stderr
    assert passed + too_late == 8
    assert 0 < passed <= 4


def kept(choice: Choice, durations: dict[str, float], *, failed: list[str]) -> list[str]:
    cache = {
        "crowdwright/durations": {f"a.py::{name}": durations[name] for name in durations},
        "cache/lastfailed": {f"a.py::{name}": True for name in failed},
    }
    names = ("slow", "server", "quick", "middling")
    items = [Item(f"a.py::{name}", *["system"] * (name == "server")) for name in names]
    choice.pytest_collection_modifyitems(SimpleNamespace(cache=cache), items)
    return [item.nodeid.removeprefix("a.py::") for item in items]


def run_without_postgres(tmp_path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pytest", "-q", "-o", f"cache_dir={tmp_path}", *arguments]
    env = {key: value for key, value in os.environ.items() if not key.startswith("PYTEST_")}
    env["PG_BIN"] = str(tmp_path)  # where there is no PostgreSQL
    return subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True)


@pytest.mark.system
@pytest.mark.parametrize("jobs", [(), ("-n", "1")], ids=["alone", "with xdist"])
def test_tests_without_a_database_start_no_service(tmp_path, jobs):
    run = run_without_postgres(tmp_path, *jobs, "tests/annotation/texts/test_citations.py")
    assert run.returncode == 0, run.stdout + run.stderr


@pytest.mark.system
@pytest.mark.parametrize("jobs", [(), ("-n", "1")], ids=["alone", "with xdist"])
def test_tests_with_a_database_say_which_service_is_missing(tmp_path, jobs):
    run = run_without_postgres(tmp_path, *jobs, "tests/config/test_cache.py")
    assert run.returncode != 0
    assert "PG_BIN" in run.stdout + run.stderr
