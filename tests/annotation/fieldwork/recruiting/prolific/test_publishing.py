"""A study at Prolific: what is sent, when, and what the researcher sees of it."""

import html
from decimal import Decimal

import pytest
from django.urls import reverse
from django.utils import timezone, translation

from annotation import tasks
from annotation.console import prolific_views
from annotation.fieldwork.platforms import calls
from annotation.fieldwork.recruiting.prolific import (
    audiences,
    offers,
    publishing,
    reconciling,
    stalled_recruitment,
)
from annotation.models import AuditEntry, Batch, PlatformStudy, PlatformSubmission
from annotation.studies import batch_acts, batching, extending
from annotation.texts.sentences import Sentence
from annotation.texts.translation import translated_error
from tests.annotation.fieldwork.recruiting.prolific.fakes import Fake
from tests.annotation.fieldwork.recruiting.test_reconciling import come
from tests.cast import NOW, answer_all, rita, small_study
from tests.hooks import element, elements, numbers, outlined, values
from tests.refusals import refused

pytestmark = pytest.mark.django_db
AT = ("lamps", 1)


@pytest.fixture
def fake(monkeypatch, settings):
    settings.PROLIFIC_TOKEN, settings.RECRUITING_DRY_RUN = "trial", False
    there = Fake()
    for module in (publishing, reconciling, prolific_views):
        monkeypatch.setattr(module, "client_for_settings", lambda: there.client)
    return there


@pytest.fixture
def study():
    return small_study(recruitment="prolific", pay=Decimal("3.25"), quota=2)


@pytest.fixture
def console(client):
    client.force_login(rita())
    return client


def look(console, **query):
    response = console.get(reverse("at_prolific", args=AT), query)
    return html.unescape(response.content.decode())


def act(console, name, **form):
    address = reverse("act_at_prolific", args=[*AT, name])
    response = console.post(address, form, follow=True)
    return response.status_code, html.unescape(response.content.decode())


def drafted(study, **wishes):
    audience = audiences.Audience(**wishes)
    client = publishing.client_for_settings()
    payload = publishing.payload_for(study=study, audience=audience, client=client)
    stamp = offers.stamp_of(payload)
    return publishing.make_draft(study=study, audience=audience, stamp=stamp, now=timezone.now())


def test_a_draft_has_the_link_the_reward_the_places_and_a_code_for_each_outcome(fake, study):
    at = drafted(study)
    theirs = fake.world.studies[at.external_id]
    assert (theirs.status, at.state, at.places) == ("UNPUBLISHED", "UNPUBLISHED", 2)
    assert (theirs.reward, theirs.places) == (325, 2)
    assert theirs.fields["external_study_url"] == study.worker_link
    assert theirs.fields["is_external_study_url_secure"] is False
    codes = {code["code_type"]: code for code in theirs.fields["completion_codes"]}
    assert codes["COMPLETED"]["code"] == study.completion_code
    assert codes["COMPLETED"]["actions"] == [{"action": "MANUALLY_REVIEW"}]
    assert codes["NO_CONSENT"]["code"] == study.no_consent_code
    assert set(codes) == {"COMPLETED", "NO_CONSENT", "SCREENED_OUT", "FAILED_ATTENTION_CHECK"}


def test_a_participant_who_is_paid_without_counting_uses_no_place_up(fake, study):
    """Prolific frees places on a return, a time-out and a rejection; screen-outs have slots."""
    at = drafted(study)
    publishing.publish(at=at)
    at.refresh_from_db()
    assert publishing.add_places(at=at) == 0
    told = {"platform_study": at, "asked_at": NOW, "changed_at": NOW}
    for number, status in enumerate(("SCREENED OUT", "APPROVED", "RETURNED", "ACTIVE")):
        PlatformSubmission.objects.create(session_hash=str(number), status=status, **told)
    assert publishing.add_places(at=at) == 1
    at.refresh_from_db()
    assert (at.places, fake.world.studies[at.external_id].places) == (3, 3)
    work = come()
    PlatformSubmission.objects.filter(status="APPROVED").update(assignment=work)
    assert offers.places_for(at) == 2
    # Handed in here and returned there, where the place is free: nobody is to come for it.
    PlatformSubmission.objects.filter(assignment=work).update(status="RETURNED")
    assert offers.places_for(at) == 1


def test_a_screening_with_a_reward_has_a_code_that_pays_it():
    study = small_study(recruitment="prolific", screening={"reward": "0.20"})
    offer = offers.ProlificOffer(study, pay=Decimal(3), minutes=9, places=1)
    codes = offers.payload_of(offer)["completion_codes"]
    (screened,) = [code for code in codes if code["code_type"] == "FIXED_SCREENOUT"]
    assert screened["actions"] == [
        {"action": "FIXED_SCREEN_OUT_PAYMENT", "fixed_screen_out_reward": 20, "slots": 10}
    ]
    assert "SCREENED_OUT" not in [code["code_type"] for code in codes]


def test_the_people_of_the_paper_are_chosen_by_the_ids_that_prolific_has_for_them(fake, study):
    """First language English, in an English-speaking country, over 99 % of at least 500."""
    at = drafted(study, people=audiences.CROWDRAG25)
    filters = {
        platform_filter["filter_id"]: platform_filter
        for platform_filter in fake.world.studies[at.external_id].fields["filters"]
    }
    assert filters["first-language"]["selected_values"] == ["1"]
    assert filters["current-country-of-residence"]["selected_values"] == [
        "4",
        "5",
        "2",
        "6",
        "0",
        "1",
    ]
    assert filters["approval_rate"]["selected_range"] == {"lower": 99, "upper": 100}
    assert filters["approval_numbers"]["selected_range"]["lower"] == 500


def test_a_filter_that_prolific_has_no_more_is_said(fake, study, monkeypatch):
    monkeypatch.setattr(fake.client, "filters", lambda: {"results": []})
    with refused("NoSuchFilter"):
        drafted(study, people=audiences.CROWDRAG25)


def test_a_researcher_edits_title_and_description_and_sees_them_before(fake, study, console):
    typed = {"people": "everybody", "title": "Compare texts", "text": "Read **both**."}
    status, shown = act(console, "look", **typed)
    assert status == 200
    assert "<p>Read <b>both</b>.</p>" in shown
    stamp = shown.split('name="stamp" value="')[1].split('"')[0]
    changed = typed | {"text": "Read *neither*.", "stamp": stamp}
    status, shown = act(console, "draft", **changed)
    assert (status, "Read *neither*." in shown) == (409, True)  # kept, and to be looked at
    assert not fake.world.studies
    assert act(console, "draft", **typed, stamp=stamp)[0] == 200
    (made,) = fake.world.studies.values()
    assert made.fields["name"] == "Compare texts"
    assert made.fields["description"] == "<p>Read <b>both</b>.</p>"


def test_a_description_that_prolific_would_refuse_is_kept_and_said(fake, study, console):
    for name in ("look", "draft"):
        _, shown = act(console, name, people="everybody", title="T", text="x" * 3001, stamp="")
        assert 3000 in elements(shown, "data-refused")[0].numbers
        assert "x" * 3001 in shown
    assert not fake.world.studies


def test_nothing_is_sent_that_nobody_looked_at(fake, study, console):
    status, shown = act(console, "draft", people="everybody", stamp="another")
    assert (status, len(elements(shown, "data-refused"))) == (409, 1)
    assert not fake.world.studies


def test_in_a_dry_run_it_is_shown_and_not_sent(study, console, settings):
    assert settings.RECRUITING_DRY_RUN
    shown = look(console, people="crowdrag25")
    assert "data-dry-run" in shown
    assert study.completion_code in shown
    assert "United Kingdom" in shown  # the ids are asked for when it is sent
    stamp = shown.split('name="stamp" value="')[1].split('"')[0]
    status, shown = act(console, "draft", people="crowdrag25", stamp=stamp)
    assert (status, values(shown, "data-refused")) == (409, ["NotSent"])
    assert not PlatformStudy.objects.exists()


def test_a_researcher_makes_publishes_pauses_and_goes_on(fake, study, console):
    stamp = look(console).split('name="stamp" value="')[1].split('"')[0]
    status, shown = act(console, "draft", people="everybody", stamp=stamp)
    assert (status, values(shown, "data-message")) == (200, ["success"])
    at = PlatformStudy.objects.get()
    for name, state in (("publish", "ACTIVE"), ("pause", "PAUSED"), ("start", "ACTIVE")):
        assert act(console, name, at=at.pk)[0] == 200
        at.refresh_from_db()
        assert at.state == state == fake.world.studies[at.external_id].status
    assert act(console, "start", at=at.pk)[0] == 409  # it runs
    assert list(AuditEntry.objects.order_by("pk").values_list("act", flat=True))[-4:] == [
        "created a draft on Prolific",
        "published on Prolific",
        "paused on Prolific",
        "resumed on Prolific",
    ]


def test_one_study_at_prolific_is_for_the_same_places_once(fake, study):
    drafted(study)
    with refused("StudyExists"):
        drafted(study)


def test_an_answer_that_was_lost_is_told_as_unknown(fake, study, console):
    stamp = look(console).split('name="stamp" value="')[1].split('"')[0]
    fake.control("troubles/", kind="error after", where="studies", times=1)
    status, shown = act(console, "draft", people="everybody", stamp=stamp)
    assert (status, values(shown, "data-refused")) == (409, ["OutcomeUnknown"])
    (made,) = fake.world.studies
    assert act(console, "take-over", external_id=made)[0] == 200
    assert PlatformStudy.objects.get().external_id == made


def test_a_study_that_leads_elsewhere_is_not_taken_over(fake, study, console):
    other = fake.published()  # the same path at another host would be ours
    fake.world.studies[other].fields["external_study_url"] = "https://example.org/s/other/"
    page = act(console, "take-over", external_id=other)[1]
    assert element(page, "data-refused", "OtherAddress")
    assert 24 in numbers(act(console, "take-over", external_id="x")[1])
    assert act(console, "take-over", external_id="a" * 24)[0] == 409  # unknown there
    assert not PlatformStudy.objects.exists()


def test_places_follow_the_batches(fake, study):
    at = drafted(study)
    publishing.publish(at=at)
    extending.extend_batch(batch=study.batches.get(), votes=3)
    tasks.reconcile()
    at.refresh_from_db()
    assert (at.places, fake.world.studies[at.external_id].places) == (5, 5)
    tasks.reconcile()
    assert fake.world.studies[at.external_id].places == 5


def test_it_is_paused_when_no_batch_is_open_any_more(fake, study):
    at = drafted(study)
    publishing.publish(at=at)
    study.batches.update(state=Batch.State.PAUSED)
    tasks.reconcile()
    assert fake.world.studies[at.external_id].status == "PAUSED"


def batch_of(study, places, state, number=2):
    """Return a further batch at the same terms with so many places, in a state."""
    main = study.batches.get(number=1)
    times = {"opened_at": NOW} if state != "draft" else {}
    further = Batch.objects.create(
        study=study, number=number, name=f"wave {number}", design=main.design, state=state, **times
    )
    batching.add_places(tasks=[further.tasks.create(number=1, quota=places)])
    return further


def does(study, key, number=1):
    """Somebody acts on a batch, and the job that follows runs."""
    batch = study.batches.get(number=number)
    batch_acts.perform(act=batch_acts.ACTS[key], batch=batch, user=None, now=NOW)
    tasks.follow_batches(study.pk)


def there(fake):
    (study,) = fake.world.studies.values()
    return study.status


def test_only_places_of_open_batches_are_offered(fake, study):
    batch_of(study, 28, "paused")
    assert offers.current_offer(study).places == 2
    assert drafted(study).places == 2


def test_prolific_pauses_starts_and_stops_with_the_batch(fake, study):
    publishing.publish(at=drafted(study))
    for act_of_batch, state in (
        ("pause", "PAUSED"),
        ("resume", "ACTIVE"),
        ("close", "AWAITING REVIEW"),
    ):
        does(study, act_of_batch)
        assert there(fake) == state


def test_a_batch_that_goes_on_starts_what_was_paused_at_prolific_by_hand(fake, study):
    at = drafted(study)
    publishing.publish(at=at)
    does(study, "pause")
    fake.client.start(at.external_id)
    tasks.reconcile()
    assert there(fake) == "PAUSED"  # the rule holds
    does(study, "resume")
    publishing.pause(at=at)  # by hand
    tasks.reconcile()
    assert there(fake) == "PAUSED"  # nobody said that it goes on
    does(study, "pause")
    does(study, "resume")
    assert there(fake) == "ACTIVE"


def test_nobody_is_sent_here_while_no_place_is_free(fake, study):
    """Prolific has places of a batch that is paused since: they cannot be taken back there."""
    batch_of(study, 3, "open")
    at = drafted(study)
    publishing.publish(at=at)
    assert at.places == 5
    does(study, "pause", 2)
    assert there(fake) == "ACTIVE"  # two places are free here
    submissions = [fake.arrived(at.external_id) for _ in range(2)]
    tasks.reconcile()
    assert there(fake) == "PAUSED"  # both are on their way
    fake.control(f"submissions/{submissions[0]}/return/")
    tasks.reconcile()
    assert there(fake) == "ACTIVE"


def test_further_places_open_a_study_that_had_ended(fake, study):
    at = drafted(study)
    publishing.publish(at=at)
    publishing.stop(at=at)
    extending.extend_batch(batch=study.batches.get(), votes=1)
    tasks.follow_batches(study.pk)
    assert (there(fake), fake.world.studies[at.external_id].places) == ("ACTIVE", 3)


def test_a_screen_out_takes_no_place(fake, study):
    at = drafted(study)
    publishing.publish(at=at)
    fake.control(f"submissions/{fake.arrived(at.external_id)}/", status="SCREENED OUT")
    tasks.reconcile()
    at.refresh_from_db()
    assert offers.places_for(at) == at.places == 2
    assert fake.world.free(fake.world.study(at.external_id)) == 2


@pytest.mark.parametrize(
    "state", ["UNPUBLISHED", "PAUSED", "AWAITING REVIEW", "COMPLETED", "ACTIVE"]
)
def test_the_overview_says_where_prolific_stands_still(fake, study, console, state):
    at = drafted(study)
    PlatformStudy.objects.update(state=state)
    standstills = stalled_recruitment.standstills_of([study])
    text = console.get(study.get_absolute_url()).text
    address = reverse("at_prolific", args=AT)
    assert bool(standstills) == (state != "ACTIVE")
    assert (address in text) == (state != "ACTIVE")
    if standstills:
        assert standstills[study.pk].places == 2
    PlatformStudy.objects.filter(pk=at.pk).update(state="ACTIVE", places=0)
    why = stalled_recruitment.standstills_of([study])[study.pk].why
    assert why == stalled_recruitment.WHY["ACTIVE"]


def test_a_study_that_is_not_on_prolific_yet_is_said_where_prolific_can_be_asked(
    fake, study, settings
):
    assert stalled_recruitment.standstills_of([study])
    settings.PROLIFIC_TOKEN = ""
    assert not stalled_recruitment.standstills_of([study])


def test_what_went_wrong_is_kept_in_one_language_and_shown_in_that_of_the_page(
    fake, study, monkeypatch
):
    def broken(_):
        raise calls.OutcomeUnknown(
            "pause", Sentence("it {why}", why=Sentence("closed the connection"))
        )

    at = drafted(study)
    publishing.publish(at=at)
    study.batches.update(state=Batch.State.PAUSED)
    at.refresh_from_db()
    monkeypatch.setattr(fake.client, "pause", broken)
    monkeypatch.setattr(translation._trans, "gettext", lambda words: f"¡{words}!")
    publishing.follow(at=at)
    at.refresh_from_db()
    assert outlined([at.problem], "… “pause” … unknown … connection")
    with pytest.raises(calls.OutcomeUnknown) as refused:
        publishing.pause(at=at)
    assert translated_error(refused.value).count("¡") == 3  # the words within the words, too


def test_the_used_places_of_closed_batches_are_wanted_still(fake, study):
    come()
    study.batches.update(state=Batch.State.CLOSED, closed_at=NOW)
    assert offers.offer_of(study, pay=study.pay, minutes=study.minutes).places == 1


def test_a_code_without_work_is_shown_to_the_researcher(fake, study, console):
    """A guessed code, or one that was passed on."""
    at = drafted(study)
    publishing.publish(at=at)
    fake.finished(at.external_id, study.completion_code)
    act(console, "poll", at=at.pk)
    shown = look(console)
    assert 'data-remark="not-handed-in"' in shown
    assert "data-unknown-person" in shown
    assert study.completion_code in shown


def test_the_page_says_what_became_of_everybody(fake, study, console):
    at = drafted(study)
    publishing.publish(at=at)
    work = come()
    answer_all(work)
    submission = fake.arrived(at.external_id)
    fake.control(f"submissions/{submission}/return/")
    act(console, "poll", at=at.pk)
    shown = look(console)
    assert "Returned" in shown
    assert PlatformSubmission.objects.get().status == "RETURNED"
    assert element(shown, "data-unsigned").numbers == [1]


def test_where_prolific_refuses_its_sentence_is_shown(fake, study, console, monkeypatch):
    def refuse(_):
        raise calls.CallRefused(400, "The platform refused (400): your balance is too low")

    at = drafted(study)
    monkeypatch.setattr(fake.client, "publish", refuse)
    assert "your balance is too low" in act(console, "publish", at=at.pk)[1]
