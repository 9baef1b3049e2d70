"""A setting is declared once: its form, its column and its row in the docs follow."""

from datetime import date
from decimal import Decimal
from typing import Annotated

import msgspec
import pytest

from annotation.console.builder.setting_fields import fields_of
from annotation.console.builder.study_form import FORMS
from annotation.models import Study
from annotation.studies.drafts import launching, making, paths
from annotation.studies.drafts.columns import PATHS, columns_of
from annotation.studies.drafts.faults import faults_of
from annotation.studies.drafts.kinds import decoded, kind_of
from annotation.studies.drafts.plain_data import plain, typed
from annotation.studies.drafts.schema import SETTINGS, Document
from annotation.studies.drafts.setting import Setting, settings_in
from docs.study_settings import PAGE, page
from tests.annotation.studies.drafts.drafted import drafted, judging_document
from tests.cast import NOW, rita

OTHER_FORMS = {"methods", "onboarding", "page", "screening"}  # of the kinds of studies


def test_the_docs_have_every_setting():
    assert PAGE.read_text() == page(), "run .venv/bin/python -m docs.study_settings"


def test_every_form_has_settings_and_every_setting_a_known_form():
    forms = {form.key for form in FORMS} | OTHER_FORMS
    assert {setting.form for setting in SETTINGS.values()} - {""} == forms


def test_every_column_is_one_of_the_study():
    assert set(PATHS) <= {field.name for field in Study._meta.fields}


def test_a_setting_has_its_path_type_and_default():
    class Pauses(msgspec.Struct, frozen=True):
        hours: Annotated[int | None, Setting(title="Hours", minimum=1, maximum=9)] = None
        note: str = ""

    class Whole(msgspec.Struct, frozen=True):
        pauses: Pauses = Pauses()

    (setting,) = settings_in(Whole)
    assert (setting.path, setting.type, setting.default) == ("pauses/hours", int | None, None)
    assert setting.value_in(Whole(Pauses(3))) == 3
    assert [setting.is_outside(hours) for hours in (None, 0, 1, 9, 10)] == [
        False,
        True,
        False,
        False,
        True,
    ]


@pytest.mark.django_db
def test_a_value_outside_its_limits_is_a_fault_of_its_place():
    document = judging_document()
    for setting in SETTINGS.values():
        if not setting.if_outside:
            continue
        data = plain(document)
        wrong = "x" * (setting.max_length + 1) if setting.max_length else setting.minimum - 1
        paths.put(data, setting.path, str(wrong) if setting.type is Decimal else wrong)
        assert setting.path in [fault.path for fault in faults_of(typed(data, Document))]


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["judging", "writing"])
def test_a_figure_of_a_method_outside_its_limits_is_a_fault_of_its_place(name):
    kind = kind_of(name)
    method = kind.blank("en")
    limited = [setting for setting in settings_in(type(method)) if setting.minimum is not None]
    assert limited
    for setting in limited:
        data = plain(method)
        paths.put(data, setting.path, setting.minimum - 1)
        document = decoded({"kind": name, "instruments": [data]})
        assert [fault.path for fault in kind.faults(document)].count(
            f"instruments/{method.name}/{setting.path}"
        ) == 1


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["judging", "writing"])
def test_every_setting_of_a_method_belongs_to_a_group_of_its_form(name):
    kind = kind_of(name)
    method = kind.blank("en")
    groups = kind.groups(decoded({"kind": name, "instruments": [plain(method)]}))
    paths_shown = {field.path for group in groups for field in group.fields}
    for setting in settings_in(type(method)):
        if setting.shown(plain(method)):
            assert f"instruments/{method.name}/{setting.path}" in paths_shown


@pytest.mark.django_db
def test_a_launched_study_gives_its_settings_back():
    data = plain(judging_document())
    data["recruitment"] |= {
        "platform": "prolific",
        "pay": "3.50",
        "currency": "EUR",
        "hourly_wage": "13.00",
        "budget": "99.00",
        "tasks_per_worker": 2,
        "completion_code": "DONE",
        "no_consent_code": "NOT",
        "signed_links": True,
        "late_work": "add_place",
    }
    data["quality"]["time_limit_minutes"] = 77
    data["quality"]["policies"]["fast"]["act"] = "reject"
    data["screening"]["requires"] = "fluent"
    data["retention"]["platform_ids_until"] = date(2090, 1, 1).isoformat()
    document = typed(data, Document)
    defaults = columns_of(Document(kind="judging"))
    changed = {name for name, value in columns_of(document).items() if value != defaults[name]}
    assert changed >= set(PATHS) & {*data["recruitment"], "policies", "screening"}
    draft = drafted(document)
    study = launching.launch(draft=draft, revision=0, user=rita(), now=NOW)
    draft.delete()
    again = making.document_of(Study.objects.get(pk=study.pk))
    assert columns_of(again) == columns_of(document)
    assert again.retention == document.retention


@pytest.mark.django_db
def test_the_fields_of_a_form_are_in_its_order():
    document = judging_document()
    assert [field.path for field in fields_of("study", document)] == [
        "title",
        "slug",
        "corpus",
        "language",
        "rendering",
    ]
