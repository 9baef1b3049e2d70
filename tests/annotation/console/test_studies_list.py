"""The list of studies and drafts: what waits, filters, search, order; the overview of one."""

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from analysis.stats.verdicts import raters_verdict
from annotation.models import Batch, Corpus, Draft, Role
from annotation.studies.drafts import making
from tests.annotation.people.access.people import join, somebody
from tests.annotation.studies.drafts.drafted import drafted, judging_document
from tests.cast import NOW, begun, bob, charlie, handed_in, rita, small_study
from tests.config.askers import client_of
from tests.hooks import element, elements

pytestmark = pytest.mark.django_db


def titles(page):
    return [str(row.thing) for row in page.context["rows"]]


def queries(client, address):
    with CaptureQueriesContext(
        connection,
    ) as asked:
        assert client.get(address).status_code == 200
    return len(asked)


def test_drafts_and_studies_stand_in_one_list_with_what_waits():
    drafted(judging_document())
    study = small_study(quota=2, corpus=Corpus.objects.get())
    client = client_of(rita())
    page = client.get("/")
    assert set(titles(page)) == {"Lamps compared", "Lamps"}
    assert f'href="{reverse("draft_launch", args=[Draft.objects.get().pk])}"' in page.text
    Batch.objects.filter(study=study).update(state="paused")
    notice = element(client.get("/?show=running").text, "data-wait", "batch_paused")
    assert "main" in notice.text
    assert titles(client.get("/?show=drafts")) == ["Lamps compared"]
    assert titles(client.get("/?show=finished")) == []
    assert titles(client.get("/?q=COMPARED")) == ["Lamps compared"]
    assert titles(client.get("/?sort=title")) == ["Lamps", "Lamps compared"]


def test_what_waits_for_the_reader_comes_first():
    study, viewer = small_study(slug="a"), somebody()
    others = small_study(slug="b", corpus=study.corpus)
    quiet = small_study(slug="c", corpus=study.corpus)
    Batch.objects.filter(study__in=[study, others]).update(state="paused")
    Batch.objects.filter(study=quiet).update(state="closed", closed_at=NOW)
    join(viewer, study, Role.OWNER)
    join(viewer, others, Role.VIEWER)
    join(viewer, quiet, Role.OWNER)
    client = client_of(viewer)
    listed = client.get("/").context["rows"]
    assert [row.thing.slug for row in listed] == ["a", "b", "c"]
    page = client.get("/").text
    assert f'<a href="{quiet.get_absolute_url()}results/">' in page
    listed = client.get("/?sort=since").context["rows"]
    assert [row.thing.slug for row in listed] == ["c", "b", "a"]


def test_a_draft_says_how_much_is_to_mend():
    making.make_draft(document=judging_document(slug=""), user=None, now=NOW)
    assert element(client_of(rita()).get("/").text, "data-wait", "draft_faults").numbers == [1]


def test_the_overview_has_the_word_of_results_for_few_participants():
    study = small_study(quota=2)
    client = client_of(rita())
    assert elements(client.get(study.get_absolute_url()).text, "data-participants") == []
    handed_in(begun(study, bob()))
    page = client.get(study.get_absolute_url()).text
    assert element(page, "data-participants").numbers == [1]
    assert elements(page, "data-verdict", raters_verdict(1).replace(" ", "-"))


def test_what_waits_for_others_is_said_and_is_no_link():
    study, viewer = small_study(batch={"closes_when_full": False}), somebody()
    join(viewer, study, Role.VIEWER)
    handed_in(begun(study, bob()))
    page = client_of(viewer).get("/").text
    notice = element(page, "data-wait", "batch_full")
    assert notice.tag == "span"
    assert "researchers" in notice.text
    overview = client_of(viewer).get(study.get_absolute_url()).text
    assert "researchers" in element(overview, "data-open-task", "batch_full").text
    assert not elements(overview, "data-takes-step")


def test_the_list_asks_as_much_for_many_studies_as_for_one():
    document, client = judging_document(), client_of(rita())
    corpus = Corpus.objects.get()
    small_study(slug="a", corpus=corpus)
    drafted(document)
    few = queries(client, "/")
    for name in ("b", "c", "d"):
        small_study(slug=name, corpus=corpus)
        drafted(document)
    assert queries(client, "/") == few <= 20


def test_the_overview_asks_as_much_for_many_submissions_as_for_one():
    study = small_study(quota=3)
    client = client_of(rita())
    handed_in(begun(study, bob()))
    few = queries(client, study.get_absolute_url())
    handed_in(begun(study, charlie()))
    assert queries(client, study.get_absolute_url()) == few <= 30


def test_somebody_new_is_led_to_the_first_step():
    page = client_of(somebody()).get("/").text
    assert "data-first-steps" in page
    assert f'action="{reverse("example_corpus")}"' in page


def test_only_owners_see_the_addresses_of_their_people():
    study, owner, viewer = small_study(), somebody("olga"), somebody("vera")
    join(owner, study, Role.OWNER)
    join(viewer, study, Role.VIEWER)
    User.objects.filter(username="olga").update(email="olga@example.org")
    User.objects.filter(username="vera").update(email="vera@example.org")
    seen = client_of(viewer).get("/people/").text
    assert "vera@example.org" in seen
    assert "olga@example.org" not in seen
    assert "olga" not in client_of(viewer).get("/people/?q=olga@example").context["rows"].__str__()
    assert "vera@example.org" in client_of(owner).get("/people/").text
