"""The secret of Prolific's webhooks: made by a page or the command, good at once, never shown."""

import html
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse

from annotation.console import webhooks_views
from annotation.fieldwork.platforms import calls
from annotation.fieldwork.recruiting.prolific import receiving_webhooks
from annotation.management.commands import prolific_webhooks
from annotation.models import AuditEntry, WebhookSecret
from tests.annotation.fieldwork.recruiting.prolific.fakes import Fake
from tests.cast import NOW, rita
from tests.refusals import refused

pytestmark = pytest.mark.django_db
WORKSPACE = "5f0f0f0f0f0f0f0f0f0f0f0f"
ADDRESS = "/hooks/prolific/"


@pytest.fixture
def fake(monkeypatch, settings):
    settings.PROLIFIC_TOKEN, settings.RECRUITING_DRY_RUN = "trial", False
    there = Fake()
    for module in (webhooks_views, prolific_webhooks):
        monkeypatch.setattr(module, "client_for_settings", lambda: there.client)
    return there


def make(client, **form):
    answer = client.post(reverse("prolific_webhooks"), {"workspace": WORKSPACE} | form)
    return answer.status_code, html.unescape(answer.content.decode())


def hear(secret):
    """Send a message signed with the secret; return the outcome."""
    body, timestamp = b'{"event_type": "other"}', str(int(NOW.timestamp()))
    signed = receiving_webhooks.signature(secret=secret, timestamp=timestamp, body=body)
    return receiving_webhooks.hear(
        body=body, timestamp=timestamp, signed=signed, event_id="e", now=NOW
    )


def test_an_administrator_makes_a_secret_that_is_good_at_once(client, fake, settings):
    client.force_login(rita())
    with refused("NotSetUp"):
        hear("any")
    status, page = make(client, subscribe="yes")
    secret = fake.api.hooks.secrets[WORKSPACE]
    assert (status, "data-made" in page, secret in page) == (200, True, False)
    assert hear(secret) is None  # nothing to ask about, and no refusal
    assert secret.encode() not in bytes(WebhookSecret.objects.get().secret)
    (subscribed,) = fake.api.hooks.subscriptions.values()
    assert (subscribed.is_enabled, subscribed.target_url.endswith(ADDRESS)) == (True, True)
    assert secret not in client.get(reverse("prolific_webhooks")).content.decode()
    noted = AuditEntry.objects.get(act__endswith="webhook secret")
    assert secret not in noted.what


def test_changing_it_subscribes_nothing_again_and_the_old_one_is_refused(client, fake, settings):
    client.force_login(rita())
    make(client, subscribe="yes")
    old = fake.api.hooks.secrets[WORKSPACE]
    make(client)
    assert len(fake.api.hooks.subscriptions) == 1
    assert hear(fake.api.hooks.secrets[WORKSPACE]) is None
    for ended in (old, "of the settings"):
        settings.PROLIFIC_WEBHOOK_SECRET = "of the settings"
        with refused("BadSignature"):
            hear(ended)


def test_that_of_the_settings_is_good_while_none_was_made_here(settings):
    settings.PROLIFIC_WEBHOOK_SECRET = "of the settings"
    assert hear("of the settings") is None


def test_each_workspace_has_its_own(client, fake):
    client.force_login(rita())
    other = "6f" * 12
    make(client)
    make(client, workspace=other)
    for workspace in (WORKSPACE, other):
        assert hear(fake.api.hooks.secrets[workspace]) is None


def test_a_secret_is_kept_although_the_subscription_fails(client, fake, monkeypatch):
    client.force_login(rita())

    def refuse(**_):
        raise calls.CallRefused(400, "No such event.")

    monkeypatch.setattr(fake.client, "subscribe", refuse)
    status, page = make(client, subscribe="yes")
    assert (status, "No such event." in page) == (409, True)
    assert hear(fake.api.hooks.secrets[WORKSPACE]) is None


@pytest.mark.parametrize("workspace", ["", "a b", "../secrets", "x" * 61, "ä" * 24])
def test_odd_workspaces_are_refused(client, fake, workspace):
    client.force_login(rita())
    assert make(client, workspace=workspace)[0] == 422
    assert not fake.api.hooks.secrets


def test_a_dry_run_makes_none(client, settings):
    settings.PROLIFIC_TOKEN, settings.RECRUITING_DRY_RUN = "trial", True
    client.force_login(rita())
    status, page = make(client)
    assert (status, "data-made" in page) == (409, False)
    assert not WebhookSecret.objects.exists()


def test_the_command_keeps_it_and_says_where_prolific_tells(fake):
    output = StringIO()
    call_command("prolific_webhooks", WORKSPACE, stdout=output)
    secret = fake.api.hooks.secrets[WORKSPACE]
    assert (hear(secret), secret in output.getvalue()) == (None, False)
    assert "/hooks/prolific/" in output.getvalue()
    assert [subscription.is_enabled for subscription in fake.api.hooks.subscriptions.values()] == [
        True
    ]


def test_the_command_says_what_prolific_refused(fake, monkeypatch):
    def refuse(_):
        raise calls.CallRefused(403, "This token may not do that.")

    monkeypatch.setattr(fake.client, "create_secret", refuse)
    with pytest.raises(CommandError, match="may not do that"):
        call_command("prolific_webhooks", WORKSPACE)


def test_the_secret_of_the_settings_goes_on_for_its_own_workspace(client, fake, settings):
    settings.PROLIFIC_WEBHOOK_SECRET, settings.PROLIFIC_WORKSPACE = "of the settings", "a" * 24
    client.force_login(rita())
    make(client)
    assert hear(fake.api.hooks.secrets[WORKSPACE]) is None
    assert hear("of the settings") is None
    settings.PROLIFIC_WORKSPACE = WORKSPACE  # of the one whose secret was made here
    with refused("BadSignature"):
        hear("of the settings")
