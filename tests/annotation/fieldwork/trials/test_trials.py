"""A draft is tried as a worker, and nothing of it is kept."""

from datetime import date, timedelta
from typing import Any

import msgspec
import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from annotation.console.builder.annotated_sections import anchor_of
from annotation.fieldwork.consenting.receipts import TIMED
from annotation.fieldwork.recruiting.arriving import study_for
from annotation.fieldwork.trials import ending, recording_trials
from annotation.fieldwork.trials.making import TRIAL_LIFETIME, make_trial
from annotation.models import (
    Assignment,
    AuditEntry,
    Corpus,
    Membership,
    Role,
    Study,
    Task,
    Trial,
    Worker,
)
from annotation.people.access import record
from annotation.studies.drafts import cached_remarks, launching, making, saving
from annotation.studies.drafts.changes import DraftChange
from annotation.studies.drafts.kinds import decoded
from annotation.studies.drafts.recruitment_schema import Recruitment
from annotation.studies.drafts.schema import Onboarding, Retention
from annotation.studies.drafts.workload import outline_or_why
from judging.models import Examination
from judging.simulation import simulating
from tests.annotation.fieldwork.trials.rows import rows, writing_document
from tests.annotation.studies.drafts.drafted import drafted, judging_document, temporary_study
from tests.cast import NOW, answer_all, rita, small_study
from tests.hooks import element, elements, values
from tests.refusals import refused
from writing.models import LogChunk, PackedLog
from writing.studies import simulating as writing_simulating

pytestmark = pytest.mark.django_db
DOCUMENTS = {"judging": judging_document, "writing": writing_document}


def arrive(trial: Trial, user: User | None = None) -> Assignment:
    """Somebody follows the link in a browser of their own, logged in or not, and agrees."""
    client = Client()
    if user:
        client.force_login(user)
    address = trial.study.public_path
    assert client.get(address).status_code == 200
    response = client.post(address, {"agree": "yes"})
    token = response.url.split("/")[2]
    assert "Trial:" in client.get(response.url).text
    return Assignment.objects.addressed(token).get()


def worked_on(trial: Trial, django_capture_on_commit_callbacks: Any) -> None:
    """Alike whether by a person or by a simulated crowd: with all that work leaves behind."""
    with django_capture_on_commit_callbacks(execute=True):
        if trial.study.kind == "writing":
            writer = writing_simulating.SimulatedWriter("w")
            writing_simulating.simulate(study=trial.study, writer=writer, arrived=NOW, words=30)
        else:
            list(
                simulating.simulate(
                    study=trial.study,
                    workers=simulating.crowd(workers=2, spammers=0, seed=1),
                    now=NOW,
                )
            )


@pytest.mark.parametrize("kind", DOCUMENTS)
def test_nothing_of_a_trial_is_left(kind: str, django_capture_on_commit_callbacks: Any) -> None:
    draft = drafted(DOCUMENTS[kind](), user=rita())
    before = rows()
    trial = make_trial(draft=draft, user=User.objects.get(), now=NOW)
    arrive(trial)
    worked_on(trial, django_capture_on_commit_callbacks)
    assert rows() != before
    assert Examination.objects.exists() or LogChunk.objects.exists() or PackedLog.objects.exists()
    assert ending.end(study=trial.study)
    assert rows() == before
    assert not ending.end(study=trial.study)  # deleted twice, it is deleted once


def test_a_study_is_not_deleted_as_a_trial() -> None:
    study = small_study()
    with pytest.raises(ValueError, match=study.slug):
        ending.end(study=study)
    assert Study.objects.filter(pk=study.pk).exists()


def test_a_trial_has_the_pages_of_the_study_and_a_handful_of_tasks() -> None:
    document = judging_document(responses=12)
    hired = Recruitment(platform="prolific", pay="2.50", completion_code="C0FFEE")  # type: ignore[arg-type]
    draft = drafted(msgspec.structs.replace(document, recruitment=hired), user=rita())
    study = make_trial(draft=draft, user=rita_again(), now=NOW).study
    study = Study.every.get(pk=study.pk)
    assert (study.title, str(study.pay), study.recruitment) == ("Lamps compared", "2.50", "link")
    tasks = [task for batch in study.batches.all() for task in batch.tasks.all()]
    assert 1 <= len(tasks) <= 6
    assert tasks[0].task_items.count() >= 11  # of 15, where a corpus has so many
    assert study_for(study.slug) == study
    assert study.batches.get().closes_when_full is False


@pytest.mark.parametrize(("topics", "items"), [(2, 6), (5, 13), (17, 6)])
def test_the_tasks_of_a_trial_are_as_long_as_those_of_the_study(topics: int, items: int) -> None:
    """Of 13 pages for 4 of 5 topics, 40 pairs, each would have 10; of all each has 12 or 13."""
    document = judging_document(responses=5, topics=topics)  # 10 pairs a topic
    document.instruments[0]["defaults"] |= {"items_per_questionnaire": items}
    draft = drafted(document, user=rita())
    with temporary_study(draft=draft) as whole:
        lengths = {task.items.count() for task in Task.objects.filter(batch__study=whole)}
    study = make_trial(draft=draft, user=rita_again(), now=NOW).study
    tried = {task.items.count() for task in Task.objects.filter(batch__study=study)}
    assert tried
    assert tried <= lengths


def test_a_trial_has_the_dates_and_the_address_for_questions_of_the_study(client: Client) -> None:
    kept = Retention(platform_ids_until=date(2031, 12, 31))
    hired = Recruitment(platform="prolific", pay="2.50", completion_code="C0FFEE")  # type: ignore[arg-type]
    document = msgspec.structs.replace(judging_document(), retention=kept, recruitment=hired)
    trial = make_trial(draft=drafted(document, user=rita()), user=rita_again(), now=NOW)
    receipt = client.get(f"/w/{arrive(trial).token}/receipt/").text
    for page in (client.get(trial.study.public_path).text, receipt):
        [promise] = elements(page, "data-day", "2031-12-31")
        assert TIMED["platform_ids"] in promise.text
    assert "Rita, University of Lamps" in receipt.partition("Questions:")[2]
    assert not AuditEntry.objects.filter(act="set data retention").exists()


def test_a_trial_says_the_time_and_the_wage_of_the_study() -> None:
    """Its own few topics may be longer or shorter than the others."""
    document = writing_document()
    corpus = Corpus.objects.get(slug=document.corpus)
    for number in range(4, 30):
        topic = corpus.topics.create(key=f"t{number}", query=f"what is lamp {number}?")
        text = "A lamp is lit. " * 40 * number
        topic.passages.create(key=f"{topic.key}p", rank=1, text=text)
    trial = make_trial(draft=drafted(document), user=rita(), now=NOW)
    outline, _ = outline_or_why(document, corpus)
    assert outline is not None
    assert {batch.careful_minutes for batch in trial.study.batches.all()} == {
        outline.careful_minutes
    }


def test_each_style_of_a_trial_can_be_opened_by_another_worker(client: Client) -> None:
    draft = drafted(writing_document(), user=rita())
    trial = make_trial(draft=draft, user=rita_again(), now=NOW)
    client.force_login(rita_again())
    page, seen = reverse("draft_try", args=[draft.pk]), set()
    variants = client.get(page).context["variants"]
    assert [name for _, name in variants] == ["Bullet points", "Essay", "News article"]
    for task, name in variants:
        response = client.post(f"{page}variant/", {"task": task})
        assert "data-consent" in client.get(response.url).text
        token = response.url.split("/")[2]
        assert client.post(f"{response.url}consent/", {"agree": "yes"}).status_code == 302
        assert name in client.get(f"/w/{token}/writing/entry/").text
        work = Assignment.objects.addressed(token).get()
        assert work.tester.user == rita_again()
        seen.add(work.worker)
    assert len(seen) == 3
    taken = client.post(f"{page}variant/", {"task": variants[0][0]})
    assert taken.url == page  # it is not free any more
    assert ending.end(study=trial.study)
    assert not Worker.objects.exists()


def test_a_trial_of_one_kind_of_tasks_has_no_such_choice(client: Client) -> None:
    draft = drafted(user=rita())
    make_trial(draft=draft, user=rita_again(), now=NOW)
    client.force_login(rita_again())
    assert client.get(reverse("draft_try", args=[draft.pk])).context["variants"] == []


def rita_again() -> User:
    return User.objects.get(username="rita")


def test_a_trial_begins_with_a_task_of_the_study_not_with_the_onboarding() -> None:
    draft = drafted(writing_document(onboarding=Onboarding(topics=1)), user=rita())
    study = make_trial(draft=draft, user=rita_again(), now=NOW).study
    assert [batch.onboarding for batch in study.batches.all()] == [False]
    assert study.onboarding_tasks == 0


def test_asking_twice_makes_one_and_beginning_again_another() -> None:
    draft = drafted(user=rita())
    one = make_trial(draft=draft, user=rita_again(), now=NOW)
    assert make_trial(draft=draft, user=rita_again(), now=NOW) == one
    arrive(one)
    again = make_trial(draft=draft, user=rita_again(), now=NOW)
    assert again != one
    assert list(Trial.objects.all()) == [again]
    changes = [DraftChange("set", "title", "Lights")]
    saving.save(draft=draft, revision=0, changes=changes, user=None, now=NOW)
    assert make_trial(draft=draft, user=rita_again(), now=NOW).study.title == "Lights"
    assert Study.every.count() == 1
    assert not Assignment.objects.exists()


def test_two_people_who_try_one_draft_do_not_meet() -> None:
    draft = drafted(user=rita())
    other = User.objects.create_superuser("rob")
    trials = [make_trial(draft=draft, user=person, now=NOW) for person in (rita_again(), other)]
    works = [arrive(trial) for trial in trials]
    assert works[0].study != works[1].study
    ending.end(study=trials[0].study)
    assert list(Assignment.objects.all()) == works[1:]


def test_whoever_tries_is_nobody_whom_a_study_knows() -> None:
    draft = drafted(user=rita())
    trial = make_trial(draft=draft, user=rita_again(), now=NOW)
    client = Client()
    document = msgspec.structs.replace(decoded(draft.document), slug="other")
    other = drafted(document, user=rita_again())
    study = launching.launch(draft=other, revision=0, user=None, now=NOW)
    for shown_study in (trial.study, study):
        client.get(shown_study.public_path)
        client.post(shown_study.public_path, {"agree": "yes"})
    assert sorted(Worker.objects.values_list("platform", flat=True)) == ["link", "trial"]
    assert ending.end_due(now=NOW + TRIAL_LIFETIME) == 1
    assert Worker.objects.get().platform == "link"
    assert Assignment.objects.get().study == study


def test_it_is_noted_once_that_somebody_came_to_the_code() -> None:
    draft = drafted(user=rita())
    trial = make_trial(draft=draft, user=rita_again(), now=NOW)
    assert recording_trials.last_tried(draft) is None
    cached_remarks.store_remarks(draft, 2)
    for _ in range(2):
        work = arrive(trial, rita_again())
        answer_all(work)
        assert recording_trials.last_tried(draft) is None or Trial.objects.get().tried_at
        hand_in(work)
    entry = recording_trials.last_tried(draft)
    assert entry is not None
    assert (entry.act, entry.user, recording_trials.tried_of(entry).revision) == (
        "tried",
        rita_again(),
        0,
    )
    assert AuditEntry.objects.filter(act="tried").count() == 1
    assert cached_remarks.remarks_in_cache(draft) is None  # what Check found before is true no more
    ending.end(study=trial.study)
    assert recording_trials.last_tried(draft) == entry


def test_a_browser_that_is_not_logged_in_is_booked_as_that() -> None:
    """The trial is Rita's, and who opens its link in another browser may be anybody."""
    draft = drafted(user=rita())
    trial = make_trial(draft=draft, user=rita_again(), now=NOW)
    colleague = User.objects.create_user("rob")
    said = []
    for user in (None, colleague, None):
        work = arrive(trial, user)
        answer_all(work)
        hand_in(work)
        entry = recording_trials.last_tried(draft)
        assert entry is not None
        said.append((entry.name, entry.user, recording_trials.tried_of(entry).by_link))
    by_link = (recording_trials.BY_LINK, None, True)
    assert said == [by_link, ("rob", colleague, False), ("rob", colleague, False)]
    assert AuditEntry.objects.filter(act="tried").count() == 2  # each once


def test_who_does_less_by_the_link_takes_nothing_from_who_did_all() -> None:
    draft = drafted(user=rita())
    for user, pages in ((rita_again(), "5 of 5"), (None, "1 of 5")):
        what = f"draft {draft.pk}, revision 0, {pages} pages"
        record(
            user=user,
            act=recording_trials.ACT,
            what=what,
            of=draft,
            otherwise=recording_trials.BY_LINK,
        )
    entry = recording_trials.last_tried(draft)
    assert entry is not None
    assert entry.user == rita_again()


def test_the_page_and_the_check_say_that_somebody_came_by_the_link() -> None:
    draft = drafted(user=rita())
    work = arrive(make_trial(draft=draft, user=rita_again(), now=NOW))
    answer_all(work)
    hand_in(work)
    client = Client()
    client.force_login(rita_again())
    page = client.get(reverse("draft_try", args=[draft.pk])).text
    assert values(page, "data-tried") == ["0"]
    assert "data-by-link" in page
    check = client.get(reverse("draft_check", args=[draft.pk])).text
    trial = element(check, "data-check", "tried")
    assert trial.numbers[0] == 0  # pages answered by hand, of all
    assert "by link" in trial.text


def test_the_link_ends_at_the_launch_and_says_so_kindly() -> None:
    draft = drafted(user=rita())
    trial = make_trial(draft=draft, user=rita_again(), now=NOW)
    arrive(trial)
    launching.launch(draft=draft, revision=0, user=None, now=NOW)
    assert not Trial.objects.exists()
    response = Client().get(trial.study.public_path)
    assert response.status_code == 410
    assert 'data-refusal="TrialEnded"' in response.text
    assert 'data-refusal="TrialEnded"' not in Client().get("/s/trial-of-lamps/").text


def test_work_of_a_trial_that_is_deleted_leads_nowhere_and_not_in_a_circle() -> None:
    draft = drafted(user=rita())
    trial = make_trial(draft=draft, user=rita_again(), now=NOW)
    token = arrive(trial).token
    ending.end(study=trial.study)
    response = Client().get(reverse("judging:item", args=[token, 1]))
    assert response.status_code == 404
    assert 'data-refusal="UnknownLink"' in response.text
    assert f"/w/{token}/" not in response.text


def test_a_colleague_who_may_change_the_draft_takes_a_link_back() -> None:
    draft = drafted(user=rita())
    trial = make_trial(draft=draft, user=rita_again(), now=NOW)
    address = reverse("draft_try", args=[draft.pk])
    for role, ends in ((Role.VIEWER, False), (Role.RESEARCHER, True)):
        other = User.objects.create_user(role)
        Membership.objects.create(team=draft.team, user=other, role=role)
        client = Client()
        client.force_login(other)
        assert values(client.get(address).text, "data-trials-of-others") == ["1"] * ends
        assert trial.study.public_path not in client.get(address).text
        client.post(reverse("draft_try_end", args=[draft.pk]), {"person": trial.user_id})
        assert Trial.objects.exists() != ends


def hand_in(work: Assignment) -> None:
    from judging.answering import recording

    recording.submit(assignment=work, now=NOW)


def test_a_trial_ends_with_its_day_its_draft_and_its_corpus() -> None:
    draft = drafted(user=rita())
    trial = make_trial(draft=draft, user=rita_again(), now=NOW)
    assert ending.end_due(now=NOW + TRIAL_LIFETIME - timedelta(seconds=1)) == 0
    assert ending.end_due(now=NOW + TRIAL_LIFETIME) == 1
    with refused("TrialEnded"):
        study_for(trial.study.slug)
    make_trial(draft=draft, user=rita_again(), now=NOW)
    ending.end_all(of=draft.corpus)
    assert not Trial.objects.exists()
    make_trial(draft=draft, user=rita_again(), now=NOW)
    making.delete(draft=draft, user=None, now=NOW)
    assert not Study.every.exists()


def test_a_draft_with_faults_says_what_is_to_mend_and_is_not_tried() -> None:
    client = Client()
    client.force_login(rita())
    document = msgspec.structs.replace(judging_document(), contact="")
    draft = drafted(document, user=rita_again())
    response = client.post(reverse("draft_try", args=[draft.pk]))
    assert response.status_code == 409
    assert 'data-faults="1"' in response.text
    assert anchor_of("contact") in response.text
    assert not Study.every.exists()


def test_the_page_makes_a_trial_gives_its_link_and_deletes_it() -> None:
    client = Client()
    client.force_login(rita())
    draft = drafted(user=rita_again())
    address = reverse("draft_try", args=[draft.pk])
    assert client.post(address).url == address
    study = Study.every.get()
    assert study.public_path in client.get(address).text
    other = User.objects.create_user("vera")
    Membership.objects.create(team=draft.team, user=other, role=Role.VIEWER)
    viewer = Client()
    viewer.force_login(other)
    assert study.public_path not in viewer.get(address).text
    assert viewer.post(address).status_code == 403
    client.post(reverse("draft_try_end", args=[draft.pk]))
    assert not Study.every.exists()
