"""Where somebody is logged in, and how they end it."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from annotation.models import LoginSession
from config.accounts.recording_sessions import device_of
from tests.annotation.people.access.people import somebody
from tests.cast import rita

pytestmark = pytest.mark.django_db
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
PHONE = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 "
    "(KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1"
)
EDGE = (
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) "
    "Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0"
)
PASSWORD = "a long password"


def logged_in(name: str = "rita", agent: str = FIREFOX) -> Client:
    client = Client(headers={"user-agent": agent})
    client.post("/login/", {"username": name, "password": PASSWORD})
    return client


def is_in(client: Client) -> bool:
    return client.get("/account/").status_code == 200


@pytest.mark.parametrize(
    ("agent", "device"),
    [
        (FIREFOX, "Firefox on Linux"),
        (PHONE, "Safari on iPhone"),
        (EDGE, "Edge on Windows"),
        ("curl/8", "another program"),
        ("", "another program"),
    ],
)
def test_a_device_is_called_as_people_call_it(agent, device):
    assert device_of(agent) == device


def test_the_sessions_of_a_person_are_listed_and_one_is_ended():
    rita()
    here, phone = logged_in(), logged_in(agent=PHONE)
    page = here.get("/account/").text
    assert "Firefox on Linux" in page
    assert "Safari on iPhone" in page
    other = LoginSession.objects.get(device="Safari on iPhone")
    assert 'data-message="success"' in here.post(
        "/account/sessions/end/", {"session": other.pk}, follow=True
    ).text  # fmt: skip
    assert is_in(here)
    assert not is_in(phone)


def test_all_others_are_ended_at_once():
    rita()
    here, *others = [logged_in() for _ in range(3)]
    here.post("/account/sessions/end/", {"session": "others"})
    assert is_in(here)
    assert not any(map(is_in, others))


def test_nobody_ends_the_session_of_somebody_else():
    rita()
    somebody("sam")
    hers, his = logged_in(), logged_in("sam")
    of_hers = LoginSession.objects.get(user__username="rita")
    his.post("/account/sessions/end/", {"session": of_hers.pk})
    assert is_in(hers)
    assert his.post("/account/sessions/end/", {"session": "x"}).status_code == 404


def test_who_logs_out_has_no_session_any_more():
    rita()
    client = logged_in()
    client.post("/logout/")
    assert not LoginSession.objects.exists()


def test_a_session_of_before_is_noted_when_its_owner_is_seen():
    rita()
    client = logged_in()
    LoginSession.objects.all().delete()
    session = client.session
    session["seen"] = 0
    session.save()
    assert "Firefox on Linux" in client.get("/account/").text


def test_another_password_ends_the_other_sessions():
    rita()
    here, other = logged_in(), logged_in(agent=PHONE)
    new = {"new_password1": "shining lamps 7", "new_password2": "shining lamps 7"}
    refused = here.post("/account/password/", {"old_password": "wrong"} | new)
    assert "field-error" in refused.text
    assert here.post("/account/password/", {"old_password": PASSWORD} | new).url == "/account/"
    page = here.get("/account/").text
    assert page.count("Firefox on Linux") == 1
    assert "this session" in page
    assert not is_in(other)
    assert LoginSession.objects.count() == 1


def test_an_address_that_is_none_is_refused_at_its_field():
    rita()
    client = logged_in()
    response = client.post("/account/", {"email": "no address"})
    assert response.status_code == 422
    assert 'value="no address"' in response.text
    client.post("/account/", {"email": "rita@example.org"})
    assert User.objects.get().email == "rita@example.org"
