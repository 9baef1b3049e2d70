"""A new wording is graded on a sample before it is saved, and the page says who gains or loses."""

import re

import pandas as pd
import pytest
from django.contrib.auth.models import User
from django.urls import reverse

from analysis.inputs.bank_cells import MODELS, topic_cells
from analysis.inputs.wording_tries import wording_try
from annotation.models import Batch, Membership, Study
from judging.banks import deciding
from judging.banks.appending import Change
from judging.banks.entries_at import entries_at
from judging.models import MachineJudge
from tests.analysis.pages.banks import cast as answers
from tests.analysis.pages.banks.cast import rank
from tests.cast import NOW
from tests.config.askers import client_of
from tests.hooks import elements
from tests.judging.banks.cast import bank_of, entry
from tests.judging.machines.cast import machine, run

pytestmark = pytest.mark.django_db(transaction=True)
OLD, NEW = "Built by Eiffel", "Gustave Eiffel built it"


@pytest.fixture
def bank():
    bank = bank_of([OLD], state="confirmed")
    rank(bank, {"x": {"t1": ["p1", "p2"]}, "y": {"t1": ["p2", "p3"]}})
    return bank


def page_of(bank, text=OLD):
    return reverse("corpus_bank_impact", args=[bank.corpus.slug, bank.pk, entry(bank, text).pk])


def try_it(client, bank, *, texts, text=NEW):
    return client.post(page_of(bank), {"text": text, "texts": texts})


def owner(bank, role="owner"):
    user = User.objects.create_user(role, password="a long password")
    Membership.objects.create(team=bank.corpus.team, user=user, role=role)
    return client_of(user, raise_request_exception=False)


def test_both_wordings_are_graded_on_the_sample_and_nothing_else(bank, endpoint):
    client = owner(bank)
    answer = try_it(client, bank, texts=2)
    study = Study.objects.get()
    assert answer["Location"] == reverse("machine_new", args=[study.slug, 1])
    assert study.items.count() == 4
    assert not Batch.objects.running().exists()  # the board stays final
    judge = run(machine(study, endpoint.url, model="good"))
    assert judge.state == MachineJudge.State.DONE
    assert len(endpoint.ledger.charges) == 4
    page = client.get(page_of(bank)).content.decode()
    (one,) = elements(page, "data-try")
    assert one.attributes["data-try"] == study.slug
    assert elements(page, "data-graded")[0].attributes["data-graded"] == "2"
    assert {row.attributes["data-change"] for row in elements(page, "data-change")} <= {
        "All texts",
        "x",
        "y",
    }
    found = wording_try(study, entry(bank, OLD).key, entry(bank, OLD).topic_id)
    assert {name: len(texts) for name, texts in found.texts.items()} == {"x": 2, "y": 2}


def model_grades(bank):
    topics = list(bank.corpus.topics.values_list("pk", flat=True))
    return pd.concat(cells.grades for cells in topic_cells(bank, MODELS, topics).values())


def test_its_grades_count_once_the_wording_is_saved(bank, endpoint):
    try_it(owner(bank), bank, texts=3)
    run(machine(Study.objects.get(), endpoint.url))
    key = {row.text: row.key for row in entries_at(bank)}
    assert set(model_grades(bank)["entry"]) >= {key[OLD]}
    row = entry(bank, OLD)
    deciding.edit(bank=bank, entry=row.pk, shown=row.revision, text=NEW, by=None, now=NOW)
    bank.refresh_from_db()
    grades = model_grades(bank)
    assert len(grades[grades["entry"] == entry(bank, NEW).key]) == 3


def test_a_budget_stops_the_sample(bank, endpoint):
    try_it(owner(bank), bank, texts=3)
    terms = {"price_in": 1_000_000, "price_out": 1_000_000, "budget": 0.01}
    judge = run(machine(Study.objects.get(), endpoint.url, terms=terms))
    assert judge.state == MachineJudge.State.PAUSED
    assert endpoint.ledger.charges == []


def test_answers_are_graded_as_before(endpoint):
    bank = answers.bank_with({"t1": {OLD: "vital"}}, ["x", "y", "z"])
    answers.grade(answers.study_of(bank), lambda *_: 1.0)
    client = owner(bank)
    try_it(client, bank, texts=2)
    study = Study.objects.latest("pk")
    assert study.instruments.get().item_kind == "response_entries"
    run(machine(study, endpoint.url))
    assert len(endpoint.ledger.charges) == 2  # both wordings on one page
    rows = elements(client.get(page_of(bank)).content.decode(), "data-change")
    assert len(rows) == 1 + 2  # all texts, and the two systems of the sample


@pytest.mark.parametrize(
    ("typed", "status"), [((NEW, "0"), 422), ((OLD, "2"), 422), (("", "2"), 422)]
)
def test_a_useless_trial_is_refused(bank, typed, status):
    text, texts = typed
    answer = try_it(owner(bank), bank, text=text, texts=texts)
    assert answer.status_code == status
    assert re.search("data-refused", answer.content.decode())
    assert not Study.objects.exists()


def test_a_secret_entry_is_not_tried(bank):
    row = entry(bank, OLD)
    how = {"by": None, "now": NOW, "change": Change(secret=True)}
    deciding.decide(bank=bank, shown={row.pk: row.revision}, **how)
    assert try_it(owner(bank), bank, texts=2).status_code == 422
    assert not elements(
        owner(bank, "researcher").get(page_of(bank)).content.decode(), "data-try-form"
    )
    assert try_it(owner(bank, "viewer"), bank, texts=2).status_code == 403
    assert not Study.objects.exists()
