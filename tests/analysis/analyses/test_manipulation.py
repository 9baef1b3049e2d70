"""The manipulation audit of a study, and a run without named workers."""

import pytest

from analysis.analyses.catalogue import CATALOGUE
from analysis.models import AnalysisRun
from analysis.pages.results.run_results import RunResults
from analysis.pages.results.summary import summary_of
from analysis.runs.findings import tables
from annotation.models import Study
from tests.analysis.analyses.test_games import judged
from tests.analysis.whole_parts import whole_part
from tests.cast import rita
from tests.judging.instruments.test_every_instrument import command

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def run(settings):
    settings.ANALYSES = {name: CATALOGUE[name] for name in ("manipulation", "games")}
    judged()
    command("simulate", "lamps", workers=60, seed=1, spammers=0.1)
    command("close_batch", "lamps")
    command("analyse", "lamps", draws=20)
    return AnalysisRun.objects.latest("pk")


def test_the_audit_tests_every_system_and_removes_every_kind_of_unit(run, client):
    groups = tables(run, "manipulation", "groups")
    assert set(groups["system"]) == {"amber", "birch", "cedar", "dune"}
    assert groups["p"].between(0, 1).all()
    fewest = tables(run, "manipulation", "robustness")
    assert list(fewest["unit"]) == ["workers", "topics", "votes"]
    pairs = tables(run, "manipulation", "pairs")
    assert len(pairs) or "pairs" in set(tables(run, "manipulation", "undefined")["table"])
    assert (pairs["items"] >= 15).all()
    client.force_login(rita())
    study = Study.objects.get()
    page = client.get(whole_part(study.slug, study.version, "workers"))
    assert 'id="manipulation"' in page.content.decode()


def test_workers_left_out_are_recorded_and_their_votes_not_counted(run):
    names = sorted(tables(run, "manipulation", "sides")["worker"])[:3]
    before = tables(run, "games", "wins")["games"].sum()
    command(
        "analyse", "lamps", draws=20,
        set=[f"left_out.workers={' '.join(names)}", "left_out.ground=shared lean"],
    )  # fmt: skip
    later = AnalysisRun.objects.latest("pk")
    assert later.pk != run.pk
    assert later.parameters["left_out"] == {"workers": names, "ground": "shared lean"}
    assert set(tables(later, "manipulation", "sides")["worker"]).isdisjoint(names)
    assert tables(later, "games", "wins")["games"].sum() < before
    warnings = summary_of(RunResults(later)).warnings
    assert any("3" in sentence and "shared lean" in sentence for sentence in warnings)
