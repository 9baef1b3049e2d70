"""Whose answers an analysis reads: machines are never among people unless somebody says so."""

import pytest
from django.utils import timezone

from analysis.inputs import frames, judged_items
from analysis.inputs.frozen_work import FrozenWork
from analysis.inputs.measures import measures_of
from analysis.runs import requesting, running
from annotation.fieldwork.work import assigning
from annotation.models import Study
from judging.models import Item, Judgment, Rater
from judging.raters import pools
from judging.raters.pools import Pool, UnknownPool
from tests.analysis.runs.polls import analysed, poll
from tests.cast import NOW
from tests.coded_errors import raises

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("few_analyses")]
PEOPLE = {"bob", "dora", "emil", "fay"}


def rater(name, kind="model"):
    model = {"model": name} if kind == "model" else {}
    return Rater.objects.create(kind=kind, name=name, pseudonym=f"{kind}-{name}", **model)


def label(study, who, letters="aab"):
    """Import labels on the three pairs, in the order of their keys."""
    for item, letter in zip(Item.objects.filter(study=study).order_by("key"), letters, strict=True):
        slot = item.slots.filter(name=letter).first()
        value = slot.response.key if slot else letter
        Judgment.objects.create(
            rater=who,
            item=item,
            question=study.questions.get(),
            raw=letter,
            value=value,
            first_at=NOW,
            answered_at=NOW,
        )


def labelled():
    """Four people, one of them an expert; an expert and two models whose labels were imported."""
    study = poll()
    Rater.objects.filter(worker__pseudonym="fay").update(kind="expert")
    label(study, rater("Gold", "expert"), "abn")
    label(study, rater("gpt"), "aaa")
    label(study, rater("llama"), "bbb")
    return study


@pytest.fixture(scope="module")
def labelled_once(for_the_module):
    return for_the_module(lambda: labelled().pk)


@pytest.fixture
def study(labelled_once):
    return Study.objects.get(pk=labelled_once)


def votes(study, pool="", **how):
    (measure,) = measures_of(study, pool=pool) if pool else measures_of(study)
    return frames.votes(study=study, measure=measure, **how)


def who(study, pool=""):
    return set(votes(study, pool)["worker"])


def test_a_frame_holds_people_alone_where_nobody_asks_for_more(study):
    assert who(study) == PEOPLE
    digest = frames.digest(votes(study))
    Judgment.objects.filter(assignment=None).delete()
    assert frames.digest(votes(study)) == digest


@pytest.mark.parametrize(
    ("pool", "raters"),
    [
        ("people", PEOPLE),
        ("crowd", PEOPLE - {"fay"}),
        ("experts", {"fay", "expert-Gold"}),
        ("models", {"model-gpt", "model-llama"}),
        ("model-gpt", {"model-gpt"}),
        ("expert-Gold", {"expert-Gold"}),
        ("bob", {"bob"}),
    ],
)
def test_a_pool_holds_its_raters(study, pool, raters):
    assert who(study, pool) == raters
    items = judged_items.judged_items(study=study, step=lambda done, of: None, pool=Pool(pool))
    assert {vote.worker for item in items for vote in item.votes} == raters


def test_a_model_is_not_among_people_even_if_it_worked_in_the_study(study):
    work = study.assignments.get(worker__pseudonym="bob")
    Judgment.objects.filter(rater__kind="model").update(assignment=work)
    assert who(study) == PEOPLE
    items = judged_items.judged_items(study=study, step=lambda done, of: None)
    assert {vote.worker for item in items for vote in item.votes} == PEOPLE


def test_a_label_has_a_text_and_neither_place_nor_questionnaire(study):
    frame = votes(study, "expert-Gold")
    assert list(frame["value"]) == ["a", "b", "n"]  # sorted by item
    assert frame[["assignment", "task", "position"]].isna().all(axis=None)
    assert set(frame["shown"]) == {""}


def test_a_label_of_another_study_is_out(study):
    other = poll(slug="other", corpus=study.corpus)
    label(other, Rater.objects.get(name="gpt"), "bbb")
    assert set(votes(study, "model-gpt")["value"]) == {"a"}


def test_an_expert_who_withdrew_is_out(study):
    work = study.assignments.get(worker__pseudonym="fay")
    assigning.withdraw(assignment=work, now=timezone.now())
    assert who(study, "experts") == {"expert-Gold"}


def test_labels_that_come_later_belong_to_the_next_run(study):
    frozen = FrozenWork.now(study)
    label(study, rater("late"))
    assert "model-late" not in set(votes(study, "models", frozen=frozen)["worker"])
    assert "model-late" in who(study, "models")


def test_the_pools_that_are_offered_have_answers(study):
    names = [pool.name for pool in pools.offered(study)]
    assert names == [
        "people", "crowd", "experts", "models", "expert-Gold", "fay", "model-gpt", "model-llama",
    ]  # fmt: skip
    other = poll(slug="new", corpus=study.corpus, team=study.team)
    assert [pool.name for pool in pools.offered(other)] == ["people", "crowd", "experts", "fay"]
    foreign = poll(slug="foreign", corpus=study.corpus)  # there fay is one of the crowd
    assert [pool.name for pool in pools.offered(foreign)] == ["people"]


def test_a_rater_is_found_by_the_name_and_called_by_the_pseudonym(study):
    assert pools.pool_of(name="Gold", study=study) == Pool("expert-Gold")
    with pytest.raises(UnknownPool, match=r"'nobody'.*model-gpt"):
        pools.pool_of(name="nobody", study=study)


# -- Runs --------------------------------------------------------------------------------------


def test_the_cap_on_votes_holds_for_work_and_not_for_labels(study):
    study.analysis = {"votes_per_item": 1}
    assert analysed(study, pool="models").parameters["votes_per_item"] is None
    assert analysed(study).parameters["votes_per_item"] == 1


def test_a_pool_without_answers_is_refused(study):
    Judgment.objects.filter(rater__kind="model").delete()
    with raises(running.NothingToAnalyse, "no_submissions", match="models"):
        requesting.ask(study=study, pool="models")


def test_each_pool_is_asked_for_by_itself(study):
    requesting.ask(study=study, pool="models")
    requesting.ask(study=study)
    queue = []
    assert requesting.answer(study=study, enqueue=queue.append)
    assert sorted(run.pool for run in study.runs.all()) == ["models", "people"]
    assert not requesting.is_waiting(study)
