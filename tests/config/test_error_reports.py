"""Errors reach those who run the server, without data of people."""

import io
import logging

import pytest
import sentry_sdk
from django.core import mail

from annotation import request_ids
from config import error_reports
from config.logs import logging_config

TOKEN = "Zm9v-YmFy_abcdefgh1234"


@pytest.fixture
def logger(settings):
    """Return a logger with the handlers of a server that mails errors."""
    settings.ADMIN_EMAILS = ["ada@example.org"]
    made = dict(logging_config("INFO", mails_errors=True)["formatters"]["line"])
    handler = error_reports.MailHandler()
    handler.setFormatter(made.pop("()")(**made))
    own = logging.Logger("lamps")
    own.addHandler(handler)
    return own


def test_an_error_is_mailed_once_in_a_while_and_masked(logger):
    for _ in range(3):
        logger.error("Internal Server Error: /w/%s/", TOKEN)
    logger.warning("nothing")
    (letter,) = mail.outbox
    assert letter.to == ["ada@example.org"]
    assert "Internal Server Error" in letter.body
    assert TOKEN not in letter.body


def test_a_refused_mail_does_not_end_the_request(logger, monkeypatch, capsys):
    def refuse(*_, **__):
        raise OSError

    monkeypatch.setattr(mail, "send_mail", refuse)
    monkeypatch.setattr(logging, "raiseExceptions", False)
    logger.error("lamps")


class Sent(sentry_sdk.transport.Transport):
    """Keeps what would be sent."""

    def __init__(self):
        super().__init__()
        self.bytes = io.BytesIO()

    def capture_envelope(self, envelope):
        envelope.serialize_into(self.bytes)


def test_sentry_gets_no_data_of_people():
    sent = Sent()
    # Without its integrations, which would change Django for the tests that follow.
    client = sentry_sdk.Client(
        "http://key@127.0.0.1:9/1",
        transport=sent,
        default_integrations=False,
        **error_reports.sentry_options(),
    )
    with sentry_sdk.isolation_scope() as scope, request_ids.under("proxy-0123456789"):
        scope.set_client(client)
        scope.set_user({"id": "sam@example.org"})
        secret = "sam of the local variables"
        try:
            raise ValueError(f"/w/{TOKEN}/ {len(secret)}")
        except ValueError as error:
            sentry_sdk.capture_exception(error)
    client.close(0)
    text = sent.bytes.getvalue().decode()
    assert "ValueError" in text
    assert "proxy-0123456789" in text
    for foreign in (TOKEN, "sam@example.org"):
        assert foreign not in text
    assert secret not in text
