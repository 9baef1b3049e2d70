"""The paper's language model joins the judging study as raters; Table 9 is what they say."""

import pandas as pd
import pytest
from django.core.management import call_command
from django.urls import reverse

from analysis.analyses.catalogue import CATALOGUE
from analysis.inputs.machine_calls import MODELS
from analysis.replication import corpus_files
from analysis.replication.judging_study import preferences
from analysis.replication.rater_table import _alpha
from analysis.stats.agreement.alpha import krippendorff_alpha
from annotation.corpora.crowdrag import BadCorpus
from annotation.models import Study
from judging.models import Judgment, Rater
from tests.analysis.analyses.test_judges import analysed
from tests.analysis.replication import mini_crowdrag
from tests.cast import rita
from tests.coded_errors import command_ends
from tests.judging.crowdrag.test_crowdrag_importing import DIMENSIONS, rows, write

pytestmark = pytest.mark.django_db
QUESTIONS = ("correctness_topical", *DIMENSIONS[1:])


def rated(a, b, inference="combined", **changes):
    row = {"query_id": "t1", "response_a": a, "response_b": b, "inference": inference}
    return row | dict.fromkeys(QUESTIONS, "a") | changes


def bring_in(folder, capsys):
    call_command("import_crowdrag", folder, judging_only=True)
    return capsys.readouterr().out


def labels(name, question):
    """Item → shown → value."""
    found = {}
    judgments = Judgment.objects.filter(rater__name=name, question__key=question)
    for key, shown, value in judgments.values_list("item__key", "shown", "value"):
        found.setdefault(key, {})[shown] = value
    return found


def test_each_way_of_asking_is_a_rater_with_the_order_it_was_shown(tmp_path, capsys):
    llm = [
        rated("r1", "r2", coverage_deep="n", coverage_broad=None),
        rated("r2", "r1", coverage_deep="b"),
        rated("r1", "r2", quality_overall="b"),  # the same again: the first counts
        rated("r2", "r3", quality_overall="n"),  # people had r3 first, and had to decide
        rated("r8", "r9"),
        rated("r1", "r3", "individual", quality_overall="B"),
    ]
    folder = write(tmp_path, rows() | {"llm_ratings": llm})
    output = bring_in(folder, capsys)
    assert "labels of the model (combined): 19 added, 0 unchanged" in output
    assert "labels of the model (individual): 7 added" in output
    for note in (
        "1 pair that the model rated was not judged by people (combined): left out",
        "1 label of the model is missing (combined): left out",
        "1 label of the model answers quality_overall as people could not (combined): left out",
    ):
        assert note in output
    combined = "crowdrag25-model-combined"
    pairs = {item.key: [s.response.key for s in item.slots.order_by("position")]
             for item in Study.objects.get().items.all()}  # fmt: skip
    of = {tuple(texts): key for key, texts in pairs.items()}
    assert labels(combined, "coverage_deep")[of["r1", "r2"]] == {"a,b": "n", "b,a": "r1"}
    assert labels(combined, "quality_overall")[of["r1", "r2"]] == {"a,b": "r1", "b,a": "r2"}
    assert labels(combined, "coverage_deep")[of["r3", "r2"]] == {"b,a": "r2"}
    individual = labels("crowdrag25-model-individual", "quality_overall")
    assert individual == {of["r1", "r3"]: {"a,b": "r3"}}
    raters = Rater.objects.filter(kind="model").values_list("name", "prompt_version")
    assert dict(raters)[combined] == "combined"
    again = bring_in(folder, capsys)
    assert "labels of the model (combined): 0 added, 19 unchanged" in again


def test_without_the_file_there_is_no_rater(tmp_path, capsys):
    assert "model" not in bring_in(write(tmp_path, rows()), capsys)
    assert not Rater.objects.filter(kind="model").exists()


def test_a_row_that_is_none_is_named_and_nothing_is_imported(tmp_path):
    row = rated("r1", "r2")
    del row["coverage_deep"]
    folder = write(tmp_path, rows() | {"llm_ratings": [rated("r2", "r1"), row]})
    with command_ends(BadCorpus, "bad_row", match=r"llm_ratings.jsonl.gz:2: .*coverage_deep"):
        call_command("import_crowdrag", folder, judging_only=True)
    assert not Study.objects.exists()


def test_table_9_of_the_model_is_the_agreement_of_what_was_imported(tmp_path):
    """The model's agreement with itself in both orders.

    Computed from the file as `replicate` does, and from the judgments.
    """
    files = mini_crowdrag.whole()
    for number, row in enumerate(files["llm_ratings"]):
        row["quality_overall"] = "abb"[number % 3]  # as people had to
    folder = mini_crowdrag.write(tmp_path / "corpus", files)
    call_command("import_crowdrag", folder, judging_only=True)
    of_file = corpus_files.llm_ratings(folder)
    of_file = of_file.assign(item=of_file["response_a"] + "|" + of_file["response_b"])
    for inference in ("combined", "individual"):
        own = of_file[of_file["inference"] == inference]
        for question in QUESTIONS[::3]:
            expected = _alpha([own], question)
            found = krippendorff_alpha(preferences(frame_of(inference, question)))
            assert found.value == pytest.approx(expected.value), (inference, question)


def frame_of(inference, question):
    """One rater an order, oriented to the sorted pair."""
    judgments = Judgment.objects.filter(
        rater__name=f"crowdrag25-model-{inference}", question__key=question
    )
    found = []
    for judgment in judgments.prefetch_related("item__slots__response"):
        texts = [slot.response.key for slot in judgment.item.slots.order_by("position")]
        first, second = sorted(texts)
        value = {first: "a", second: "b"}.get(judgment.value, judgment.value)
        left = texts["ab".index(judgment.shown[0])]
        found.append((f"{first}|{second}", "straight" if left == first else "turned", value))
    return pd.DataFrame(found, columns=["item", "worker", "value"])


def test_the_page_of_judges_holds_the_model_against_people(tmp_path, client, settings):
    settings.ANALYSES = {"judges": CATALOGUE["judges"]}
    folder = mini_crowdrag.write(tmp_path / "corpus", mini_crowdrag.whole())
    call_command("import_crowdrag", folder, judging_only=True)
    study = Study.objects.get()
    run = analysed(study, pool=MODELS)
    assert run.state == "done"
    client.force_login(rita())
    part = client.get(reverse("judges", args=[study.slug, study.version]))
    page = client.get(f"{part.url}&section=all")
    for inference in ("combined", "individual"):
        assert f"crowdrag25-model-{inference}" in page.text
    assert "both orders" in page.text
