"""From the records to data frames: canonical, and only what counts."""

import pandas as pd
import pytest
from django.utils import timezone

from analysis.inputs import frames
from annotation.fieldwork.review import reviewing
from annotation.fieldwork.work import assigning
from annotation.models import Batch
from judging.answering import recording
from judging.instruments.schema import OptionSpec, QuestionSpec, ScaleSpec
from judging.items import drawing
from judging.models import Judgment, Presentation
from tests.analysis.inputs.measured import measure_of
from tests.analysis.runs.polls import answered, poll, vote
from tests.cast import (
    MINUTE,
    NOW,
    PREFERENCE,
    begun,
    small_study,
    submitted,
    tiny_instrument,
    worker,
)

pytestmark = pytest.mark.django_db

WITH_NO_ANSWER = ScaleSpec(
    key="preference",
    kind="options",
    options=[*PREFERENCE.options, OptionSpec(code="x", label="Cannot say", role="abstain")],
)


def votes(study, question="better", **how):
    return frames.votes(study=study, measure=measure_of(study, question), **how)


def letters(frame):
    """Worker -> their votes, in the order of the pairs."""
    return frame.groupby("worker")["value"].agg("".join).to_dict()


def digest(study, **how):
    return frames.digest(votes(study, **how))


# -- Canonical --------------------------------------------------------------------------------


def test_a_vote_is_for_a_text_whatever_side_it_was_shown_on():
    names = {f"worker{n}": "abn" for n in range(6)}
    study = poll(names)
    assert set(Presentation.objects.values_list("order", flat=True)) == {"a,b", "b,a"}
    assert letters(votes(study)) == names


def test_the_same_click_on_the_other_side_is_the_other_vote():
    study = small_study(quota=9)
    for n in range(6):
        submitted(study, worker(f"worker{n}"))  # who all click on the left text
    assert set(Judgment.objects.values_list("raw", flat=True)) == {"a"}
    frame = votes(study)
    assert set(zip(frame["shown"], frame["value"], strict=True)) == {("a,b", "a"), ("b,a", "b")}


def test_an_item_names_its_texts_and_its_topic():
    study = poll({"bob": "aab"})
    frame = votes(study)
    assert sorted(frame["item"]) == sorted(study.items.values_list("key", flat=True))
    assert list(frame["a"] + "|" + frame["b"]) == list(frame["item"])
    assert set(frame["topic"]) == {"t1"}


def test_a_pair_and_its_reverse_are_two_items():
    study = small_study(responses=2, items=1, reversed_share=1)
    submitted(study, worker("bob"))
    submitted(study, worker("dora"))
    assert set(votes(study)["item"]) == {"t1a|t1b", "t1b|t1a"}


def test_a_score_keeps_its_number():
    study = small_study(instrument="crowdrag-pointwise", responses=2, quota=1)
    submitted(study, worker("bob"))
    frame = votes(study, "coherence_logical")
    assert list(frame["value"].astype(float)) == list(frame["score"])
    assert frame["a"].isna().all()


def test_a_preference_has_no_number():
    assert votes(poll())["score"].isna().all()


def test_no_votes_are_a_frame_with_all_columns():
    assert list(votes(poll({})).columns) == list(frames.VOTES)


def test_the_columns_are_those_that_are_documented():
    documented = [
        name.strip()
        for line in frames.__doc__.splitlines()
        if line.startswith("| ") and not line.startswith("| column")
        for name in line.split("|")[1].split(",")
    ]
    assert documented == list(frames.VOTES)


# -- Only what counts -------------------------------------------------------------------------


def test_work_that_was_withdrawn_is_out():
    study = poll()
    withdrawn = study.assignments.get(worker__pseudonym="dora")
    assigning.withdraw(assignment=withdrawn, now=timezone.now())
    assert set(votes(study)["worker"]) == {"bob", "emil", "fay"}


def test_work_that_was_rejected_is_out():
    study = poll()
    reviewing.decide(
        assignment=study.assignments.get(worker__pseudonym="bob"),
        decision="reject",
        reason="Answered without reading.",
        reviewer="rita",
        now=timezone.now(),
    )
    assert set(votes(study)["worker"]) == {"dora", "emil", "fay"}


@pytest.mark.parametrize("end", [None, assigning.return_task])
def test_work_that_was_not_handed_in_is_out(end):
    study = poll({"bob": "aab"})
    begun = answered(study, "dora", "bbb")
    if end:
        end(assignment=begun, now=timezone.now())
    assert set(votes(study)["worker"]) == {"bob"}


def test_work_that_was_accepted_is_in():
    study = poll({"bob": "aab"})
    reviewing.decide(
        assignment=study.assignments.get(),
        decision="accept",
        reviewer="rita",
        now=timezone.now(),
    )
    assert len(votes(study)) == 3


def test_no_answer_is_no_vote():
    study = poll({"bob": "axb", "dora": "xxx"}, instrument=tiny_instrument(scales=[WITH_NO_ANSWER]))
    assert letters(votes(study)) == {"bob": "ab"}
    assert measure_of(study).labels == ("a", "n", "b")


def test_the_votes_of_a_batch_are_those_of_its_tasks():
    study = poll({"bob": "aab"})
    other = Batch.objects.create(study=study, number=2, name="later")
    assert len(votes(study, batch=study.batches.get(number=1))) == 3
    assert votes(study, batch=other).empty


def test_the_votes_of_another_study_are_out():
    study = poll({"bob": "aab"})
    other = poll({"dora": "bbb"}, slug="candles", corpus=study.corpus)
    assert letters(votes(study)) == {"bob": "aab"}
    assert letters(votes(other)) == {"dora": "bbb"}


def test_answers_on_both_texts_of_a_pair_are_no_votes_on_one_item():
    scale = ScaleSpec(
        "grade",
        "options",
        options=[OptionSpec(code, code, "score", score=int(code)) for code in "12"],
    )
    spec = QuestionSpec("good", "better", "grade", "How good is it?", arity="slot")
    study = poll({}, instrument=tiny_instrument(scales=[scale], questions=[spec]))
    for name in ("bob", "dora"):
        work = begun(study, worker(name))
        given = [
            recording.GivenAnswer(presentation.position, "good", code, slot)
            for presentation in drawing.draw_presentations(assignment=work)
            for slot, code in (("a", "1"), ("b", "2"))
        ]
        recording.record(assignment=work, answers=given, now=NOW)
        recording.submit(assignment=work, now=NOW + MINUTE)
    frame = votes(study, "good", votes_per_item=2)
    assert len(frame) == 12
    assert frame["counted"].all()
    assert not frame.duplicated(["item", "worker"]).any()
    assert set(frame["item"].str[-2:] + frame["value"]) == {"/a1", "/b2"}


def test_the_votes_of_one_question_are_not_those_of_another():
    instrument = tiny_instrument(
        questions=[
            QuestionSpec("better", "better", "preference", "Which text is better?"),
            QuestionSpec("worse", "better", "preference", "Which text is worse?"),
        ]
    )
    study = poll({"bob": "aab"}, instrument=instrument)
    Judgment.objects.filter(question__key="worse").update(value="n", raw="n")
    assert letters(votes(study, "better")) == {"bob": "aab"}
    assert letters(votes(study, "worse")) == {"bob": "nnn"}


def test_questions_of_an_instrument_share_its_layout_and_have_their_own_votes(
    django_assert_num_queries,
):
    instrument = tiny_instrument(
        questions=[
            QuestionSpec("better", "better", "preference", "Which text is better?"),
            QuestionSpec("worse", "better", "preference", "Which text is worse?"),
        ]
    )
    study = poll({"bob": "aab"}, instrument=instrument)
    Judgment.objects.filter(question__key="worse").update(value="n", raw="n")
    layouts = {}
    votes(study, "better", layouts=layouts)
    measure = measure_of(study, "worse")
    with django_assert_num_queries(1):
        shared = frames.votes(study=study, measure=measure, layouts=layouts)
    pd.testing.assert_frame_equal(shared, votes(study, "worse"))


# -- The first votes --------------------------------------------------------------------------


def test_the_first_votes_of_each_item_are_counted():
    study = poll()
    frame = votes(study, votes_per_item=3)
    assert frame.groupby("item")["counted"].sum().tolist() == [3, 3, 3]
    assert set(frame[~frame["counted"]]["worker"]) == {"fay"}


def test_no_answer_takes_no_vote_away():
    study = poll(
        {"bob": "xab", "dora": "aab", "emil": "bbb"},
        instrument=tiny_instrument(scales=[WITH_NO_ANSWER]),
    )
    frame = votes(study, votes_per_item=2)
    counted = frame[frame["counted"]].groupby("item")["worker"].agg(list).tolist()
    assert counted == [["dora", "emil"], ["bob", "dora"], ["bob", "dora"]]


def test_all_votes_are_counted_unless_told_otherwise():
    assert votes(poll())["counted"].all()


# -- Digest -----------------------------------------------------------------------------------


def test_the_digest_does_not_depend_on_the_order_of_the_rows():
    frame = votes(poll())
    assert frames.digest(frame.sample(frac=1, random_state=1)) == frames.digest(frame)
    assert len(frames.digest(frame)) == 64


def test_the_digest_of_nothing_is_a_digest():
    assert len(digest(poll({}))) == 64


def test_the_digest_changes_with_every_cell():
    frame = votes(poll(), votes_per_item=3)
    seen = {frames.digest(frame)}
    for column in ("item", "worker", "value", "shown", "assignment", "counted"):
        changed = frame.copy()
        changed[column] = changed[column].astype(object)
        changed.loc[4, column] = {"counted": not frame.loc[4, "counted"]}.get(column, 99)
        seen.add(frames.digest(changed))
    assert len(seen) == 7


def test_the_digest_changes_when_two_workers_change_places():
    frame = votes(poll())
    swapped = frame.copy()
    swapped["worker"] = frame["worker"].replace({"bob": "dora", "dora": "bob"})
    assert frames.digest(swapped) != frames.digest(frame)


def test_the_digest_changes_when_a_vote_comes_or_goes():
    study = poll()
    seen = [digest(study)]
    vote(study, "gus", "bbb")
    seen.append(digest(study))
    assigning.withdraw(
        assignment=study.assignments.get(worker__pseudonym="fay"), now=timezone.now()
    )
    seen.append(digest(study))
    seen.append(digest(study, votes_per_item=2))
    assert len(set(seen)) == 4


def test_the_digest_changes_when_a_vote_is_twice_there():
    frame = votes(poll())
    twice = frame.loc[[*frame.index, 0]]
    assert frames.digest(twice) != frames.digest(frame)
