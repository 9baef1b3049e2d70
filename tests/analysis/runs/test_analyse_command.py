"""`analyse` and `close_batch`: what they write, and how they refuse."""

import json
import os
import re
import subprocess
import sys
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from analysis.inputs.settings import complete
from analysis.models import AnalysisRun, AnalysisStep
from annotation.models import Batch
from tests.analysis.runs.polls import poll
from tests.cast import small_study, submitted, worker
from tests.services.children import ROOT

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def study():
    return poll(analysis={"draws": 50})


@pytest.fixture
def say():
    """`say(command, ...)` runs a command and returns what it wrote."""

    def run(*arguments, **options):
        output = StringIO()
        call_command(*arguments, stdout=output, **options)
        return output.getvalue()

    return run


# -- What it writes ---------------------------------------------------------------------------


def test_the_draws_of_the_null_are_a_parameter_of_the_run(study, say):
    say("analyse", "lamps", null_draws=7)
    assert AnalysisRun.objects.get().parameters["null_draws"] == 7


def test_the_findings_have_the_layout_that_is_promised(study, say, tmp_path):
    say("analyse", "lamps", json=tmp_path / "found.json")
    data = json.loads((tmp_path / "found.json").read_text())
    assert {"alpha", "competence", "gold", "grades", "corrected", "groups", "run"} <= set(data)
    assert {"value", "low", "high", "n", "items", "votes", "method", "about"} == set(
        data["alpha"]["better"]
    )
    assert (data["alpha"]["better"]["items"], data["alpha"]["better"]["votes"]) == (3, 12)
    assert set(data["competence"]) == {"bob", "dora", "emil", "fay"}
    cells = [cell["better"] for cell in (data["competence"] | data["grades"]).values()]
    assert all(list(cell) == ["value", "low", "high", "n"] for cell in cells)
    assert all(0 <= cell["better"]["value"] <= 1 for cell in data["competence"].values())
    keys = set(study.items.values_list("key", flat=True))
    assert set(data["gold"]) == keys
    assert all(cell["better"]["label"] in "anb" for cell in data["gold"].values())
    assert all(0 < cell["better"]["certainty"] <= 1 for cell in data["gold"].values())
    assert set(data["grades"]) == {"t1a", "t1b", "t1c"}
    assert sum(cell["better"]["value"] for cell in data["grades"].values()) == 6
    assert "the votes" in data["methods"]["grades"]
    run = AnalysisRun.objects.get()
    assert data["run"] == {
        "id": run.pk,
        "study": "lamps",
        "study_version": 1,
        "version": run.version,
        "parameters": complete({"draws": 50, "sequential": True}),
        "intervals": "sequential",
        "seed": 1,
        "digest": run.digest,
        "state": "done",
        "overtaken": False,
        "pool": "people",
        "without": 0,
        "created_at": run.created_at.isoformat(),
        "finished_at": run.finished_at.isoformat(),
    }


def test_scores_have_means_instead_of_grades(say, tmp_path, capsys):
    study = small_study(instrument="crowdrag-pointwise", responses=2, quota=9)
    for name in ("bob", "dora"):
        submitted(study, worker(name))
    say("analyse", "lamps", json=tmp_path / "found.json")
    data = json.loads((tmp_path / "found.json").read_text())
    assert data["grades"] == {}
    assert set(data["means"]) == {"t1a", "t1b"}
    assert len(data["means"]["t1a"]) == 7
    call_command("analyse", "lamps")
    output = capsys.readouterr().out
    assert "2 workers, 2 items, 28 answers; digest" in output
    assert "graded" not in output


def test_it_says_alpha_with_its_interval_and_n(study, say):
    text = say("analyse", "lamps")
    assert "alpha better" in text
    assert "(3 items, 12 votes)" in text
    assert "4 workers, 3 items, 12 answers, 3 graded responses; digest" in text


def test_asked_again_it_answers_from_what_is_stored(study, say, tmp_path):
    for name in ("one", "two"):
        say("analyse", "lamps", json=tmp_path / name)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    assert AnalysisRun.objects.count() == 1
    say("analyse", "lamps", "--seed", "2")
    assert AnalysisRun.objects.count() == 2


def test_another_process_finds_the_same(study, say, tmp_path, database_url):
    """Also where its sets and dictionaries stand in another order."""
    say("analyse", "lamps", json=tmp_path / "here.json")
    AnalysisRun.objects.all().delete()
    subprocess.run(
        [sys.executable, "manage.py", "analyse", "lamps", "--json", tmp_path / "there.json"],
        cwd=ROOT,
        env={**os.environ, "DATABASE_URL": database_url, "PYTHONHASHSEED": "4711"},
        check=True,
        capture_output=True,
    )
    here, there = (json.loads((tmp_path / f"{n}.json").read_text()) for n in ("here", "there"))
    changing = ("id", "created_at", "finished_at")
    assert [here["run"].pop(key) for key in changing]
    assert [there["run"].pop(key) for key in changing]
    assert here == there


def test_the_newest_version_is_analysed(study, say, tmp_path):
    newer = poll({"gus": "bbb", "hal": "bba"}, version=2, corpus=study.corpus)
    say("analyse", "lamps", json=tmp_path / "found.json")
    assert AnalysisRun.objects.get().study == newer


# -- How it refuses ---------------------------------------------------------------------------


def test_an_unknown_study_is_one_sentence_with_those_that_are_known(study):
    with pytest.raises(CommandError, match=r"^[^\n]*'lamp'.*\blamps\b"):
        call_command("analyse", "lamp")


@pytest.mark.django_db(transaction=True)
def test_command_reports_that_there_is_no_study():
    with pytest.raises(CommandError, match="'lamps'"):
        call_command("close_batch", "lamps")


def test_a_file_that_cannot_be_written_is_found_out_before_the_work(study, tmp_path):
    with pytest.raises(CommandError, match=str(tmp_path / "nowhere")):
        call_command("analyse", "lamps", json=tmp_path / "nowhere" / "found.json")
    assert not AnalysisRun.objects.exists()


def test_a_folder_is_no_file(study, tmp_path):
    with pytest.raises(CommandError, match=str(tmp_path)):
        call_command("analyse", "lamps", json=tmp_path)


def test_a_failed_analysis_is_one_sentence(study, offer):
    def broken(asked):
        raise ZeroDivisionError("nothing to divide by")

    offer(broken)
    with pytest.raises(CommandError) as refusal:
        call_command("analyse", "lamps")
    assert str(refusal.value).endswith(": ZeroDivisionError: nothing to divide by")
    step = AnalysisStep.objects.get(analysis="extra")
    assert (step.state, step.attempts) == ("failed", 3)
    assert AnalysisStep.objects.get(analysis="agreement").state == "done"


def test_a_bad_setting_of_the_study_is_a_sentence(study, say):
    study.analysis = {"draws": -1}
    study.save()
    assert re.search(r"\bdraws\b.* -1\b", say("analyse", "lamps"))


def test_a_refusal_ends_the_process_with_1_and_no_traceback(database_url):
    done = subprocess.run(
        [sys.executable, "manage.py", "analyse", "nothing"],
        cwd=ROOT,
        env={**os.environ, "DATABASE_URL": database_url},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    assert done.stdout == ""
    assert "'nothing'" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    "name", ["analyse", "close_batch", "import_crowdrag", "simulate", "create_study", "demo"]
)
def test_every_command_explains_itself(name, capsys):
    with pytest.raises(SystemExit) as end:
        call_command(name, "--help")
    assert end.value.code == 0
    assert len(capsys.readouterr().out) > 500


# -- Closing ----------------------------------------------------------------------------------
# In a transaction that is undone, so that no worker of another test hears of it.


@pytest.mark.django_db
def test_it_closes_the_open_batches(study, say):
    assert re.search(r"\bmain\b.*\blamps\b", say("close_batch", "lamps"))
    assert Batch.objects.get().state == Batch.State.CLOSED


@pytest.mark.django_db
@pytest.mark.parametrize(("options", "code"), [({"batch": 1}, "not_open"), ({"batch": 7}, "")])
def test_closed_batch_cannot_be_closed_again(study, say, options, code):
    say("close_batch", "lamps")
    with pytest.raises(CommandError) as ended:
        call_command("close_batch", "lamps", **options)
    assert getattr(ended.value.__cause__, "code", "") == code


@pytest.mark.django_db
def test_closing_what_has_filled_up_and_closed_itself_is_no_failure(study, say):
    say("close_batch", "lamps")
    assert "lamps" in say("close_batch", "lamps")
