"""What a draft suggests from its planned minutes: the pay, and the least time."""

import re
from decimal import Decimal
from typing import Any

import msgspec
import pytest
from django.test import Client
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st

from annotation.console.builder.annotated_sections import anchor_of
from annotation.console.builder.suggestions import suggestions_of
from annotation.models import Draft
from annotation.studies.drafts.recruitment_schema import Recruitment
from annotation.studies.wages import hourly, pay_for
from tests.annotation.studies.drafts.drafted import drafted, judging_document
from tests.cast import small_corpus
from tests.hooks import element, elements

pytestmark = pytest.mark.django_db
METHOD = "crowdrag-pairwise"
AT = f"instruments/{METHOD}/defaults"
OTHERS = ("do", "contact")  # that are not fields of the defaults


def write(client: Client, draft: Draft, **said: Any) -> dict[str, Any]:
    """Type into fields of the defaults; what the document has of them then."""
    draft.refresh_from_db()
    fields = {f"{AT}/{name}": value for name, value in said.items()}
    address = reverse("draft_section", args=[draft.pk, "recruitment"])
    client.post(address, fields | {"revision": draft.revision})
    draft.refresh_from_db()
    defaults = draft.document["instruments"][0]["defaults"]
    return {name: defaults[name] for name in ("minutes", "minimum_seconds")}


@given(minutes=st.integers(1, 600), wage=st.decimals("0.01", "500", places=2))
def test_the_suggested_pay_is_the_target_wage_and_no_cent_less(minutes: int, wage: Decimal) -> None:
    pay = pay_for(minutes=minutes, wage=wage)
    assert float(wage) <= hourly(pay=float(pay), minutes=minutes) + 1e-9  # type: ignore[operator]
    assert pay - wage * minutes / 60 < Decimal("0.01")


def begun(client: Client, *, topics: int = 6) -> Draft:
    """Return a draft of the card, with a corpus.

    36 pairs and 12 in reverse, in 4 questionnaires of 12.
    """
    corpus = small_corpus(topics=topics, responses=4)
    said = {"of": f"judging/{METHOD}", "corpus": corpus.slug, "title": "Lamps compared"}
    client.post(reverse("begin_draft"), said)
    return Draft.objects.get()


def sheet(client: Client, draft: Draft, section: str, **said: Any) -> str:
    """Return a section after fields were typed (by the end of their path), or a button pressed."""
    draft.refresh_from_db()
    fields = {
        name if name in OTHERS or "/" in name else f"{AT}/{name}": value
        for name, value in said.items()
    }
    address = reverse("draft_section", args=[draft.pk, section])
    client.post(address, fields | {"revision": draft.revision})
    draft.refresh_from_db()
    return client.get(address).text


def time_of(draft: Draft) -> tuple[int, int, str]:
    """Minutes, the least time, and the pay."""
    figures = draft.document["instruments"][0]["defaults"]
    return figures["minutes"], figures["minimum_seconds"], draft.document["recruitment"]["pay"]


def test_a_draft_begins_with_the_time_and_the_pay_of_its_row(
    client: Client,
) -> None:
    draft = begun(client)
    query = {"corpus": draft.corpus.slug, "method": f"judging/{METHOD}"}
    outline = client.get(reverse("instruments"), query).context["methods"].selected.outline
    assert (outline.minutes, str(outline.pay)) == (35, "7.00")
    assert time_of(draft) == (35, 700, "7.00")
    section = client.get(reverse("draft_section", args=[draft.pk, "recruitment"])).text
    assert element(section, "data-hint-of", f"{AT}/minutes").numbers == [35, 30, 84, 34]
    assert element(section, "data-hint-of", "recruitment/pay").numbers == [7, 35]
    assert 'value="take ' not in section  # it stands there
    plan = client.get(reverse("draft_plan", args=[draft.pk])).text
    assert "data-wage-met" in plan
    check = client.get(reverse("draft_check", args=[draft.pk])).text
    assert element(check, "data-check", "reading-time").attributes["data-result"] != "bad"


def test_time_and_pay_follow_the_pages_until_somebody_says_them(client: Client) -> None:
    draft = begun(client)
    sheet(client, draft, "design", items_per_questionnaire=4)
    assert time_of(draft) == (12, 240, "2.40")
    sheet(client, draft, "recruitment", minutes=20)
    assert time_of(draft) == (20, 400, "4.00")
    sheet(client, draft, "design", items_per_questionnaire=12)
    assert time_of(draft) == (20, 400, "4.00")


def test_one_press_takes_what_is_suggested(client: Client) -> None:
    draft = begun(client)
    fields = sheet(client, draft, "recruitment", minutes=20)
    assert f'value="take {AT}/minutes">Use 35 min</button>' in fields
    assert time_of(draft) == (20, 400, "7.00")  # still the pay of careful work
    sheet(client, draft, "recruitment", do=f"take {AT}/minutes")
    assert time_of(draft) == (35, 700, "7.00")
    sheet(client, draft, "recruitment", **{"recruitment/pay": "1"})
    fields = sheet(client, draft, "quality", minimum_seconds=10)
    assert f'value="take {AT}/minimum_seconds">Use 700 s</button>' in fields
    sheet(client, draft, "quality", do=f"take {AT}/minimum_seconds")
    sheet(client, draft, "recruitment", do="take recruitment/pay")
    assert time_of(draft) == (35, 700, "7.00")


def test_the_pay_follows_the_target_wage(client: Client) -> None:
    draft = begun(client)
    sheet(client, draft, "recruitment", **{"recruitment/hourly_wage": "10"})
    assert time_of(draft) == (35, 700, "5.84")


def test_check_warns_of_a_least_time_that_quick_and_honest_people_need(client: Client) -> None:
    draft = begun(client)
    sheet(client, draft, "instructions", contact="Rita, University of Lamps")
    sheet(client, draft, "quality", minimum_seconds=1200)
    page = client.get(reverse("draft_check", args=[draft.pk])).text
    [remark] = [row for row in elements(page, "data-remark") if 1200 in row.numbers]
    assert 700 in remark.numbers
    sheet(client, draft, "quality", minimum_seconds=1000)
    page = client.get(reverse("draft_check", args=[draft.pk])).text
    assert not [row for row in elements(page, "data-remark") if 1000 in row.numbers]


def test_a_blank_draft_begins_without_pay(client: Client) -> None:
    client.post(reverse("begin_draft"), {"of": "judging/"})
    assert Draft.objects.get().document["recruitment"]["pay"] == "0"


def test_change_the_pay_leads_to_its_field(client: Client) -> None:
    draft = drafted(judging_document(responses=3))
    plan = client.get(reverse("draft_plan", args=[draft.pk])).text
    section = reverse("draft_section", args=[draft.pk, "recruitment"])
    anchor = anchor_of("recruitment/pay")
    assert f'href="{section}#{anchor}">Edit pay' in plan
    assert f'id="{anchor}"' in client.get(section).text


@pytest.mark.parametrize("wage", ["NaN", "Infinity", "1e300", "0", "-3"])
def test_of_odd_numbers_nothing_is_suggested(wage: str) -> None:
    odd = Recruitment(hourly_wage=Decimal(wage))
    document = msgspec.structs.replace(judging_document(responses=3), recruitment=odd)
    assert "recruitment/pay" not in suggestions_of(document, draft=drafted(document))


def test_the_least_time_follows_the_planned_minutes_until_somebody_says_it(client: Client) -> None:
    """The method has 600 s in 15 min."""
    draft = drafted(judging_document(responses=3))
    assert write(client, draft, minutes=7) == {"minutes": 7, "minimum_seconds": 280}
    assert write(client, draft, minutes=12) == {"minutes": 12, "minimum_seconds": 480}
    assert write(client, draft, minutes=3, minimum_seconds=70)["minimum_seconds"] == 70
    assert write(client, draft, minutes=30) == {"minutes": 30, "minimum_seconds": 70}


def test_undo_takes_both_back(client: Client) -> None:
    draft = drafted(judging_document(responses=3))
    write(client, draft, minutes=6)
    client.post(reverse("draft_undo", args=[draft.pk]), {"section": "recruitment"})
    draft.refresh_from_db()
    defaults = draft.document["instruments"][0]["defaults"]
    assert (defaults["minutes"], defaults["minimum_seconds"]) == (15, 600)


def test_check_says_a_least_time_that_is_as_long_as_the_task(client: Client) -> None:
    draft = drafted(judging_document(responses=3))
    write(client, draft, minutes=10)
    write(client, draft, minimum_seconds=600)
    page = client.get(reverse("draft_check", args=[draft.pk])).text
    least = element(page, "data-check", "least-time")
    assert (least.attributes["data-result"], least.numbers[:2]) == ("bad", [600, 10])


def test_rows_of_the_studies_of_the_paper_are_in_the_short_list(client: Client) -> None:
    page = client.get(reverse("instruments")).text
    assert re.findall(r'data-paper="([^"]+)"', page) == [
        "crowdrag-pairwise",
        "crowdrag-pointwise",
        "crowdrag-writing",
    ]


@pytest.mark.parametrize("minutes", ["0", "-4", str(2**60), "1" + "0" * 40, "many"])
def test_odd_minutes_break_nothing(client: Client, minutes: str) -> None:
    draft = drafted(judging_document(responses=3))
    address = reverse("draft_section", args=[draft.pk, "recruitment"])
    response = client.post(address, {f"{AT}/minutes": minutes, "revision": 0})
    assert response.status_code in (302, 422)
    assert client.get(address).status_code == 200
    assert client.get(reverse("draft_check", args=[draft.pk])).status_code == 200
