"""Pages and API of LLM coders: set up, forecast, run, read, compared, deleted."""

from random import Random

import pytest
from django.contrib.auth.models import User
from django.urls import reverse

from analysis.exports.exporting import write_bundle
from analysis.pages.coding.llm_tables import llm_summaries
from analysis.stats.agreement.code_agreement import code_agreement
from annotation.models import AuditEntry
from judging.coders.given import codes_of
from judging.coders.wording import READY
from judging.coding import reconciling
from judging.models import CoderRound, CodingUnit
from tests.analysis.exports.exported import jsonl
from tests.cast import NOW
from tests.config.askers import client_of
from tests.hooks import element, elements, numbers
from tests.judging.coders.cast import AWAY, llm_coder, run
from tests.judging.coding.cast import KEYS, code_all, coding_of, commented_study, two_coders

pytestmark = pytest.mark.django_db
SECRET = "sk-never-shown-again"
LAYOUT, SPEED, ORDER = KEYS


@pytest.fixture
def coding():
    """Thirty comments that two people coded, half of which contain the name of a code."""
    coding, draw = coding_of(commented_study(workers=2)), Random(3)
    coders = two_coders(coding)
    true = [[key for key in KEYS if draw.random() < 0.4] for _ in range(30)]
    for coder in coders:
        code_all(
            coder, [[k for k in KEYS if (k in codes) != (draw.random() < 0.1)] for codes in true]
        )
    for unit, codes in zip(coding.units.order_by("position"), true, strict=True):
        words = " ".join(["speed"] * (SPEED in codes) + ["layout"] * (LAYOUT in codes))
        CodingUnit.objects.filter(pk=unit.pk).update(text=f"Comment {unit.position} on {words}")
    return coding


@pytest.fixture
def console(coding):
    client = client_of(User.objects.get(username="rita"))
    place = [coding.study.slug, coding.study.version, coding.pk]

    def ask(address_name, *more, **sent):
        address = reverse(address_name, args=[*place, *more])
        return client.post(address, sent, follow=True) if sent else client.get(address)

    ask.client, ask.place = client, place
    return ask


def typed(**changes):
    return {
        "name": "cold", "model": "good", "base_url": AWAY, "protocol": "chat", "at_most": 4,
        "prompt": READY.key, "system": READY.system, "user": READY.user, "max_tokens": 300,
        "temperature": 0, "structured": "on",
    } | changes  # fmt: skip


def test_a_coder_is_forecast_before_it_is_set_up_and_before_it_runs(console, coding):
    page = console("coder_new", **typed(do="preview", price_in=2, price_out=8, key=SECRET))
    assert page.status_code == 200
    assert numbers(element(page.text, "data-forecast").text)[0] == 30
    assert coding.units.first().text in page.text
    assert not CoderRound.objects.exists()
    console("coder_new", **typed(do="save", price_in=2, price_out=8, key=SECRET))
    one = CoderRound.objects.get()
    page = console("coder", one.pk).text
    assert numbers(element(page, "data-forecast").text)[0] == 30
    assert element(page, "data-work").attributes["data-work"] == "ready"
    assert not one.calls.exists()
    for name, *more in [("coding",), ("coder", one.pk)]:
        assert SECRET not in console(name, *more).text
    assert SECRET not in str(list(AuditEntry.objects.values()))


def test_a_wrong_prompt_is_refused_with_what_was_typed(console):
    page = console("coder_new", **typed(user="{nothing}"))
    assert page.status_code == 422
    assert "{nothing}" in page.text
    assert not CoderRound.objects.exists()


def test_codes_of_a_model_stay_hidden_until_the_coding_is_closed(console, coding, endpoint):
    one = run(llm_coder(coding, endpoint.url))
    page = console("coding").text
    assert element(page, "data-llm-coder").attributes["data-llm-coder"] == "cold"
    assert elements(page, "data-llm-agreement") == []
    assert "checked" not in console("coder", one.pk).text
    reconciling.close(coding=coding, by=None, now=NOW)
    page = console("coding").text
    assert element(page, "data-llm-agreement").attributes["data-llm-agreement"] == "cold"
    assert len(elements(page, "data-llm-code")) == 3
    console("coder_act", one.pk, do="delete")
    assert elements(console("coding").text, "data-llm-coder") == []
    console("coder_act", one.pk, do="bring_back")
    assert len(elements(console("coding").text, "data-llm-coder")) == 1


def test_kappa_is_with_each_person_and_with_the_reconciled_codes(coding, endpoint):
    one = run(llm_coder(coding, endpoint.url))
    reconciling.close(coding=coding, by=None, now=NOW)
    different = reconciling.disagreements(coding)
    for pk in different[:-1]:  # one stays open
        unit = coding.units.get(pk=pk)
        reconciling.decide(coding=coding, unit=unit, codes=[SPEED], note="", by=None, now=NOW)
    coding.refresh_from_db()
    (summary,) = llm_summaries(coding)
    found = summary.agreement
    assert [other.units for other in found.compared] == [30, 30, 29]
    assert found.compared[2].coder is None
    own, given, final = (
        codes_of(one),
        reconciling.codes_by_coder(coding),
        reconciling.final_codes(coding),
    )
    others = [{u: codes[n] for u, codes in given.items()} for n in (1, 2)] + [dict(final)]
    for row in found.rows:
        assert row.given == sum(row.code.key in keys for keys in own.values())
        for kappa, other in zip(row.kappas, others, strict=True):
            units = sorted(own.keys() & other.keys())
            table = [[row.code.key in codes[u] for u in units] for codes in (own, other)]
            assert kappa == code_agreement(table, seed=one.pk).kappa


def test_the_file_of_codes_names_the_model(coding, endpoint, tmp_path):
    one = run(llm_coder(coding, endpoint.url))
    reconciling.close(coding=coding, by=None, now=NOW)
    write_bundle(study=coding.study, out=tmp_path)
    rows = [row for row in jsonl(tmp_path / "codes.jsonl.gz") if row["coder"] == "llm:cold"]
    positions = dict(coding.units.values_list("position", "pk"))
    assert {(positions[row["unit"]], row["code"]) for row in rows} == {
        (unit, key) for unit, keys in codes_of(one).items() for key in keys or {""}
    }


def test_a_coder_is_created_run_and_deleted_over_the_api(console, coding):
    sent = {"name": "cold", "model": "good", "base_url": AWAY, "run": False}
    many = reverse("api_coders", args=console.place)
    made = console.client.post(many, sent, content_type="application/json")
    assert made.status_code == 201
    row = made.json()
    assert (row["state"], row["unprepared"], row["cost"]) == ("ready", 30, None)
    one = reverse("api_coder", args=[*console.place, row["id"]])
    assert console.client.get(one).json() == row
    assert console.client.get(many).json() == [row]
    for do, status in [("pause", 409), ("run", 200), ("delete", 409), ("pause", 200)]:
        answer = console.client.post(one, {"do": do}, content_type="application/json")
        assert (do, answer.status_code) == (do, status)
    again = console.client.post(many, sent, content_type="application/json")
    assert again.status_code == 400
