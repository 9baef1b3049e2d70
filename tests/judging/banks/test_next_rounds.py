"""The next round of a bank asks unknown cells only: of people as a batch, of a model as calls."""

import pytest

from annotation.models import Batch
from annotation.studies import batch_acts, batching
from annotation.studies.batching import NotReady
from judging.banks import deciding
from judging.banks.appending import Change
from judging.banks.next_rounds import asks_earlier_bank
from judging.calls.fake.troubles import Trouble, TroubleKind
from judging.machines.answers import Reader
from judging.machines.forecasts import forecast_of
from judging.machines.preparing import count_missing, items_of, prepare
from judging.models import Criterion, Judgment, MachineCall
from tests.annotation.fieldwork.work import invariants
from tests.cast import NOW, rita
from tests.judging.banks.cast import TEXTS, bank_of, entry
from tests.judging.banks.test_bank_studies import graded, study_of
from tests.judging.machines.cast import machine, run

pytestmark = pytest.mark.django_db
BY = {"by": None, "now": NOW}
PASSAGES = ("p1", "p2", "p3")
ACT = batch_acts.ACTS["unknown"]


@pytest.fixture
def bank():
    return bank_of(state="confirmed")


def second_of(bank, first, **how):
    """Return another study of the bank, of the same team."""
    study = study_of(bank, "second", **how)
    study.team = first.team
    study.save()
    return study


def grade_all(study, bank):
    for text in TEXTS:
        for passage in PASSAGES:
            graded(study, bank, text, passage, 1)


def reword(bank, old=TEXTS[0], new="Reworded"):
    row = entry(bank, old)
    deciding.edit(bank=bank, entry=row.pk, shown=row.revision, text=new, **BY)


def closed(study):
    """Return the first batch, opened and closed without a submission."""
    batch = batching.open_batch(batch=study.batches.get(), now=NOW)
    return batching.close_batch(batch=batch, now=NOW)


def cells(batch):
    """Return the cells that a batch asks: text of the entry, key of the passage."""
    asked = set()
    for task in batch.tasks.all():
        for page in task.task_items.all():
            slots = {slot.name: slot for slot in page.item.slots.all()}
            asked.add((slots["criterion"].criterion.definition, slots["passage"].passage.key))
    return asked


def next_round(batch):
    return batch_acts.perform(act=ACT, batch=batch, user=None, now=NOW)


def test_an_edit_asks_its_own_cells_of_people_and_of_a_model(bank, endpoint):
    study = study_of(bank)
    batch = closed(study)
    grade_all(study, bank)
    judge = run(machine(study, endpoint.url))
    assert len(endpoint.ledger.charges) == 9
    assert not asks_earlier_bank(study)
    reword(bank)
    assert asks_earlier_bank(study)
    foreseen = batch_acts.preview(act=ACT, batch=batch, now=NOW)
    assert (foreseen.cells, foreseen.after.tasks, foreseen.after.places) == (3, 1, 3)
    assert study.batches.count() == 1
    made = next_round(batch)
    assert cells(made) == {("Reworded", passage) for passage in PASSAGES}
    assert (made.state, made.tasks.get().quota) == ("draft", 3)
    assert study.instruments.get().bank_revision == 5
    assert not asks_earlier_bank(study)
    judge.study.refresh_from_db()
    forecast = forecast_of(judge)
    assert (forecast.items, forecast.calls) == (3, 3)
    run(judge)
    assert len(endpoint.ledger.charges) == 12
    assert run(judge).calls.filter(state="answered").count() == 12
    invariants.check(study)


def test_cells_that_wait_in_a_task_are_not_asked_again(bank):
    study = study_of(bank)
    batch = batching.open_batch(batch=study.batches.get(), now=NOW)
    with pytest.raises(NotReady) as refused:
        next_round(batch)
    assert refused.value.code == "nothing_unknown"
    reword(bank)
    assert len(cells(next_round(batch))) == 3
    with pytest.raises(NotReady):
        next_round(batch)


def test_cells_of_a_closed_batch_that_no_person_graded_are_asked(bank):
    study = study_of(bank)
    batch = closed(study)
    graded(study, bank, TEXTS[0], "p1", 1)
    assert len(cells(next_round(batch))) == 8


def test_a_study_without_a_bank_has_no_next_round(bank):
    study = study_of(bank)
    study.instruments.update(bank=None, bank_revision=None)
    with pytest.raises(NotReady) as refused:
        batch_acts.preview(act=ACT, batch=study.batches.get(), now=NOW)
    assert refused.value.code == "nothing_unknown"


def test_a_retired_entry_is_asked_of_nobody(bank):
    study = study_of(bank)
    batch = closed(study)
    row = entry(bank, TEXTS[2])
    deciding.decide(bank=bank, shown={row.pk: row.revision}, change=Change(state="retired"), **BY)
    assert {text for text, _ in cells(next_round(batch))} == set(TEXTS[:2])
    retired = Criterion.objects.get(instrument__study=study, key=row.key)
    judge = machine(study)
    assert (count_missing(judge), items_of(judge).filter(slots__criterion=retired).count()) == (
        6,
        0,
    )


def test_a_model_is_asked_only_cells_that_it_graded_in_no_study(bank, endpoint):
    first = study_of(bank)
    graded(first, bank, TEXTS[0], "p1", 1)  # of a person: no item of the next study
    run(machine(first, endpoint.url, name="Judge"), items=4)
    assert len(endpoint.ledger.charges) == 4
    known = set(MachineCall.objects.values_list("item__key", flat=True))
    second = second_of(bank, first, cells="unknown")
    judge = machine(second, endpoint.url, name="Judge")
    unknown = set(second.items.values_list("key", flat=True)) - known
    assert count_missing(judge) == len(unknown)
    assert forecast_of(judge).items == len(unknown)
    assert set(run(judge).calls.values_list("item__key", flat=True)) == unknown
    assert len(endpoint.ledger.charges) == 4 + len(unknown)


def test_a_further_study_of_all_cells_copies_the_answers_of_a_model(bank, endpoint):
    first = study_of(bank)
    run(machine(first, endpoint.url))
    reword(bank)
    judge = run(machine(second_of(bank, first), endpoint.url))
    assert len(endpoint.ledger.charges) == 12
    assert judge.calls.filter(state="answered", copied=True).count() == 6


def test_replies_outside_the_scale_are_kept_and_are_no_grades(bank, endpoint):
    endpoint.troubles.waiting.append(Trouble(TroubleKind.PROSE, times=2))
    judge = run(machine(study_of(bank), endpoint.url, structured=False))
    failed = judge.calls.filter(state="failed")
    assert list(failed.values_list("error", flat=True)) == ["unparsed"] * 2
    assert all(failed.values_list("raw", flat=True))
    assert Judgment.objects.filter(rater=judge.rater).count() == 7


@pytest.mark.parametrize("grade", ["6", "-1", "4.5", "unanswerable", "5 of 5", ""])
def test_a_grade_outside_the_scale_is_no_answer(bank, grade):
    study = study_of(bank)
    judge = machine(study, structured=False)
    prepare(judge=judge)
    call = judge.calls.select_related("item").first()
    reader = Reader(judge)
    reader.look_up([call])
    outcome = reader.read(call, f'{{"addressed": "{grade}"}}')
    assert (outcome.parsed, outcome.error) == (None, "unparsed")


def test_the_page_offers_the_round_once_the_bank_changed(bank, client):
    client.force_login(rita())
    study = study_of(bank)
    study.launched_at = NOW
    study.save()
    batch = closed(study)
    at = f"{study.get_absolute_url()}recruit/"
    offer = f"{at}{batch.number}/unknown/"
    assert offer not in client.get(at).text
    reword(bank)
    assert offer in client.get(at).text
    assert "data-says" in client.get(offer).text
    assert Batch.objects.count() == 1
