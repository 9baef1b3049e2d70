"""Who guesses is slowed, the owner is not; sessions end; nobody keeps a copy of a page."""

import time

import pytest
from django.conf import settings
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from config import logging_in
from tests.cast import rita
from tests.hooks import element

pytestmark = pytest.mark.django_db

PASSWORD = "a long password"
LAB, HOME, AWAY = "192.0.2.1", "198.51.100.7", "203.0.113.5"


def log_in(client, name="rita", password=PASSWORD, *, at=LAB, to="/login/"):
    return client.post(to, {"username": name, "password": password}, REMOTE_ADDR=at)


def guess(client, times, *, name="rita", at=LAB, **more):
    answers = [log_in(client, name, f"guess {n}", at=at, **more) for n in range(times)]
    return [answer.status_code for answer in answers]


def is_in(client) -> bool:
    return client.get("/").status_code == 200


def test_who_is_logged_in_is_led_on_from_a_page_that_is_not_there(client):
    back = b"data-to-studies"
    assert back not in client.get("/studies/nothing/1/nothing/").content  # or a worker
    client.force_login(rita())
    assert back in client.get("/studies/nothing/1/nothing/").content


def test_a_guesser_is_locked_out_after_ten_guesses():
    rita()
    statuses = guess(Client(), 12)
    assert statuses[:9] == [200] * 9
    assert set(statuses[9:]) == {429}
    assert log_in(Client()).status_code == 429  # even with the right one, from there


def test_a_guesser_elsewhere_does_not_lock_the_owner_out():
    rita()
    guess(Client(), 30, at=AWAY)
    assert log_in(Client(), at=HOME).status_code == 302


def test_a_guesser_at_the_same_address_does_not_lock_out_a_known_browser():
    rita()
    owner = Client()
    log_in(owner)
    owner.post("/logout/")
    guess(Client(), 30)
    assert log_in(owner).status_code == 302
    assert is_in(owner)


def test_many_names_from_one_address_are_no_way_around_the_limit():
    rita()
    statuses = [log_in(Client(), f"name{n}", "guess").status_code for n in range(10)]
    assert statuses[-1] == 429
    assert log_in(Client()).status_code == 429


def test_another_browser_name_each_time_is_no_way_around_the_limit():
    rita()
    for n in range(10):
        log_in(Client(HTTP_USER_AGENT=f"browser {n}"), password="guess", at=AWAY)
    assert log_in(Client(), at=AWAY).status_code == 429


def test_the_records_have_no_log_in_of_their_own():
    rita()
    for said in (
        Client().get("/admin/login/?next=/admin/auth/"),
        log_in(Client(), to="/admin/login/"),
    ):
        assert said.status_code == 302
        assert said.url.startswith("/login/?next=/admin/")


def test_a_forged_header_is_no_way_around_the_limit(settings):
    rita()
    settings.PROXIES = 1
    for n in range(10):
        Client(HTTP_X_FORWARDED_FOR=f"10.0.0.{n}, {AWAY}").post(
            "/login/", {"username": "rita", "password": "guess"}
        )
    forged = Client(HTTP_X_FORWARDED_FOR=f"10.9.9.9, {AWAY}")
    assert log_in(forged).status_code == 429
    other = Client(HTTP_X_FORWARDED_FOR=HOME)
    assert log_in(other).status_code == 302


def test_whoever_goes_on_guessing_does_not_make_the_lock_longer(monkeypatch):
    from axes.models import AccessAttempt

    rita()
    guess(Client(), 10)
    before = AccessAttempt.objects.values_list("attempt_time", "failures_since_start").get()
    guess(Client(), 10)
    assert AccessAttempt.objects.values_list("attempt_time", "failures_since_start").get() == before


def test_a_known_browser_has_a_limit_too():
    rita()
    owner = Client()
    log_in(owner)
    owner.post("/logout/")
    statuses = guess(owner, logging_in.GUESSES_OF_KNOWN)
    assert statuses[10] == 200
    assert statuses[-1] == 429


def test_a_known_browser_is_known_for_its_name_and_its_password_alone(rf):
    user = rita()
    owner = Client()
    log_in(owner)
    request = rf.post("/login/")
    request.COOKIES[logging_in.KNOWN] = owner.cookies[logging_in.KNOWN].value
    assert logging_in.is_known(request, {"username": "rita"})
    assert not logging_in.is_known(request, {"username": "charlie"})
    user.set_password("another long password")
    user.save()
    assert not logging_in.is_known(request, {"username": "rita"})
    request.COOKIES[logging_in.KNOWN] = "forged"
    assert not logging_in.is_known(request, {"username": "rita"})


@pytest.mark.parametrize("password", ["elevenchars", "rita-crowdwright1"[:11], "password1234"])
def test_a_short_or_common_password_is_refused(password):
    with pytest.raises(ValidationError):
        validate_password(password)
    validate_password("twelve of them")


def test_a_session_ends_after_a_week_however_often_it_is_used():
    client = Client()
    client.force_login(rita())
    assert is_in(client)
    session = client.session
    session[logging_in.BEGAN] = int(time.time()) - settings.SESSION_LASTS - 1
    session.save()
    assert not is_in(client)


def test_a_session_ends_without_a_visit_and_lasts_with_visits():
    client = Client()
    client.force_login(rita())
    assert settings.SESSION_COOKIE_AGE <= 24 * 3600
    session = client.session
    session[logging_in.SEEN] = int(time.time()) - logging_in.TOUCH - 1
    session.save()
    answer = client.get("/")
    assert int(answer.cookies[settings.SESSION_COOKIE_NAME]["max-age"]) > 0  # it is moved
    assert settings.SESSION_COOKIE_NAME not in client.get("/").cookies  # but not at each page


def test_a_change_of_the_password_ends_the_other_sessions():
    user = rita()
    here, elsewhere = Client(), Client()
    for client in (here, elsewhere):
        log_in(client)
    new = "another long password"
    form = {"old_password": PASSWORD, "new_password1": new, "new_password2": new}
    assert here.post("/admin/password_change/", form).status_code == 302
    user.refresh_from_db()
    assert user.check_password(new)
    assert is_in(here)
    assert not is_in(elsewhere)


def addresses(patterns, prefix="/"):
    """Every address of the site, with something in place of each parameter."""
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            yield from addresses(pattern.url_patterns, prefix + filled(pattern.pattern))
        elif isinstance(pattern, URLPattern):
            yield prefix + filled(pattern.pattern)


def filled(pattern) -> str:
    text = str(pattern)
    for name, converter in pattern.converters.items():
        kind = type(converter).__name__.removesuffix("Converter").lower()
        kind = {"string": "str"}.get(kind, kind)
        value = "1" if kind == "int" else "lamps"
        text = text.replace(f"<{kind}:{name}>", value).replace(f"<{name}>", value)
    return text.removeprefix("^").removesuffix("$")


ADDRESSES = sorted(
    {address for address in addresses(get_resolver().url_patterns) if "(?" not in address}
)


def test_the_list_of_addresses_is_not_empty():
    assert {"/", "/login/", "/studies/lamps/1/", "/w/lamps/judging/finish/"} <= set(ADDRESSES)


@pytest.mark.parametrize("address", ADDRESSES)
def test_no_page_is_kept_by_a_browser_or_a_proxy(client, address):
    client.force_login(rita())
    kept = client.get(address).headers["Cache-Control"]
    assert "no-store" in kept
    assert "private" in kept


def test_a_refusal_before_any_view_is_not_kept_either(client):
    client.force_login(rita())
    answer = client.post("/login/", "a" * (settings.DATA_UPLOAD_MAX_MEMORY_SIZE + 1), "text/plain")
    assert answer.status_code == 413
    assert "no-store" in answer.headers["Cache-Control"]


# -- A session that ended while somebody filled a form in -----------------------------------------


@pytest.mark.parametrize(
    ("came", "goes_on"),
    [
        ("http://testserver/studies/lamps/1/recruit/?x=1#batch-1", "/studies/lamps/1/recruit/?x=1"),
        ("http://elsewhere.example/studies/", "/"),
        ("http://testserver//elsewhere.example/", "/"),
        (None, "/"),
    ],
)
def test_who_was_logged_out_before_a_form_was_sent_goes_on_with_its_page(came, goes_on):
    """The address that takes the form shows no page to who logs in."""
    rita()
    client = Client()
    headers = {"Referer": came} if came else {}
    response = client.post("/drafts/1/try/end/", headers=headers)
    page = client.get(response.url)
    assert element(page.text, "data-unsent")
    assert page.context["next"] == goes_on
    assert log_in(client, to=response.url).url == goes_on


def test_a_page_that_is_only_looked_at_is_led_to_as_ever():
    rita()
    response = Client().get("/studies/lamps/1/recruit/", headers={"Referer": "http://testserver/"})
    assert response.url == "/login/?next=/studies/lamps/1/recruit/"


def test_a_part_that_renews_itself_is_not_answered_with_the_page_to_log_in():
    response = Client().get("/studies/lamps/1/", headers={"HX-Request": "true"})
    assert (response.status_code, response.content) == (401, b"")
