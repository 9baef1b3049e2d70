"""Whether a task earns the target: one verdict, on every page that says it."""

import re
from decimal import Decimal

import msgspec
import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Draft
from annotation.studies.drafts import launching
from tests.annotation.studies.drafts.drafted import drafted, judging_document
from tests.cast import NOW, rita
from tests.hooks import values

pytestmark = pytest.mark.django_db


@pytest.fixture
def client() -> Client:
    client = Client()
    client.force_login(rita())
    return client


def paying(*, minutes: int) -> Draft:
    """Return a draft whose pay is the target wage for the minutes that it names."""
    document = judging_document(responses=4)
    document.instruments[0]["defaults"]["minutes"] = minutes
    hired = msgspec.structs.replace(document.recruitment, pay=Decimal(minutes) / 5)
    return drafted(msgspec.structs.replace(document, recruitment=hired))


def said_of(client: Client, draft: Draft) -> dict[str, str]:
    """Return the text of each page of a draft, then that of its batches."""
    pages = {
        name: client.get(reverse(f"draft_{name}", args=[draft.pk])).text
        for name in ("plan", "check", "launch")
    }
    study = launching.launch(draft=draft, revision=draft.revision, user=None, now=NOW)
    recruit = client.get(reverse("recruit", args=[study.slug, study.version])).text
    return pages | {"recruit": recruit}


def test_pay_for_too_few_minutes_is_under_the_target_wherever_it_is_said(client: Client) -> None:
    said = said_of(client, paying(minutes=1))
    for page in ("plan", "launch", "recruit"):
        hook = 'data-wage="under"' if page == "plan" else "data-under-target"
        assert hook in said[page], page
        assert "data-wage-met" not in said[page], page
    wages = {
        page: set(re.findall(r"([0-9.]+) USD an hour at [0-9.]+ min \(estimated", said[page]))
        for page in ("launch", "recruit")
    }
    assert wages["launch"] == wages["recruit"] != set()
    assert f"<dd>{wages['launch'].pop()} USD</dd>" in said["plan"]
    assert "recruitment/pay" in values(said["check"], "data-warning")


def test_pay_for_enough_minutes_is_met_wherever_it_is_said(client: Client) -> None:
    said = said_of(client, paying(minutes=40))
    assert "data-wage-met" in said["plan"]
    for page, text in said.items():
        assert 'data-wage="under"' not in text, page
        assert "data-under-target" not in text, page
        assert "recruitment/pay" not in values(text, "data-warning"), page


@pytest.mark.parametrize(("minutes", "promised"), [(1, False), (40, True)])
def test_workers_are_promised_no_wage_that_careful_work_does_not_earn(
    client: Client, minutes: int, promised: bool
) -> None:
    draft = paying(minutes=minutes)
    study = launching.launch(draft=draft, revision=draft.revision, user=None, now=NOW)
    page = Client().get(study.public_path).text
    assert ("data-wage" in page) is promised
    # The pay stands above, and in the text, which says how people get it.
    assert page.count("USD") == 2 + promised
    assert "data-paid-for" not in page
