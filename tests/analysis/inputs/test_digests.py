"""Digests of a run cover what its steps read, and a changed input is named."""

import pytest

from analysis.inputs.machine_calls import MODELS
from analysis.inputs.run_data import DataChanged
from analysis.models import AnalysisRun
from analysis.runs import findings, running
from annotation.models import Passage, Ranking, Response, Segment, Study
from judging.models import Item, ItemSlot, Judgment, MachineCall, MachineJudge, Prompt, Rater
from tests.analysis.analyses.test_judges import call, label
from tests.analysis.analyses.test_retrieval import TWO, grade, relevance, study_of
from tests.analysis.analyses.test_summaries import labelled_study
from tests.analysis.runs.polls import analysed, poll
from tests.cast import NOW, in_sections
from tests.coded_errors import raises

pytestmark = [pytest.mark.django_db, pytest.mark.analyses("judges", "retrieval", "texts")]


def started(study: Study, **how: str) -> tuple[AnalysisRun, list[int]]:
    steps: list[int] = []
    run = running.start(study=study, enqueue=steps.append, **how)
    queued = run.steps.filter(state="queued").order_by("pk")
    return run, list(queued.values_list("pk", flat=True))


def perform(steps: list[int]) -> None:
    for pk in steps:
        running.perform(pk=pk, enqueue=lambda pk: None)


def judge_of(study: Study, name: str, state: str = "done") -> MachineJudge:
    prompt, _ = Prompt.objects.get_or_create(
        study=study, key="p", version=1, defaults={"user": "?", "made_at": NOW}
    )
    return MachineJudge.objects.create(
        study=study, name=name, rater=Rater.objects.get(name=name), base_url="http://x",
        model=name, prompt=prompt, state=state, made_at=NOW,
    )  # fmt: skip


@pytest.fixture
def study() -> Study:
    study = poll({"bob": "aab", "dora": "aab", "emil": "aan"})
    label(study, "copy", "aab")
    return study


def another_response(study: Study, key: str) -> Response:
    topic = study.corpus.topics.get()
    system = study.corpus.systems.create(key=key, name=key)
    return Response.objects.create(
        corpus=study.corpus,
        topic=topic,
        key=key,
        text="Late.",
        words=1,
        style="free",
        system=system,
        origin="llm",
    )


def test_responses_added_to_the_corpus_do_not_end_a_run_of_models(study):
    run, steps = started(study, pool=MODELS)
    another_response(study, "late")
    perform(steps)
    run.refresh_from_db()
    assert run.state == AnalysisRun.State.DONE


def test_another_judge_does_not_end_a_run_of_models(study):
    label(study, "slow", "aaa")
    slow = judge_of(study, "slow", "running")
    run, steps = started(study, pool=MODELS)
    label(study, "late", "aaa")
    late = judge_of(study, "late")
    for item in Item.objects.filter(study=study):
        call(late, item, 0, "a")
        call(slow, item, 0, "a")
    MachineJudge.objects.filter(pk=slow.pk).update(state="done")
    perform(steps)
    run.refresh_from_db()
    assert run.state == AnalysisRun.State.DONE


def test_items_of_a_later_batch_do_not_end_a_run(study):
    run, steps = started(study)
    item = Item.objects.create(
        study=study, topic=study.corpus.topics.get(), key="late|later", kind="pair"
    )
    for position, key in enumerate(("late", "later")):
        response = another_response(study, key)
        ItemSlot.objects.create(item=item, name="ab"[position], position=position,
                                response=response)  # fmt: skip
    perform(steps)
    run.refresh_from_db()
    assert run.state == AnalysisRun.State.DONE


def test_rankings_of_a_topic_without_votes_do_not_end_a_run():
    study = study_of("retrieval-relevance", TWO, topics=("t1", "t2"))
    grade(study, "bob", relevance)
    run, steps = started(study)
    topic = study.corpus.topics.create(key="t3", query="why t3?")
    passage = Passage.objects.create(topic=topic, key="q1", rank=1, text="Text.")
    system = study.corpus.systems.get(key="x")
    Ranking.objects.create(system=system, topic=topic, passage=passage, rank=1)
    perform(steps)
    run.refresh_from_db()
    assert run.state == AnalysisRun.State.DONE


def test_rankings_of_a_judged_topic_end_a_run():
    study = study_of("retrieval-relevance", TWO, topics=("t1", "t2"))
    grade(study, "bob", relevance)
    _, steps = started(study)
    topic = study.corpus.topics.get(key="t2")
    passage = Passage.objects.create(topic=topic, key="late", rank=4, text="Text.")
    system = study.corpus.systems.get(key="y")
    Ranking.objects.create(system=system, topic=topic, passage=passage, rank=1)
    with raises(DataChanged, "rankings"):
        perform(steps)


def test_passages_of_the_texts_end_a_run_and_are_of_another_one(study):
    first, steps = started(study)
    topic = study.corpus.topics.get()
    last = max(topic.passages.values_list("rank", flat=True), default=0)
    Passage.objects.create(topic=topic, key="late", rank=last + 1, text="Text.")
    with raises(DataChanged, "passages"):
        perform(steps)
    assert started(study)[0] != first


def test_the_reason_names_the_votes_of_people(study):
    _, steps = started(study, pool=MODELS)
    Judgment.objects.filter(rater__worker__pseudonym="bob").update(value="n", raw="n")
    with raises(DataChanged, "people"):
        perform(steps)


def test_the_reason_names_the_calls_of_a_judge(study):
    judge = judge_of(study, "copy")
    for item in Item.objects.filter(study=study):
        call(judge, item, 0, "a", seconds=0.5)
    _, steps = started(study, pool=MODELS)
    MachineCall.objects.update(seconds=0.7)
    with raises(DataChanged, "calls"):
        perform(steps)


def test_the_reason_names_a_changed_text(study):
    _, steps = started(study, pool=MODELS)
    Response.objects.update(words=7)
    with raises(DataChanged, "texts"):
        perform(steps)


def test_a_run_of_an_earlier_version_says_so(study):
    run, steps = started(study, pool=MODELS)
    inputs = {key: value for key, value in run.inputs.items() if "beside" not in key}
    AnalysisRun.objects.filter(pk=run.pk).update(inputs=inputs)
    with raises(DataChanged, "earlier_version"):
        perform(steps)


@pytest.fixture
def summaries() -> Study:
    return labelled_study(topics=1)


@pytest.mark.analyses("summaries")
def test_a_summary_that_nobody_was_asked_about_takes_no_score_away(summaries):
    before = analysed(summaries, pool="experts")
    in_sections(another_response(summaries, "late"))
    after = analysed(summaries, pool="experts", seed=before.seed + 1)
    found = [
        findings.records(findings.tables(run, "summaries", "scores")) for run in (before, after)
    ]
    assert any(row["question"] == "comp@experts" for row in found[0])
    assert found[0] == found[1]
    assert before.inputs == after.inputs


@pytest.mark.analyses("summaries")
def test_changed_parts_of_summaries_end_a_run_and_are_of_another_one(summaries):
    first, steps = started(summaries, pool="experts")
    cited = Segment.objects.filter(kind="statement").exclude(cited=None).first()
    assert cited is not None
    cited.cited.clear()
    with raises(DataChanged, "summaries"):
        perform(steps)
    assert started(summaries, pool="experts")[0] != first
