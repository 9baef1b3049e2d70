"""A researcher who opens the live link is told that the work counts; a worker learns nothing."""

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotation.fieldwork.trials.making import make_trial
from annotation.fieldwork.work import assigning
from annotation.models import Assignment, Study
from tests.annotation.studies.drafts.drafted import drafted
from tests.cast import NOW, rita, small_study

pytestmark = pytest.mark.django_db
NOTE = "data-researcher"


@pytest.fixture
def study() -> Study:
    return small_study(recruitment="link")


def logged_in(person: User) -> Client:
    client = Client()
    client.force_login(person)
    return client


def agreed(client: Client, study: Study) -> Assignment:
    client.get(study.public_path)
    client.post(study.public_path, {"agree": "yes"})
    return Assignment.objects.get(study=study)


def test_only_who_has_a_role_in_the_study_is_told_so(study: Study) -> None:
    stranger = User.objects.create_user("charlie")
    assert NOTE in logged_in(rita()).get(study.public_path).text
    assert NOTE not in logged_in(stranger).get(study.public_path).text
    assert NOTE not in Client().get(study.public_path).text


def test_it_leads_to_the_pages_of_the_design(study: Study) -> None:
    page = logged_in(rita()).get(study.public_path).text
    assert reverse("study_design", args=[study.slug, study.version]) in page


def test_a_trial_says_nothing_of_it() -> None:
    researcher = rita()
    trial = make_trial(draft=drafted(user=researcher), user=researcher, now=NOW)
    assert NOTE not in logged_in(researcher).get(trial.study.public_path).text


def test_their_work_is_marked_where_work_is_listed(study: Study) -> None:
    client = logged_in(rita())
    work = agreed(client, study)
    listed = client.get(reverse("work_list", args=[study.slug, study.version])).text
    one = client.get(reverse("assignment_page", args=[study.slug, study.version, work.pk])).text
    assert "data-by-researcher" in listed
    assert "data-by-researcher" in one
    assert NOTE not in client.get(reverse("instructions", args=[work.token])).text


def test_work_of_a_worker_is_not_marked(study: Study) -> None:
    agreed(Client(), study)
    listed = logged_in(rita()).get(reverse("work_list", args=[study.slug, study.version])).text
    assert "data-by-researcher" not in listed


def test_who_withdraws_is_no_longer_named(study: Study) -> None:
    work = agreed(logged_in(rita()), study)
    assert work.tester.user.username == "rita"
    assigning.withdraw(assignment=work, now=timezone.now())
    assert not hasattr(Assignment.objects.get(pk=work.pk), "tester")
