"""Rankings of systems against people's judgments of passages, in a run."""

import math

import pandas as pd
import pytest

from analysis.models import AnalysisRun, Result
from analysis.runs.findings import tables
from annotation.models import Corpus, Passage, Ranking
from judging.answering import recording
from judging.answering.recording import GivenAnswer
from judging.items.drawing import draw_presentations
from judging.models import Scale
from tests.analysis.runs.polls import analysed
from tests.analysis.whole_parts import whole_part
from tests.cast import NOW, begun, rita, small_study, worker

pytestmark = [pytest.mark.django_db, pytest.mark.analyses("retrieval", "means")]

# The hand vector of the Autograder Workbench (R10): passage -> grades of four entries.
BANK = {"p1": (5, 2, 0, 0), "p2": (4, 4, 1, 0), "p3": (0, 0, 3, 1)}
POINTS = ("subject", "reason", "example", "limit")
LOG3 = math.log2(3)
SYSTEMS = {"x": {"q1": ["p1", "p2"]}, "y": {"q1": ["p3"]}}


def study_of(instrument, runs, topics=("q1",), passages=tuple(BANK)):
    corpus = Corpus.objects.create(slug="pool", name="pool")
    for key in topics:
        topic = corpus.topics.create(key=key, query=f"why {key}?")
        Passage.objects.bulk_create(
            Passage(topic=topic, key=passage, rank=rank, text=f"Text of {passage}.")
            for rank, passage in enumerate(passages, start=1)
        )
    for name, lists in runs.items():
        system = corpus.systems.create(key=name, name=name)
        for topic, keys in lists.items():
            for rank, key in enumerate(keys, start=1):
                passage = Passage.objects.get(topic__key=topic, key=key)
                Ranking.objects.create(
                    system=system, topic=passage.topic, passage=passage, rank=rank
                )
    return small_study(
        corpus=corpus, instrument=instrument, items=100, quota=9, batch={"closes_when_full": False}
    )


def grade(study, name, grade_of):
    """Somebody answers the first question about each item by what it shows."""
    work = begun(study, worker(name))
    (questions,) = recording.questions_of(study.pk).values()
    key = next(iter(questions))
    pages = draw_presentations(assignment=work)
    given = [GivenAnswer(page.position, key, str(grade_of(page.item))) for page in pages]
    recording.record(assignment=work, answers=given, now=NOW)
    recording.submit(assignment=work, now=NOW)


def contents(item):
    return {slot.name: slot.content.key for slot in item.slots.all()}


def on_points(item):
    shown = contents(item)
    return BANK[shown["passage"]][POINTS.index(shown["criterion"])]


def board(study, **wanted):
    rows = tables(analysed(study), "retrieval", "boards")
    for name, value in wanted.items():
        rows = rows[rows[name] == value]
    return rows


def test_coverage_is_that_of_the_hand_vector():
    study = study_of("nuggets", SYSTEMS)
    grade(study, "bob", on_points)
    value = board(study, level=4).set_index(["measure", "system"])["value"]
    assert value["cover@20", "x"] == 0.5  # R10: g=4: cover X .5, Y 0; n-cover 1, 0
    assert value["cover@20", "y"] == 0
    assert value["n-cover@20", "x"] == 1
    assert value["n-cover@20", "y"] == 0
    assert value["MRR@5", "x"] == 1  # by the highest grade of a passage: 5, 4, 3
    assert value["P@5", "x"] == pytest.approx(2 / 5)
    assert value["MRR@5", "y"] == 0
    assert value["subtopic recall@5", "x"] == 1  # p1 covers a, p2 a and b, at grade 4
    assert value["α-nDCG@5", "x"] == pytest.approx((1 + 1.5 / LOG3) / (2 + 0.5 / LOG3))
    assert value["α-nDCG@5", "y"] == 0


def test_levels_come_from_the_scale_and_not_from_the_grades_given():
    study = study_of("nuggets", SYSTEMS)
    grade(study, "bob", lambda item: min(on_points(item), 3))
    assert set(board(study)["level"].dropna()) == {3, 4, 5}


def test_levels_of_a_range_come_from_its_ends():
    study = study_of("nuggets", SYSTEMS)
    scale = Scale.objects.get(questions__study=study)
    scale.kind, scale.spec = "range", {"kind": "range", "min": 0, "max": 5}
    scale.save()
    grade(study, "bob", lambda item: min(on_points(item), 2))
    assert set(board(study)["level"].dropna()) == {3, 4, 5}


def test_levels_are_a_setting():
    study = study_of("nuggets", SYSTEMS)
    grade(study, "bob", on_points)
    study.analysis = {"levels": [2, 4, 9]}  # 9 is above the scale
    study.save()
    assert set(board(study)["level"].dropna()) == {2, 4}


@pytest.mark.parametrize("levels", [[0], ["4"], 4, [2.5]])
def test_a_level_that_is_no_grade_is_refused_with_a_sentence(levels):
    study = study_of("nuggets", SYSTEMS)
    grade(study, "bob", on_points)
    study.analysis = {"levels": levels}
    study.save()
    reason = Result.objects.get(step__run=analysed(study), step__analysis="retrieval").missing
    assert reason.startswith("The setting levels is")


def relevance(item):
    return {"p1": 0, "p2": 1, "p3": 2}[contents(item)["passage"]]


TWO = {"x": {"t1": ["p1", "p3", "p2"], "t2": ["p3"]}, "y": {"t1": ["p3"]}}


def relevance_study():
    study = study_of("retrieval-relevance", TWO, topics=("t1", "t2"))
    for name in ("bob", "dora"):
        grade(study, name, relevance)
    return study


def test_a_topic_without_a_ranking_counts_as_zero_and_is_said():
    rows = board(relevance_study(), measure="MRR@5", level=2).set_index("system")
    assert rows["value"].to_dict() == {"x": 0.75, "y": 0.5}
    assert rows["n"].to_dict() == {"x": 2, "y": 2}
    assert rows["missing"].to_dict() == {"x": 0, "y": 1}
    unranked = tables(AnalysisRun.objects.get(), "retrieval", "unranked")
    assert unranked[["system", "topic"]].to_numpy().tolist() == [["y", "t2"]]
    assert rows["low"].isna().all()  # over two topics no interval covers


def test_several_raters_of_a_passage_are_one_grade_halves_up():
    study = study_of("retrieval-relevance", TWO, topics=("t1", "t2"))
    grade(study, "bob", relevance)
    grade(study, "dora", lambda item: 0)
    rows = board(study, measure="MRR@5", system="x")
    assert rows.set_index("level")["value"].to_dict() == {1: 0.75, 2: 0}  # 2 and 0 are 1


def test_unjudged_passages_are_reported():
    study = relevance_study()
    topic = study.corpus.topics.get(key="t2")
    extra = Passage.objects.create(topic=topic, key="late", rank=4, text="Late.")
    system = study.corpus.systems.get(key="y")
    Ranking.objects.create(system=system, topic=topic, passage=extra, rank=1)
    rows = board(study, measure="nDCG@10").set_index("system")
    assert rows["judged"].to_dict() == {"x": 1, "y": 0.5}
    assert rows["missing"].to_dict() == {"x": 0, "y": 0}


def test_missing_rankings_are_reported_and_new_ones_make_another_run():
    study = study_of("retrieval-relevance", {}, topics=("t1",))
    grade(study, "bob", relevance)
    first = analysed(study)
    missing = Result.objects.get(step__run=first, step__analysis="retrieval").missing
    assert "Import the run" in missing
    system = study.corpus.systems.create(key="x", name="x")
    passage = Passage.objects.get(key="p3")
    Ranking.objects.create(system=system, topic=passage.topic, passage=passage, rank=1)
    second = analysed(study)
    assert second != first
    assert isinstance(tables(second, "retrieval", "boards"), pd.DataFrame)


def test_the_page_of_systems_shows_the_boards(client):
    study = relevance_study()
    analysed(study)
    client.force_login(rita())
    where = whole_part(study.slug, study.version, "systems")
    page = client.get(where).content.decode()
    assert "Rankings of passages" in page
    assert "MRR@5" in page
