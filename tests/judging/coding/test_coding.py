"""Independent coding, its end, decisions, and erasure."""

import pytest
from django.db import DatabaseError, connection, transaction
from django.urls import reverse

from annotation.fieldwork.work import assigning
from annotation.models import Membership
from annotation.refusals import Refusal
from judging.coding import adopting_codes, coding_units, reconciling, starting
from judging.items import drawing
from judging.models import AddedCode, Coder, CodingUnit, Presentation, UnitCodes, UnitDecision
from tests.cast import HOUR, NOW, begun, rita, small_study, worker
from tests.hooks import elements
from tests.judging.coding.cast import (
    KEYS,
    code_all,
    coding_of,
    colleague,
    commented_study,
    two_coders,
)

pytestmark = pytest.mark.django_db
LAYOUT, SPEED, ORDER = KEYS


@pytest.fixture
def coding():
    """Two workers commented on the one page that each of them had."""
    return coding_of(commented_study(workers=2, responses=2))


def adopt(coding):
    silent = CodingUnit.objects.none()
    return adopting_codes.adopt(coding=coding, by=None, now=NOW, silent=silent)


def test_units_are_the_comments_of_finished_work_as_they_were():
    study = commented_study(workers=2, responses=2)
    coding = coding_of(study)
    assert [unit.position for unit in coding.units.all()] == [1, 2]
    Presentation.objects.update(comment="Another text")
    assert not coding.units.filter(text="Another text").exists()
    assert starting.gather(coding=coding) == 0
    assert coding.units.count() == 2


def test_a_coding_needs_comments_a_name_and_kinds():
    study = commented_study(workers=1, responses=2)
    for given, code in (
        ({"kinds": ["exit"]}, "NothingToCode"),
        ({"kinds": []}, "CodingIncomplete"),
        ({"name": " "}, "CodingIncomplete"),
    ):
        with pytest.raises(Refusal) as refused:
            coding_of(study, **given)
        assert refused.value.code == code
    coding_of(study)
    with pytest.raises(Refusal) as refused:
        coding_of(study)
    assert refused.value.code == "CodingName"


def test_work_in_progress_is_not_coded():
    study = small_study(quota=2)
    work = begun(study, worker("ann"))
    drawing.draw_presentations(assignment=work)
    Presentation.objects.filter(assignment=work).update(comment="Not done")
    with pytest.raises(Refusal):
        coding_of(study)


def test_coders_see_nothing_of_each_other_until_the_coding_is_closed(coding, client):
    first, second = two_coders(coding)
    one = coding.units.first()
    coding_units.record(coder=first, unit=one, codes=[LAYOUT], now=NOW, added="Scrolling")
    assert first.given.get().codes == [LAYOUT, "added/1-1"]
    assert "added/1-1" in [code.key for code in coding_units.codes_for(coding, first)]
    assert "added/1-1" not in [code.key for code in coding_units.codes_for(coding, second)]
    with pytest.raises(Refusal):
        coding_units.record(coder=second, unit=one, codes=["added/1-1"], now=NOW)
    client.force_login(second.user)
    place = [coding.study.slug, coding.study.version, coding.pk]
    page = client.get(reverse("code_unit", args=place))
    assert "Scrolling" not in page.text
    assert page.text.count("checked") == 0
    assert client.get(reverse("reconcile_coding", args=place)).status_code == 302
    assert "data-code-row" not in client.get(reverse("coding", args=place)).text


def test_a_coding_is_closed_after_two_coders_coded_every_unit(coding):
    first, second = two_coders(coding)
    code_all(first, [[LAYOUT], []])
    with pytest.raises(Refusal) as refused:
        reconciling.close(coding=coding, by=None, now=NOW)
    assert refused.value.code == "CodersMissing"
    code_all(second, [[SPEED], []])
    third = coding_units.join(coding=coding, user=colleague(coding.study, "third"))
    reconciling.close(coding=coding, by=None, now=NOW)
    unit = coding.units.first()
    with pytest.raises(Refusal) as refused:
        coding_units.record(coder=first, unit=unit, codes=[], now=NOW)
    assert refused.value.code == "CodingClosed"
    given = reconciling.codes_by_coder(coding)
    assert given[unit.pk] == {1: {LAYOUT}, 2: {SPEED}}
    assert third.number not in given[unit.pk]
    assert reconciling.disagreements(coding) == [unit.pk]


def test_decisions_are_appended_and_the_last_one_counts(coding):
    first, second = two_coders(coding)
    code_all(first, [[LAYOUT], [ORDER]])
    code_all(second, [[SPEED], [ORDER]])
    one, two = coding.units.order_by("position")
    kept = {"coding": coding, "unit": one, "by": None, "now": NOW}
    with pytest.raises(Refusal) as refused:
        reconciling.decide(codes=[LAYOUT], note="", **kept)
    assert refused.value.code == "CodingOpen"
    reconciling.close(coding=coding, by=None, now=NOW)
    assert reconciling.final_codes(coding) == {two.pk: {ORDER}}
    with pytest.raises(Refusal):
        reconciling.decide(codes=["nothing"], note="", **kept)
    reconciling.decide(codes=[LAYOUT], note="", **kept)
    reconciling.decide(codes=[SPEED, LAYOUT], note="Both.", **kept)
    assert reconciling.final_codes(coding) == {one.pk: {LAYOUT, SPEED}, two.pk: {ORDER}}
    assert UnitDecision.objects.count() == 2
    with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("UPDATE judging_unitdecision SET note = 'Other'")


def test_added_codes_of_one_name_are_one_and_come_into_the_next_version(coding):
    first, second = two_coders(coding)
    one, two = coding.units.order_by("position")
    for coder, name in ((first, "Too bright"), (second, "too bright")):
        coding_units.record(coder=coder, unit=one, codes=[], now=NOW, added=name)
        coding_units.record(coder=coder, unit=two, codes=[], now=NOW)
    with pytest.raises(Refusal) as refused:
        adopt(coding)
    assert refused.value.code == "CodingOpen"
    reconciling.close(coding=coding, by=None, now=NOW)
    assert not reconciling.disagreements(coding)
    assert reconciling.final_codes(coding)[one.pk] == {"added/1-1"}
    assert [code.key for code in coding_units.codes_for(coding, None)] == [*KEYS, "added/1-1"]
    version = adopt(coding)
    assert (version.number, version.codes.last().name) == (2, "Too bright")
    with pytest.raises(Refusal) as refused:
        adopt(coding)
    assert refused.value.code == "NoAddedCodes"


def test_a_code_that_quotes_a_comment_is_not_kept_in_the_codebook(coding):
    first, second = two_coders(coding)
    one, two = coding.units.order_by("position")
    quote = one.text.upper()  # three words and more
    for coder, name in ((first, f"So: {quote}"), (second, "Comment")):
        coding_units.record(coder=coder, unit=one, codes=[], now=NOW, added=name)
        coding_units.record(coder=coder, unit=two, codes=[], now=NOW)
    reconciling.close(coding=coding, by=None, now=NOW)
    version = adopt(coding)
    assert version.codes.last().name == "Comment"
    with pytest.raises(Refusal) as refused:
        adopt(coding)
    assert refused.value.code == "QuotedCodes"


def test_withdrawn_work_loses_its_units_codes_and_quoted_names(coding):
    first, _ = two_coders(coding)
    one, two = coding.units.order_by("position")
    coding_units.record(coder=first, unit=one, codes=[], now=NOW, added="its own words")
    assigning.withdraw(assignment=one.assignment, now=NOW + HOUR)
    assert list(CodingUnit.objects.all()) == [two]
    assert not UnitCodes.objects.exists()
    assert AddedCode.objects.get().name == ""


def test_an_erasure_after_the_closing_compares_the_same_coders(coding, client):
    coders = two_coders(coding)
    third = coding_units.join(coding=coding, user=colleague(coding.study, "kim"))
    one, two = coding.units.order_by("position")
    for coder in coders:
        code_all(coder, [[LAYOUT], [SPEED]])
    coding_units.record(coder=third, unit=two, codes=[ORDER], now=NOW)  # and not the first
    reconciling.close(coding=coding, by=None, now=NOW)
    assert reconciling.erased_since_closing(coding) == 0
    assigning.withdraw(assignment=one.assignment, now=NOW + HOUR)
    coding.refresh_from_db()
    assert reconciling.finished_coders(coding) == list(coders)
    assert reconciling.final_codes(coding) == {two.pk: {SPEED}}
    assert reconciling.erased_since_closing(coding) == 1
    client.force_login(coders[0].user)
    place = [coding.study.slug, coding.study.version, coding.pk]
    page = client.get(reverse("coding", args=place)).content.decode()
    assert elements(page, "data-erased", "1")


def test_a_coder_whose_account_is_deleted_stays_compared(coding):
    coders = two_coders(coding)
    for coder in coders:
        code_all(coder, [[LAYOUT], []])
    reconciling.close(coding=coding, by=None, now=NOW)
    before = reconciling.codes_by_coder(coding)
    Membership.objects.filter(user=coders[1].user).delete()
    coders[1].user.delete()
    assert reconciling.codes_by_coder(coding) == before
    assert [coder.number for coder in reconciling.finished_coders(coding)] == [1, 2]


def test_a_unit_is_coded_on_the_page(coding, client):
    user = rita()
    client.force_login(user)
    place = [coding.study.slug, coding.study.version, coding.pk]
    address = reverse("code_unit", args=place)
    page = client.get(address)
    assert page.context["unit"].position == 1
    assert not Coder.objects.exists()  # a look does not write
    sent = client.post(address, {"unit": "1", "code": [LAYOUT], "added": "Own", "stay": "1"})
    assert sent["Location"].endswith("?unit=1")
    sent = client.post(address, {"unit": "1", "code": [LAYOUT, "added/1-1"]})
    assert client.get(sent["Location"]).context["unit"].position == 2
    sent = client.post(address, {"unit": "2"}, follow=True)
    assert sent.redirect_chain[-1][0] == reverse("coding", args=place)
    codes = list(UnitCodes.objects.order_by("unit__position").values_list("codes", flat=True))
    assert codes == [[LAYOUT, "added/1-1"], []]
    for wanted in ("3", "x", "-1", "9" * 30):
        assert client.get(address, {"unit": wanted}).status_code == 404
