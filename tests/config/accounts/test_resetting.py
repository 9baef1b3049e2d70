"""Forgotten passwords: a link by e-mail, or one that an administrator makes."""

import re
from smtplib import SMTPRecipientsRefused
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from annotation.models import AuditEntry
from annotation.people import mailing
from config.accounts import changing
from tests.annotation.people.access.people import somebody
from tests.cast import rita
from tests.config.accounts.test_sessions import is_in, logged_in
from tests.hooks import elements, values, without_tokens

pytestmark = pytest.mark.django_db
NEW = {"new_password1": "shining lamps 7", "new_password2": "shining lamps 7"}


@pytest.fixture
def post_office(settings):
    settings.EMAIL_HOST = "smtp.example.org"
    settings.PUBLIC_URL = "https://lamps.example.org"


@pytest.fixture
def sam():
    user = somebody("sam")
    User.objects.update(email="sam@example.org")
    return user


def by_link(path: str, sent: dict[str, str] = NEW) -> Any:
    """Follow a link, choose a password, and return the last page."""
    client = Client()
    place = client.get(path, follow=True)
    return client.post(place.redirect_chain[-1][0], sent, follow=True)


@pytest.mark.usefixtures("post_office")
def test_a_link_comes_by_mail_and_works_once(client, sam, mailoutbox):
    before = logged_in("sam")
    page = client.post("/forgotten/", {"email": "SAM@example.org"}, follow=True).text
    assert values(page, "data-message") == ["success"]
    (letter,) = mailoutbox
    assert letter.to == ["sam@example.org"]
    (path,) = re.findall(r"https://lamps\.example\.org(/new-password/\S+)", letter.body)
    assert by_link(path).request["PATH_INFO"] == "/login/"
    assert not is_in(before)
    sam.refresh_from_db()
    assert sam.check_password("shining lamps 7")
    assert not elements(Client().get(path, follow=True).text, "name", "new_password1")


@pytest.mark.usefixtures("post_office", "sam")
def test_a_page_does_not_tell_who_has_an_account(client, mailoutbox):
    known, unknown = (
        client.post("/forgotten/", {"email": f"{name}@example.org"}, follow=True).text
        for name in ("sam", "nobody")
    )
    assert without_tokens(known) == without_tokens(unknown)
    assert len(mailoutbox) == 1


@pytest.mark.usefixtures("post_office", "sam")
def test_a_refused_letter_is_recorded_and_can_be_asked_for_again(
    client, mailoutbox, monkeypatch, caplog
):
    def refuse(*_, **__):
        raise SMTPRecipientsRefused({})

    with monkeypatch.context() as refusing:
        refusing.setattr(mailing, "send_mail", refuse)
        answer = client.post("/forgotten/", {"email": "sam@example.org"}, follow=True)
    assert values(answer.text, "data-message") == ["success"]  # tells nobody of an account
    entry = AuditEntry.objects.get()
    assert (entry.act, entry.what) == (changing.REFUSED, "sam")
    assert "sam@" not in caplog.text
    client.post("/forgotten/", {"email": "sam@example.org"})
    assert not mailoutbox  # at once
    with monkeypatch.context() as later:
        later.setattr(changing, "database_now", lambda: entry.at + 2 * changing.PAUSE_REFUSED)
        client.post("/forgotten/", {"email": "sam@example.org"})
    assert len(mailoutbox) == 1


@pytest.mark.usefixtures("post_office", "sam")
def test_somebody_is_not_sent_letter_after_letter(client, mailoutbox):
    for _ in range(3):
        client.post("/forgotten/", {"email": "sam@example.org"})
    assert len(mailoutbox) == 1


@pytest.mark.usefixtures("sam")
def test_a_server_without_mail_says_whom_to_ask(client, mailoutbox):
    assert not elements(client.get("/forgotten/").text, "name", "email")
    assert client.post("/forgotten/", {"email": "sam@example.org"}).url == "/forgotten/"
    assert mailoutbox == []


def test_an_administrator_makes_a_link_that_is_shown_once(client, sam):
    client.force_login(rita())
    page = client.post(f"/people/{sam.pk}/reset/", follow=True).text
    (path,) = re.findall(r"data-new-password>http://testserver(\S+)</p>", page)
    assert path not in client.get(f"/people/{sam.pk}/").text
    short = by_link(path, {"new_password1": "x", "new_password2": "x"}).text
    assert {12} <= {n for fault in elements(short, "class", "field-error") for n in fault.numbers}
    assert by_link(path).request["PATH_INFO"] == "/login/"
    assert [(entry.name, entry.user_id) for entry in AuditEntry.objects.all()] == [
        ("sam", sam.pk), ("rita", User.objects.get(username="rita").pk)
    ]  # fmt: skip
