"""The confidence that a run was asked for is that of all its intervals."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from django.utils import timezone

from analysis.analyses.agreement import agreement
from analysis.analyses.differentiable import differentiable
from analysis.analyses.grades import grades
from analysis.exports.table_files import table_file
from analysis.inputs.analysis_input import AnalysisInput, frame_of
from analysis.pages.entities.newest_results import Competence
from analysis.pages.review import panel
from analysis.templatetags.pilots import agreement_so_far
from judging.simulation.simulating import crowd, simulate
from tests.analysis.inputs.measured import measure
from tests.analysis.runs.polls import analysed, closed
from tests.analysis.whole_parts import whole_part
from tests.cast import rita, small_study

OPTIONS = ("a", "n", "b")


def some_votes():
    """30 pairs of five topics; five of twelve workers a pair, who prefer the slot a a little."""
    rng = np.random.default_rng(1)
    rows = [
        (f"x{k}|y{k}", f"x{k % 3}", f"y{k % 5}", f"t{k % 5}", f"w{w}", rng.choice(OPTIONS))
        for k in range(30)
        for w in rng.permutation(12)[:5]
    ]
    frame = pd.DataFrame(rows, columns=["item", "a", "b", "topic", "worker", "value"])
    return frame.assign(question="q", counted=True, gold=frame["value"])


@pytest.mark.parametrize(
    ("analysis", "name", "low", "high"),
    [
        (agreement, "agreement", "low", "high"),
        (differentiable, "parts", "low", "high"),
        (grades, "grades", "merit_low", "merit_high"),
    ],
)
def test_less_confidence_makes_narrower_intervals(analysis, name, low, high):
    widths = []
    for confidence in (0.5, 0.95):
        parameters = {"confidence": confidence, "draws": 100}
        asked = AnalysisInput(some_votes(), [measure(*OPTIONS, key="q")], parameters, seed=1)
        frame = frame_of(analysis(asked)[name])
        widths.append((frame[high] - frame[low]).to_numpy(dtype=float))
        assert np.isfinite(widths[-1]).all()
    assert (widths[0] < widths[1]).all()


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("few_analyses")
@pytest.mark.parametrize("instrument", ["", "crowdrag-pointwise"])
def test_pages_plots_and_tables_say_the_confidence_that_was_asked_for(client, instrument):
    parameters = {"draws": 20, "confidence": 0.5}
    study = small_study(
        instrument=instrument, responses=4, quota=8, cap=9, items=2, analysis=parameters,
        batch={"closes_when_full": False},
    )  # fmt: skip
    list(simulate(study=study, workers=crowd(workers=8, spammers=0, seed=2), now=timezone.now()))
    run = analysed(closed(study))
    client.force_login(rita())
    for part in ("agreement", "responses"):
        page = client.get(whole_part(study.slug, 1, part)).content.decode()
        assert "50%" in page
        assert "95%" not in page
    file = table_file(run, "agreement-agreement.tex").decode()
    assert "50\\% CI" in file
    assert "95" not in file.split("toprule")[1].split("midrule")[0]
    assert {row["percent"] for row in agreement_so_far(study, 3)} == {"50%"}


def test_the_competence_of_a_worker_is_told_with_the_confidence_of_its_run(monkeypatch):
    run = SimpleNamespace(finished_at=timezone.now())
    found = SimpleNamespace(run=run, percent="50%")
    known = {"bob": Competence(0.8, 0.7, 0.9, None)}
    monkeypatch.setattr(panel, "newest_of", lambda _: found)
    monkeypatch.setattr(panel, "competences", lambda _: known)
    evidence = panel._competence(None, SimpleNamespace(worker="bob"))
    assert evidence.note.startswith("50% CI 0.70 to 0.90, ")
