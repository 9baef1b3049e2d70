"""A follow-up batch asks the items that votes leave undecided, and no others."""

from collections import Counter, defaultdict
from typing import Any

import numpy as np
import pandas as pd
import pytest
from django.core.management import call_command

from analysis.stats.agreement.differentiability import differentiability
from analysis.stats.votes import Votes
from annotation.models import Batch, Study
from annotation.studies import batch_acts, batching
from judging.design.undecided import ask_undecided, foreseen, undecided_pages
from judging.designers.questionnaires import CannotDesign
from judging.instruments.schema import CriterionSpec, QuestionSpec
from judging.models import Instrument, Judgment, Question, TaskItem
from tests.cast import NOW, rita, small_study, submitted, tiny_instrument, worker, writing_study

pytestmark = pytest.mark.django_db
KEYS = "abcdefg"


def studied(*, share: float = 0.8, workers: int = 5, **of_study: Any) -> Study:
    """Return a closed study of 6 pairs and 7 questions, with random votes."""
    file = tiny_instrument(
        criteria=[CriterionSpec(key, key, "Which is better?") for key in KEYS],
        questions=[QuestionSpec(key, key, "preference", "Which?") for key in KEYS],
    )
    study = small_study(instrument=file, topics=6, items=2, quota=workers, cap=3, **of_study)
    for number in range(workers):
        for _ in range(3):
            submitted(study, worker(f"w{number}"))
    rng = np.random.default_rng(3)
    rows = list(Judgment.objects.order_by("pk"))
    options = sorted({row.value for row in rows} | {"x", "y"})[:3]
    items = sorted({row.item_id for row in rows})
    clear = {pk: number < share * len(items) for number, pk in enumerate(items)}
    for row in rows:
        weights = (0.8, 0.1, 0.1) if clear[row.item_id] else (0.34, 0.33, 0.33)
        row.value = str(rng.choice(options, p=weights))
    Judgment.objects.bulk_update(rows, ["value"])
    return study


def test_undecided_items_are_the_rest_of_the_published_split() -> None:
    study = studied(share=0.5)
    frame = pd.DataFrame(
        Judgment.objects.values_list("item", "rater", "question__key", "value"),
        columns=["item", "worker", "question", "value"],
    )
    options = sorted(frame["value"].unique())
    split = differentiability(
        {key: Votes.from_frame(rows, options=options) for key, rows in frame.groupby("question")}
    )
    found = sorted(row.item_id for row in undecided_pages(study.batches.get()))
    assert found == sorted(split.others)
    assert 0 < len(found) < 6


@pytest.mark.parametrize("margin", [16, 2**40])  # questions counted in one sum, and in one each
def test_votes_on_slots_and_on_several_methods_count_as_one_by_one(
    margin: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("judging.design.undecided.MARGIN", margin)
    study = studied(share=0.5, workers=6)
    batch, first = study.batches.get(), study.instruments.get()
    second = Instrument.objects.create(
        study=study, position=2, key="second", title="Second", item_kind="pair", version="1"
    )
    Question.objects.filter(key__in="efg").update(instrument=second)
    for page in TaskItem.objects.filter(task__batch=batch):
        TaskItem.objects.create(
            task=page.task, item=page.item, instrument=second, position=page.position + 50
        )
    rows = list(Judgment.objects.order_by("pk"))
    rng = np.random.default_rng(4)
    for row in rows:
        row.slot = "ab"[rng.integers(2)] if row.question.key == "a" else ""
        row.raw = "" if rng.random() < 0.2 else "x"
    Judgment.objects.bulk_update(rows, ["slot", "raw"])
    votes: dict[Any, Counter[str]] = defaultdict(Counter)
    for row in rows:
        if row.raw:
            votes[row.question.instrument_id, row.item_id, row.question_id, row.slot][
                row.value
            ] += 1
    asked, decided = defaultdict(set), Counter[Any]()
    for (instrument, item, question, slot), answers in votes.items():
        asked[instrument].add((question, slot))
        decided[item, instrument] += 5 * max(answers.values()) >= 3 * answers.total()
    expected = {page for page, n in decided.items() if 7 * n < 5 * len(asked[page[1]])}
    found = {(row.item_id, row.instrument_id) for row in undecided_pages(batch)}
    assert found == expected
    assert {instrument for _, instrument in found} == {first.pk, second.pk}


def test_a_follow_up_has_the_drawn_items_in_tasks_no_longer_than_before() -> None:
    study = studied(share=0)
    batch = study.batches.get()
    undecided = {row.item_id for row in undecided_pages(batch)}
    size = foreseen(batch=batch, items=3, votes=2)
    assert (size.undecided, size.items, size.tasks) == (len(undecided), 3, 2)
    further = ask_undecided(batch=batch, items=3, votes=2, name="experts")
    rows = TaskItem.objects.filter(task__batch=further)
    assert len({row.item_id for row in rows}) == rows.count() == 3
    assert {row.item_id for row in rows} < undecided
    assert [task.items.count() for task in further.tasks.all()] == [2, 1]
    assert {task.quota for task in further.tasks.all()} == {2}
    assert further.state == Batch.State.DRAFT
    again = ask_undecided(batch=batch, items=3, votes=1, name="the same")
    assert set(TaskItem.objects.filter(task__batch=again).values_list("item", flat=True)) == {
        row.item_id for row in rows
    }


def test_a_decided_batch_has_none() -> None:
    study = studied()
    Judgment.objects.update(value="x")
    with pytest.raises(CannotDesign) as refused:
        ask_undecided(batch=study.batches.get(), items=30, votes=1, name="none")
    assert refused.value.code == "none_undecided"


def test_the_act_is_previewed_done_and_recorded(client: Any) -> None:
    study = studied(share=0, recruitment=Study.Recruitment.LINK)
    client.force_login(rita())
    at = f"/studies/{study.slug}/{study.version}/recruit/1/undecided/"
    page = client.get(at, {"items": 3, "votes": 2})
    assert "says" not in page.context
    assert b"data-pending" in page.content
    figures = {"items": 3, "votes": 2, "wait": 1}
    for headers in ({}, {"HX-Request": "true"}):
        effect = client.get(at, figures, headers=headers)
        assert effect.context["says"]
        assert b"data-pending" not in effect.content
    assert study.batches.count() == 1
    call_command("batch", study.slug, "1", "undecided", "--items", "3", "--votes", "2", "--yes")
    made = study.batches.order_by("number").last()
    assert made.tasks.count() == 2


def test_writing_studies_are_not_offered_it() -> None:
    batch = writing_study().batches.first()
    batching.close_batch(batch=batch, now=NOW)
    batch.refresh_from_db()
    assert "undecided" not in {act.key for act in batch_acts.acts_for(batch)}
