"""Each file of an export, downloaded and in the bundle."""

import pytest
from django.test import override_settings
from django.urls import reverse

from analysis.analyses.catalogue import CATALOGUE
from analysis.exports.catalogue import FILES
from analysis.exports.exporting import write_bundle
from analysis.models import AnalysisRun
from tests.analysis.conftest import FEW
from tests.analysis.exports.exported import judged_study
from tests.cast import rita

pytestmark = pytest.mark.django_db
NOT_OF_PAIRS = (
    "tasks",
    "decided_pairs",
    "votes_before",
    "other_answers",
    "comments",
    "codes",
    "utterances",
    "written_texts",
    "labels",
    "model_texts",
    "rubric",
    "qrels",
    "runs",
    "processes",
    "pairwise",
    "summaries",
    "ragelo",
)


@pytest.fixture(scope="module")
def bundle(for_the_module, tmp_path_factory):
    """Return the folder of all files of a study that two have judged."""
    folder = tmp_path_factory.mktemp("bundle")

    def made():
        with override_settings(ANALYSES={name: CATALOGUE[name] for name in FEW}):
            write_bundle(study=judged_study("bob", "alice"), out=folder)

    for_the_module(made)
    return folder


@pytest.mark.parametrize("name", [name for name in FILES if not name.startswith(NOT_OF_PAIRS)])
def test_a_download_is_the_file_of_the_bundle(name, bundle, client, few_analyses):
    client.force_login(rita())
    response = client.get(reverse("export", args=["lamps", 1, name]))
    assert response.streaming
    of_people = ("responses", "participants", "assignments")
    run = "" if name.startswith(of_people) else f"-run{AnalysisRun.objects.get().pk}"
    assert response["Content-Disposition"] == f'attachment; filename="lamps-v1{run}-{name}"'
    assert b"".join(response.streaming_content) == (bundle / name).read_bytes()
