"""What ranks responses, said to the command `analyse`."""

import numpy as np
import pytest
from django.core.management import CommandError, call_command

from analysis.inputs.frames import votes
from analysis.inputs.settings import COMPAT
from analysis.models import AnalysisRun
from analysis.pages.results.findings_json import as_json
from analysis.runs.findings import tables
from tests.analysis.analyses.test_ranking import FIVE, fitted, merits_of
from tests.analysis.inputs.measured import measure_of
from tests.analysis.runs.polls import poll

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def study(few_analyses):
    return poll(FIVE, analysis={"draws": 50})


def test_a_run_without_ties_has_the_plain_merits_of_choix_and_says_so(study):
    call_command("analyse", study.slug, ties="none", draws=50)
    run = AnalysisRun.objects.latest("pk")
    frame = votes(study=study, measure=measure_of(study)).assign(outcome=lambda rows: rows["value"])
    assert np.allclose(merits_of(run), fitted(frame, ties="none", ridge="firth"))
    assert not np.allclose(merits_of(run), fitted(frame, tie_parameter="estimated", ridge="firth"))
    data = as_json(run)
    assert data["methods"]["grades"].startswith("Plain Bradley-Terry, without ties, on the votes")
    assert tables(run, "grades", "grades")["merit_low"].notna().all()


def test_the_command_takes_both_choices(study, tmp_path):
    call_command("analyse", "lamps", compat=COMPAT, stdout=(tmp_path / "said").open("w"))
    assert AnalysisRun.objects.get().parameters["ranking"] == "mace"
    call_command("analyse", "lamps", "--ranking", "majority", stdout=(tmp_path / "said").open("w"))
    assert AnalysisRun.objects.latest("pk").parameters["ranking"] == "majority"
    with pytest.raises(CommandError, match="invalid choice"):
        call_command("analyse", "lamps", "--compat", "other")
