"""Reasons beside documents whose rater withdraws, or whose label is taken out, at any moment."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection, transaction

from annotation.fieldwork.work import assigning
from annotation.models import Study
from judging.labels.removing import remove_labels
from judging.machines import preparing
from judging.models import DocumentReason, Item, Judgment, MachineCall, Rater
from tests.cast import NOW, alice
from tests.judging.design.test_document_scores import document, launched, prepared, scored
from tests.judging.machines.cast import machine

pytestmark = pytest.mark.storage


def labelled() -> tuple[Study, Rater]:
    """Return a study beside whose documents stand the reasons of a model."""
    corpus = scored()
    relevant = Study.objects.get(slug="relevant")
    rater = Rater.objects.create(kind="model", name="gpt", pseudonym="gpt", model="gpt")
    for item in Item.objects.filter(study=relevant):
        Judgment.objects.create(
            rater=rater, item=item, question=relevant.questions.get(), raw="2", value="2", score=2,
            shown="", comment="It says so.", first_at=NOW, answered_at=NOW,
        )  # fmt: skip
    made = document(corpus, documents_scored_by="gpt", documents_annotations="shown")
    return launched(made), rater


@pytest.mark.django_db
def test_labels_that_are_taken_out_leave_what_models_were_told_too() -> None:
    study, rater = labelled()
    judge = prepared(study, "{texts}")
    calls = MachineCall.objects.filter(judge=judge)
    calls.filter(item__topic__key="t1").update(state="answered", parsed={}, raw="It says so: good.")
    assert "It says so." in str(list(calls.values_list("request", flat=True)))
    remove_labels(study=Study.objects.get(slug="relevant"), rater=rater, expected=9)
    assert "It says so" not in str(list(calls.values_list("request", "raw", "said")))
    assert {call.state for call in calls} == {"answered"}  # and counted; what was not sent is gone
    assert preparing.prepare(judge=judge) == 4
    assert "It says so" not in str(list(calls.values_list("request", flat=True)))


def in_the_meantime(act: Callable[[], Any], other: Callable[[], Any]) -> None:
    """`other` begins once `act` is done and not yet committed; neither fails."""
    done = threading.Event()

    def first() -> None:
        try:
            with transaction.atomic():
                act()
                done.set()
                waiting.wait(0.5)
        finally:
            done.set()
            connection.close()

    def second() -> None:
        done.wait()
        try:
            other()
        finally:
            waiting.set()
            connection.close()

    waiting = threading.Event()
    with ThreadPoolExecutor(2) as pool:
        for each in [pool.submit(first), pool.submit(second)]:
            each.result()


@pytest.mark.django_db(transaction=True)
def test_who_withdraws_during_a_launch_is_not_quoted_by_it() -> None:
    made = document(scored(), documents_annotations="shown")
    work = alice().assignments.get()
    in_the_meantime(lambda: launched(made), lambda: assigning.withdraw(assignment=work, now=NOW))
    texts = set(DocumentReason.objects.values_list("text", flat=True))
    assert texts
    assert all(text.startswith("bob") for text in texts)


@pytest.mark.django_db(transaction=True)
def test_who_withdraws_while_calls_are_made_is_quoted_by_none() -> None:
    study = launched(document(scored(), documents_annotations="shown"))
    judge = machine(study)
    work = alice().assignments.get()
    in_the_meantime(
        lambda: preparing.prepare(judge=judge),
        lambda: assigning.withdraw(assignment=work, now=NOW),
    )
    assert "alice on" not in str(list(MachineCall.objects.values_list("request", flat=True)))
    assert preparing.prepare(judge=judge) == 4
    text = str(list(MachineCall.objects.values_list("request", flat=True)))
    assert "bob on" in text
    assert "alice on" not in text
