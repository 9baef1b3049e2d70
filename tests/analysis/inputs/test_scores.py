"""Every measure reaches the systems: scores of responses, blocks and passages."""

import re

import pytest
from django.db import connection
from django.test import override_settings
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from analysis.analyses.catalogue import CATALOGUE
from analysis.inputs.scores import SCORES, SUBJECT, response_scores, unit_scores
from analysis.models import AnalysisRun
from analysis.pages.results.run_results import RunResults
from analysis.runs import findings
from annotation.models import Corpus, Response, Study
from judging.instruments.files import available, load
from judging.simulation.simulating import merit
from tests.analysis.whole_parts import whole_part
from tests.cast import in_sections, rita
from tests.judging.instruments.test_every_instrument import command

pytestmark = pytest.mark.django_db

SEED, TOPICS = 4, 10
FEW = 4  # topics, for the order of systems
# Of good summaries nearly all is covered, and most overviews are fine: they lie close together.
# By one of ten criteria or four grades, four topics are too few to order neighbours.
MORE = {"section-coverage": 8, "overview": 8, "direct-quality": 8, "direct-relevance": 8}
SYSTEMS = ("Amber", "Birch", "Cedar", "Dune")  # from the best to the worst
PASSAGES = 8  # of a topic
# What leads from votes to scores of systems; what else is computed is looked at by others.
TO_SCORES = (
    "agreement", "competence", "means", "best_worst", "shares", "summaries", "grades", "groups",
)  # fmt: skip
BLOCKS = {"rounds": 7}  # of eight texts, so that the second and the third are named, too


def best_first(topic, letter, n, criterion):
    """Keys of n things, equally far apart in the order of what simulated people find better.

    From topic to topic all are worse, so that a scale of two answers sets any two apart somewhere.
    """
    keys = [f"{letter}{topic}-{k}" for k in range(10 * n)]
    keys.sort(key=lambda key: -merit(response=key, question=criterion, seed=SEED))
    return keys[4 * (topic % 4) :: 9][:n]


def criterion_of(instrument):
    """Return the key of what the summary of its results tells of."""
    file = load(instrument)
    in_words = {scale.key for scale in file.scales if scale.kind == "text"}
    chosen_questions = [question for question in file.questions if question.scale not in in_words]
    overall = [question for question in chosen_questions if "overall" in question.key]
    return (overall or chosen_questions)[-1].criterion


def corpus(criterion, each=1, topics=TOPICS):
    """Return a corpus of four systems with `each` texts a topic, as good as their systems.

    They cite equally good passages; each text has an overview and two sections.
    """
    made = Corpus.objects.create(slug="lamps", name="Lamps")
    systems = [made.systems.create(key=name.lower(), name=name) for name in SYSTEMS]
    for number in range(topics):
        topic = made.topics.create(key=f"t{number}", query=f"what is lamp {number}?")
        passages = best_first(number, "p", PASSAGES, criterion)
        texts = best_first(number, "r", each * len(SYSTEMS), criterion)
        stored = [
            topic.passages.create(key=key, rank=rank, text=f"Passage {key}")
            for rank, key in enumerate(passages, start=1)
        ]
        for k, key in enumerate(texts):
            system = systems[k // each]
            response = Response.objects.create(
                corpus=made, topic=topic, key=key, style="essay", origin="llm", system=system,
                text=f"Text {key} about lamp {number}.", words=80,
            )  # fmt: skip
            for position, passage in enumerate(stored[2 * (k // each) :][:2], start=1):
                response.citations.create(passage=passage, position=position)
            in_sections(response)
    return made


def run_of(instrument, topics=FEW):
    is_block = load(instrument).item_kind == "block"
    corpus(criterion_of(instrument), each=2 if is_block else 1, topics=topics)
    figures = {"depth": PASSAGES} | (BLOCKS if is_block else {})
    command(
        "create_study", "lamps", corpus="lamps", instrument=instrument, seed=SEED, launch=True,
        contact="Rita", items=24, quota=5, **figures,
    )  # fmt: skip
    command("simulate", "lamps", workers=80, seed=1, spammers=0.1)
    command("close_batch", "lamps")
    command("analyse", "lamps", draws=100)
    # Not the one that the closing batch asked for: a worker of an earlier test may be at it.
    return AnalysisRun.objects.get(parameters__draws=100)


TABLES = {
    "crowdrag-pointwise": ("response", "mean", 16),
    "best-worst": ("response", "best-worst counts", 32),
    "retrieval-relevance": ("passage", "mean", 32),
}


@pytest.fixture(scope="module")
def judged_with(request, for_the_module, empty_database):
    """Return an instrument and its run; the tests of one instrument come one after another."""
    instrument = request.param
    try:
        with override_settings(ANALYSES={name: CATALOGUE[name] for name in TO_SCORES}):
            run = for_the_module(lambda: run_of(instrument, topics=MORE.get(instrument, FEW)))
            yield instrument, run.pk
    finally:
        for_the_module(empty_database)


@pytest.fixture
def run(judged_with):
    return AnalysisRun.objects.get(pk=judged_with[1])


@pytest.mark.parametrize("judged_with", available(), indirect=True)
def test_systems_of_known_quality_come_out_in_order(run, client):
    results = RunResults(run)
    rows = results.records("groups", "means", by="system", question=results.headline)
    assert [row["group"] for row in rows] == [name.lower() for name in SYSTEMS]
    assert [row["mean"] for row in rows] == sorted({row["mean"] for row in rows}, reverse=True)
    client.force_login(rita())
    study = Study.objects.get()
    page = client.get(whole_part(study.slug, study.version, "systems"))
    text = re.sub(r"<[^>]*>", " ", page.content.decode())
    assert results.scores_called in text
    assert all(name in text for name in SYSTEMS)
    where = whole_part(study.slug, study.version, "responses")
    assert client.get(where).status_code == 200
    summary = client.get(reverse("results", args=[study.slug, study.version])).content.decode()
    assert re.findall(r'data-system="([^"]+)"', summary) == [name.lower() for name in SYSTEMS]


@pytest.mark.parametrize("judged_with", TABLES, indirect=True)
def test_the_table_of_scores_has_a_row_a_unit_and_measure(run, judged_with):
    level, method, units = TABLES[judged_with[0]]
    table = unit_scores(run)
    assert tuple(table.columns) == (*SCORES, *SUBJECT)
    assert set(table["level_of_unit"]) == {level}
    assert set(table["method"]) == {method}
    assert not table.duplicated(["unit", "topic", "measure"]).any()
    assert (table.groupby("measure").size() == units).all()
    assert table["value"].notna().all()
    assert (table["n"] > 0).all()
    mine = response_scores(run)
    assert (mine.groupby("question").size() == (32 if judged_with[0] == "best-worst" else 16)).all()


@pytest.mark.parametrize("judged_with", TABLES, indirect=True)
def test_the_scores_of_a_topic_are_picked_at_once_for_all_measures(run):
    whole = response_scores(run)
    there = Response.objects.filter(topic__key="t1").values_list("key", flat=True)
    with CaptureQueriesContext(connection) as asked:
        mine = response_scores(run, topics={"t1"})
    expected = whole[whole["response"].isin(list(there))].to_dict("records")
    assert len(mine) == len(expected) >= len(there)
    assert [str(row) for row in mine.to_dict("records")] == [str(row) for row in expected]
    assert sum("analysis_result" in each["sql"] for each in asked) == 2


@pytest.mark.parametrize("judged_with", ["retrieval-relevance"], indirect=True)
def test_a_passage_speaks_for_the_responses_that_cite_it(run):
    table, mine = unit_scores(run), response_scores(run)
    response = Response.objects.first()
    cited = [citation.passage.key for citation in response.citations.all()]
    (row,) = mine[mine["response"] == response.key].to_dict("records")
    assert row["value"] == pytest.approx(table[table["unit"].isin(cited)]["value"].mean())
    assert row["n"] == 2


@pytest.mark.parametrize("judged_with", ["best-worst"], indirect=True)
def test_a_run_may_ask_for_the_scores_of_plackett_and_luce(run):
    AnalysisRun.objects.filter(pk=run.pk).update(parameters={"score": "Plackett-Luce"})
    run.refresh_from_db()
    table, stored = unit_scores(run), findings.tables(run, "best_worst", "best_worst")
    table = table[table["level_of_unit"] == "response"]
    assert set(table["method"]) == {"Plackett-Luce"}
    assert table["value"].tolist() == stored["merit"].tolist()
