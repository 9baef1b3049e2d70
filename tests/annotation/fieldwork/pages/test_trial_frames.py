"""A trial stands in a frame of its researcher's page; the work of others stands in none."""

from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client

from annotation.fieldwork.trials.making import make_trial
from tests.annotation.studies.drafts.drafted import drafted
from tests.cast import NOW, rita, small_study

pytestmark = pytest.mark.django_db


def in_a_frame(said: HttpResponse) -> bool:
    policy = said["Content-Security-Policy"]
    ours = "frame-ancestors 'self'" in policy
    assert ours or "frame-ancestors 'none'" in policy
    assert said["X-Frame-Options"] == ("SAMEORIGIN" if ours else "DENY")
    return ours


def agreed(client: Client, address: str) -> str:
    client.get(address)
    return str(client.post(address, {"agree": "yes"}).url)


def test_only_who_is_logged_in_has_a_trial_in_a_frame() -> None:
    researcher = rita()
    trial = make_trial(draft=drafted(user=researcher), user=researcher, now=NOW)
    address = trial.study.public_path
    for client in (Client(), Client()):
        place = agreed(client, address)
        assert not in_a_frame(client.get(address, follow=True))
        assert not in_a_frame(client.get(place))
        client.force_login(researcher)
        assert in_a_frame(client.get(address, follow=True))
        assert in_a_frame(client.get(place))
    assert not in_a_frame(client.get("/"))


def test_work_of_a_study_is_in_no_frame_for_anybody(client: Client) -> None:
    client.force_login(rita())
    address = small_study().public_path
    assert not in_a_frame(client.get(address))
    assert not in_a_frame(client.get(agreed(client, address)))


def test_a_worker_pays_no_query_for_it(client: Client, django_assert_num_queries: Any) -> None:
    address = agreed(client, small_study().public_path)
    with django_assert_num_queries(1):
        client.get(address)


@pytest.mark.parametrize("address", ["/s/a%00b/", "/w/a%00b/"])
def test_an_address_that_no_database_knows_is_not_found(client: Client, address: str) -> None:
    client.force_login(rita())
    assert client.get(address).status_code == 404
