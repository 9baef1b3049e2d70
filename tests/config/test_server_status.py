"""The status page of administrators: the checks of /ready, and what waits."""

import pytest
from django.contrib.auth.models import User
from django.urls import reverse
from django.utils.translation import gettext

from config import health, metric_gauges
from tests.hooks import elements, values

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("missing", [set(), {"clock", "disk"}])
def test_administrators_see_each_check(admin_client, monkeypatch, missing):
    findings = {name: health.CheckResult(name not in missing) for name in health.CHECKS}
    monkeypatch.setattr(health.kept, "current", lambda: findings)
    html = admin_client.get(reverse("server_status")).content.decode()
    states = dict(zip(values(html, "data-check"), values(html, "data-ok"), strict=True))
    assert states == {name: "no" if name in missing else "yes" for name in health.CHECKS}


def test_a_number_that_cannot_be_read_is_not_known(admin_client, monkeypatch):
    monkeypatch.setattr(metric_gauges, "read", dict)
    html = admin_client.get(reverse("server_status")).content.decode()
    texts = {element.text.strip() for element in elements(html, "data-number")}
    assert texts == {gettext("not known")}


def test_others_have_no_such_page_and_no_link_to_it(client):
    client.force_login(User.objects.create_user("rita"))
    assert client.get(reverse("server_status")).status_code == 404
    assert reverse("server_status") not in client.get(reverse("people")).content.decode()
