"""Every setting of an analysis can be set on the page, by command and by API."""

from dataclasses import fields

import pytest
from django.core.management import call_command
from django.urls import reverse

from analysis.inputs.parameters import NESTED, PARAMETERS, BadParameter, flat, nested
from analysis.inputs.settings import DEFAULTS
from analysis.management.commands import analyse
from analysis.runs.running import NothingToAnalyse
from analysis.stats.summaries.user_experience import PARTS
from annotation.models import AuditEntry
from tests.cast import draft_study, rita
from tests.coded_errors import command_ends

pytestmark = pytest.mark.django_db

NUMBERS = {"confidence": 0.9, "tie_parameter": 0.5, "keep.drop_worst": 0.25, "margin": 0.3}


def value_of(parameter):
    """Return a value other than the default."""
    if parameter.kind == "choice":
        return next(choice for choice in parameter.choices if choice != parameter.default)
    if parameter.kind == "wholes":
        return [1, 7]
    if parameter.kind == "names":
        return ["bob", "eve"]
    if parameter.kind == "whole":
        return 12
    return NUMBERS.get(parameter.name, 0.25)


def each_value():
    """Of two settings that exclude each other the second."""
    return {
        name: value_of(parameter)
        for name, parameter in PARAMETERS.items()
        if name != "keep.most_spam"
    }


def as_typed(value):
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def test_all_settings_that_exist_are_declared():
    plain = set(DEFAULTS) - set(NESTED)
    within = {f"{name}.{field.name}" for name, kind in NESTED.items() for field in fields(kind)}
    weights = {f"summaries.weights.{part}" for part in PARTS}
    assert set(PARAMETERS) == plain | (within - {"summaries.weights"}) | weights


def test_each_setting_can_be_set_on_the_page(client):
    study = draft_study()
    client.force_login(rita())
    page = reverse("analysis_settings", args=[study.slug, study.version])
    shown = client.get(page).content.decode()
    for name in PARAMETERS:
        assert f'name="{name}"' in shown
    sent = {name: as_typed(value) for name, value in each_value().items()}
    answer = client.post(page, {**sent, "seen": "{}"})
    assert answer.status_code == 302
    study.refresh_from_db()
    assert flat(study.analysis) == each_value()
    assert study.analysis["keep"]["most_spam"] is None
    assert AuditEntry.objects.filter(act="changed analysis settings").exists()
    client.post(page, {"keep.most_spam": "0.6", "seen": page_state(client, page)})
    study.refresh_from_db()
    assert study.analysis == {"keep": {"most_spam": 0.6}}  # what is empty has its default


def page_state(client, page):
    return client.get(page).context["seen"]


def test_each_setting_can_be_set_by_api(client):
    study = draft_study()
    client.force_login(rita())
    address = reverse("api_analysis_settings", args=[study.slug, study.version])
    for settings in (each_value(), nested(each_value())):
        answer = client.post(address, {"settings": settings}, content_type="application/json")
        assert answer.status_code == 200, answer.content
        assert client.get(address).json()["settings"] == each_value()
    refused = client.post(address, {"settings": {"confidence": 2}}, content_type="application/json")
    assert refused.status_code == 400
    assert refused.json()["faults"][0]["path"] == "confidence"
    assert client.get(address).json()["settings"] == each_value()


def test_each_setting_can_be_set_by_command(monkeypatch):
    draft_study(analysis={"summaries": {"comp": 2.0}})
    asked = []

    def start(*, parameters, **_):
        asked.append(parameters)
        raise NothingToAnalyse("no_submissions", "There is nothing.")

    monkeypatch.setattr(analyse.running, "start", start)
    for name, value in each_value().items():
        with command_ends(NothingToAnalyse, "no_submissions"):
            call_command("analyse", "lamps", set=[f"{name}={as_typed(value)}"])
        assert flat(asked[-1])[name] == value
    with command_ends(NothingToAnalyse, "no_submissions"):
        call_command("analyse", "lamps", set=["summaries.ridge=0.1"])
    assert asked[-1]["summaries"] == {"comp": 2.0, "ridge": 0.1}  # the study's own weight stays


@pytest.mark.parametrize(
    ("sent", "name"),
    [
        ({"summaries.ridge": "-1"}, "summaries.ridge"),
        ({"summaries.ridge": "much"}, "summaries.ridge"),
        ({"summaries.train": "1"}, "summaries.train"),
        ({"draws": "12.5"}, "draws"),
        ({"confidence": "nan"}, "confidence"),
        ({"ranking": "luck"}, "ranking"),
        ({"keep.most_spam": "0.5", "keep.drop_worst": "0.5"}, "keep.drop_worst"),
    ],
)
def test_a_value_that_cannot_be_is_named_and_nothing_changes(client, sent, name):
    study = draft_study(analysis={"draws": 50})
    client.force_login(rita())
    page = reverse("analysis_settings", args=[study.slug, study.version])
    answer = client.post(page, {**sent, "seen": page_state(client, page)})
    assert answer.status_code == 422
    fields_of = [each for some in answer.context["groups"].values() for each in some]
    faults = {each["parameter"].name: each["fault"] for each in fields_of}
    assert [listed_fault for listed_fault, fault in faults.items() if fault] == [name]
    study.refresh_from_db()
    assert study.analysis == {"draws": 50}


def fields_on(answer):
    """Return the fields of the page by the names of their settings."""
    fields_of = [each for some in answer.context["groups"].values() for each in some]
    return {each["parameter"].name: each for each in fields_of}


def test_every_field_with_a_fault_is_named_at_once(client):
    study = draft_study()
    client.force_login(rita())
    page = reverse("analysis_settings", args=[study.slug, study.version])
    answer = client.post(page, {"confidence": "2", "cutoffs": "0 5", "draws": "50", "seen": "{}"})
    assert answer.status_code == 422
    fault_by_name = {
        name: field["fault"] for name, field in fields_on(answer).items() if field["fault"]
    }
    assert set(fault_by_name) == {"confidence", "cutoffs"}


def test_a_page_that_is_saved_again_changes_no_digit(client):
    stored = {"confidence": 0.99999999, "ridge": 1e-7, "fee": 1.0, "draws": 100_000}
    study = draft_study(analysis=stored)
    client.force_login(rita())
    page = reverse("analysis_settings", args=[study.slug, study.version])
    shown = {name: field["value"] for name, field in fields_on(client.get(page)).items()}
    assert client.post(page, {**shown, "seen": page_state(client, page)}).status_code == 302
    study.refresh_from_db()
    assert study.analysis == stored
    assert shown["fee"] == "1"


def test_two_tabs_do_not_overwrite_each_other(client):
    study = draft_study()
    client.force_login(rita())
    page = reverse("analysis_settings", args=[study.slug, study.version])
    first = second = page_state(client, page)
    assert client.post(page, {"draws": "50", "seen": first}).status_code == 302
    assert client.post(page, {"draws": "70", "seen": second}).status_code == 409
    study.refresh_from_db()
    assert study.analysis == {"draws": 50}


def test_an_unknown_setting_is_refused():
    with pytest.raises(BadParameter, match="luck"):
        nested({"luck": 1})
