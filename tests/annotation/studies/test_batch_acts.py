"""What can be done with a batch says what it does, does just that, once, and is noted."""

import re
from decimal import Decimal

import pytest
from django.test import Client

from annotation.fieldwork.work.refusals import CapReached
from annotation.models import Batch, Place, Study
from annotation.studies import batch_acts, extending
from annotation.studies.act_effects import terms_of
from annotation.studies.batch_acts import ACTS
from annotation.studies.batching import BatchChanged, NotReady, launch, stamp_of
from judging.design import designing
from judging.design.plans import plans_of
from judging.models import TaskItem
from tests.annotation.fieldwork.work import invariants
from tests.cast import (
    NOW,
    begun,
    bob,
    charlie,
    design_batch,
    draft_study,
    rita,
    small_corpus,
    small_study,
    submitted,
    writing_study,
)
from tests.coded_errors import raises
from tests.hooks import element, elements, numbers
from tests.refusals import refused_setting

pytestmark = pytest.mark.django_db


@pytest.fixture
def study() -> Study:
    """Prolific: a pilot of one questionnaire that is open, two that wait; 2 workers each."""
    drafted = draft_study(
        responses=3, pay=Decimal("2.40"), minutes=10, recruitment="prolific", currency="GBP"
    )
    _, rest = extending.split_pilot(batch=design_batch(drafted, items=1, quota=2), tasks=1)
    return launch(study=drafted, now=NOW, waiting=[rest])


def waiting(study: Study) -> Batch:
    return study.batches.get(state="draft")


def said(act: str, batch: Batch, **figures: object) -> str:
    effect = batch_acts.preview(act=ACTS[act], batch=batch, now=NOW, said=figures)
    return " ".join(ACTS[act].says(effect))


def do(act: str, batch: Batch, **figures: object) -> Batch:
    stamp = stamp_of(batch)
    return batch_acts.perform(
        act=ACTS[act], batch=batch, user=None, now=NOW, stamp=stamp, said=figures
    )


def said_of(offer):
    """Return the text about a batch, which may not exist yet."""
    return (offer.batch.name, offer.tasks, offer.places, offer.free, offer.cost, offer.minutes)


def test_opening_says_what_it_costs_with_the_fees_of_prolific(study):
    """4 places at 2.40 are 9.60; Prolific takes a third of that from universities."""
    words = said("open", waiting(study))
    assert {4, 2, 12.8, 3.2, 0.7} <= set(numbers(words))  # places, tasks, GBP, fees, hours
    assert waiting(study).state == "draft"


def test_extending_says_what_comes_and_that_comes(study):
    batch = study.batches.get(name="pilot")
    words = said("extend", batch, votes=3)
    assert numbers(words)[:4] == [3, 1, 5, 5]  # more places, tasks, workers for each, in all
    assert {9.6, 2.4} <= set(numbers(words))  # GBP and fees
    assert Place.objects.filter(task__batch=batch).count() == 2
    do("extend", batch, votes=3)
    assert Place.objects.filter(task__batch=batch).count() == 5
    assert study.team.audit_entries.get().what == "pilot: votes 3"


def test_pausing_says_that_places_wait_only_where_there_are_some(study):
    batch = study.batches.get(name="pilot")
    assert 2 in numbers(said("pause", batch))  # free places that wait
    for person in (bob(), charlie()):
        begun(study, person)
    assert numbers(said("pause", batch)) == [2]  # people at work


def test_closing_says_what_becomes_of_those_at_work(study):
    batch = study.batches.get(name="pilot")
    begun(study, bob())
    words = said("close", batch)
    assert numbers(words)[:3] == [1, 3.2, 1]  # empty places, GBP unspent, people at work
    assert Batch.objects.get(pk=batch.pk).state == "open"


def test_an_act_is_done_once_however_often_it_is_asked_for(study):
    batch = study.batches.get(name="pilot")
    seen, how = stamp_of(batch), {"votes": 1}
    for _ in range(2):
        try:
            batch_acts.perform(
                act=ACTS["extend"], batch=batch, user=None, now=NOW, stamp=seen, said=how
            )
        except BatchChanged:
            refused = True
    assert refused
    assert Place.objects.filter(task__batch=batch).count() == 3
    assert study.team.audit_entries.count() == 1


def test_more_votes_on_a_closed_batch_are_a_further_one_of_the_same_questionnaires():
    study = small_study(responses=3, items=3)
    submitted(study, bob())
    closed = study.batches.get()
    foreseen = batch_acts.preview(act=ACTS["repeat"], batch=closed, now=NOW, said={"votes": 2})
    assert study.batches.count() == 1  # nothing is made to say it
    made = do("repeat", closed, votes=2)
    assert said_of(foreseen.after) == said_of(terms_of(made))
    assert (made.name, made.state, made.design) == ("main again", "draft", closed.design)
    of = TaskItem.objects.order_by("position")
    first, second = (of.filter(task__batch=each) for each in (closed, made))
    assert list(first.values_list("item", flat=True)) == list(second.values_list("item", flat=True))
    do("open", made)
    assert begun(study, charlie()).task.batch == made
    with pytest.raises(CapReached):
        begun(study, bob())
    invariants.check(study)


def test_topics_that_a_study_lacks_come_in_a_further_batch():
    study = draft_study(corpus=small_corpus(topics=4, responses=3))
    plans = plans_of(study=study, seed=1, topics=2, quota=2)
    designing.write_plans(study=study, plans=plans)
    launch(study=study, now=NOW)
    first = study.batches.get()
    known = set(study.items.values_list("topic", flat=True))
    foreseen = batch_acts.preview(act=ACTS["topics"], batch=first, now=NOW, said={"topics": 2})
    assert study.batches.count() == 1  # nothing is made to say it
    made = do("topics", first, topics=2)
    assert said_of(foreseen.after) == said_of(terms_of(made))
    items = TaskItem.objects.filter(task__batch=made)
    topics = set(items.values_list("item__topic", flat=True))
    assert len(topics) == 2
    assert not topics & known
    assert made.design["topics"] == 2
    assert made.tasks.first().quota == first.tasks.first().quota
    with raises(NotReady, "cannot_add_topics"):
        do("topics", first, topics=2)
    with raises(NotReady, "cannot_add_topics"):
        batch_acts.preview(act=ACTS["topics"], batch=first, now=NOW, said={"topics": 2})


def test_a_writing_study_gets_further_topics_and_texts():
    study = writing_study(topics=3)
    batch = study.batches.get()
    with refused_setting("topics"):
        do("topics", batch, topics=1)
    topic = study.corpus.topics.create(key="t9", query="what is lamp 9?")
    topic.passages.create(key="t9p1", rank=1, title="Page", text="Lamp 9 shines.")
    foreseen = batch_acts.preview(act=ACTS["topics"], batch=batch, now=NOW, said={"topics": 1})
    assert said_of(foreseen.after) == said_of(terms_of(do("topics", batch, topics=1)))
    do("close", batch)
    closed = study.batches.get(pk=batch.pk)
    foreseen = batch_acts.preview(act=ACTS["repeat"], batch=closed, now=NOW, said={"votes": 2})
    made = do("repeat", closed, votes=2)
    assert said_of(foreseen.after) == said_of(terms_of(made))
    assert made.tasks.count() == batch.tasks.count()
    assert set(made.tasks.values_list("quota", flat=True)) == {2}


@pytest.mark.parametrize(
    "sent", [{"votes": "many"}, {"votes": "0"}, {"votes": ""}, {}, {"votes": "1001"}]
)
def test_figures_that_are_none_are_refused_at_their_field(sent):
    with refused_setting("votes"):
        batch_acts.parsed_arguments(ACTS["extend"], sent)


def test_the_pages_say_it_first_and_do_it_as_it_was_looked_at(study):
    client, batch = Client(), study.batches.get(name="pilot")
    client.force_login(rita())
    at = f"/studies/lamps/1/recruit/{batch.number}/extend/"
    assert elements(client.get(at, {"votes": "4"}).text, "data-says")[0].numbers[0] == 4
    fragment = client.get(at, {"votes": "2"}, headers={"HX-Request": "true"}).text
    assert elements(fragment, "data-says")[0].numbers[0] == 2
    assert "<html" not in fragment
    assert client.post(at, {"votes": "none", "stamp": stamp_of(batch)}).status_code == 422
    seen = stamp_of(batch)
    assert client.post(at, {"votes": "2", "stamp": seen}).status_code == 302
    again = client.post(at, {"votes": "2", "stamp": seen})
    assert again.status_code == 409
    assert "data-refused" in again.text
    assert terms_of(batch).places == 4
    paused = client.post(f"/studies/lamps/1/recruit/{batch.number}/pause/", {"stamp": ""})
    assert paused.status_code == 302
    assert Batch.objects.get(pk=batch.pk).state == "paused"


def test_recruit_renews_what_is_counted_and_the_whole_list_where_a_state_has_changed(study):
    client, batch = Client(), study.batches.get(name="pilot")
    client.force_login(rita())
    page = client.get("/studies/lamps/1/recruit/").text
    asked = re.search(r'hx-get="([^"]+)"', page)[1]
    assert {f'id="{name}-{batch.number}' for name in ("head", "figures", "says")} <= set(
        re.findall(r'id="(?:head|figures|says)-\d+', page)
    )
    begun(study, bob())
    same = client.get(asked, headers={"HX-Request": "true"})
    assert "<html" not in same.text
    assert "HX-Reswap" not in same.headers  # the buttons stay where they are
    says = f"says-{batch.number}-pause"
    assert 1 in element(same.text, "id", says).numbers  # at work
    assert element(same.text, "id", says).text != element(page, "id", says).text
    do("pause", batch)
    other = client.get(asked, headers={"HX-Request": "true"})
    assert other.headers["HX-Reswap"] == "outerHTML"
    assert "Continue" in other.text
    Batch.objects.update(state="closed", opened_at=NOW, closed_at=NOW)
    assert "hx-get" not in client.get("/studies/lamps/1/recruit/").text


def test_a_close_wants_the_name_of_the_batch(study):
    client, batch = Client(), study.batches.get(name="pilot")
    client.force_login(rita())
    at = f"/studies/lamps/1/recruit/{batch.number}/close/"
    seen = client.get(at).context["stamp"]
    assert 'id="typed-error"' in client.post(at, {"name": "main", "stamp": seen}).text
    assert client.post(at, {"name": " Pilot", "stamp": seen}).status_code == 422
    assert client.post(at, {"name": " pilot ", "stamp": seen}).status_code == 302
    assert Batch.objects.get(pk=batch.pk).state == "closed"


def test_recruit_needs_as_many_queries_for_many_batches(study, django_assert_max_num_queries):
    client = Client()
    client.force_login(rita())
    for _ in range(3):
        design_batch(study, items=1)
    with django_assert_max_num_queries(10):
        page = client.get("/studies/lamps/1/recruit/").text
    assert page.count('class="wave"') == 5


def test_a_closed_batch_says_no_longer_what_it_would_cost_if_all_were_taken():
    study, client = small_study(quota=3), Client()
    client.force_login(rita())
    recruit = f"{study.get_absolute_url()}recruit/"
    assert "data-if-all" in client.get(recruit).text
    do("close", study.batches.get())
    page = client.get(recruit).text
    assert "data-if-all" not in page
    assert "data-no-recruiting" in page


def test_a_study_whose_batches_are_closed_recruits_nobody():
    study = small_study(quota=3)
    client = Client()
    client.force_login(rita())
    pages = [study.get_absolute_url(), f"{study.get_absolute_url()}recruit/"]
    assert study.worker_link in client.get(pages[1]).text
    do("close", study.batches.get())
    texts = [client.get(page).text for page in pages]
    assert "data-no-recruiting" in texts[1]
    for text in texts:
        assert study.worker_link not in text
        assert ">3</td>" not in text  # no free places
