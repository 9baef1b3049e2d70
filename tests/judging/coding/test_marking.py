"""Passages that a coder marks in a comment become units for all coders."""

import pytest
from django.urls import reverse

from analysis.exports.exporting import write_bundle
from analysis.pages.coding.tables import code_counts
from annotation.fieldwork.work import assigning
from annotation.refusals import Refusal
from judging.coding import coding_units, marking, reconciling
from judging.models import CodingUnit
from tests.analysis.exports.exported import jsonl
from tests.cast import HOUR, NOW, rita
from tests.hooks import elements
from tests.judging.coding.cast import KEYS, code_all, coding_of, commented_study, two_coders

pytestmark = pytest.mark.django_db
TEXT = "Too small.\r\nAlso 👍 slow, but fine."
LAYOUT, SPEED, ORDER = KEYS


@pytest.fixture
def coding():
    coding = coding_of(commented_study(workers=2, responses=2))
    CodingUnit.objects.filter(position=1).update(text=TEXT)
    return coding


def whole(coding):
    return coding.units.get(position=1)


def test_a_passage_is_a_unit_for_all_coders(coding):
    first, second = two_coders(coding)
    one = whole(coding)
    made = marking.mark(unit=one, start=11, passage="Also 👍 slow ")
    assert (made.position, made.text, made.start, made.whole) == (3, "Also 👍 slow", 11, one)
    assert (made.item_id, made.instrument_id, made.kind) == (one.item_id, one.instrument_id, "page")
    assert marking.mark(unit=one, start=11, passage="Also 👍 slow") == made
    assert coding.units.count() == 3
    code_all(first, [[LAYOUT, SPEED], [], [SPEED]])
    code_all(second, [[LAYOUT, SPEED], [], [ORDER]])
    reconciling.close(coding=coding, by=None, now=NOW)
    assert reconciling.disagreements(coding) == [made.pk]
    with pytest.raises(Refusal) as refused:
        marking.mark(unit=one, start=0, passage="Too small")
    assert refused.value.code == "CodingClosed"


def test_a_code_counts_once_for_a_comment_and_its_passages(coding):
    coders = two_coders(coding)
    marking.mark(unit=whole(coding), start=11, passage="Also 👍 slow")
    marking.mark(unit=whole(coding), start=0, passage="Too small")
    for coder in coders:
        code_all(coder, [[LAYOUT], [SPEED], [LAYOUT, SPEED], [SPEED]])
    reconciling.close(coding=coding, by=None, now=NOW)
    totals = {row.code.key: row.total for row in code_counts(coding).rows}
    assert totals == {LAYOUT: 1, SPEED: 2}
    assert {str(row.code) for row in code_counts(coding).rows} == {"Pages: Layout", "Speed"}


@pytest.mark.parametrize(
    ("start", "passage"),
    [
        (0, ""),
        (0, "  "),
        (1, "Too"),
        (-1, "Too"),
        (0, TEXT),
        (0, TEXT + " "),
        (99, "Too"),
        (0, "x"),
    ],
)
def test_a_passage_is_a_part_of_the_comment(coding, start, passage):
    with pytest.raises(Refusal) as refused:
        marking.mark(unit=whole(coding), start=start, passage=passage)
    assert refused.value.code == "BadPassage"
    assert coding.units.count() == 2


def test_a_passage_has_no_passages_and_a_comment_has_a_limit(coding, monkeypatch):
    made = marking.mark(unit=whole(coding), start=0, passage="Too small")
    with pytest.raises(Refusal):
        marking.mark(unit=made, start=0, passage="Too")
    monkeypatch.setattr(marking, "MOST_PASSAGES", 1)
    with pytest.raises(Refusal) as refused:
        marking.mark(unit=whole(coding), start=4, passage="small")
    assert refused.value.code == "TooManyPassages"


def test_a_mark_is_removed_until_somebody_has_coded_it(coding):
    first, _ = two_coders(coding)
    made = marking.mark(unit=whole(coding), start=0, passage="Too small")
    marking.unmark(unit=made)
    assert coding.units.count() == 2
    made = marking.mark(unit=whole(coding), start=0, passage="Too small")
    coding_units.record(coder=first, unit=made, codes=[], now=NOW)
    for unit in (made, whole(coding)):
        with pytest.raises(Refusal):
            marking.unmark(unit=unit)


def test_a_withdrawal_erases_passages(coding):
    made = marking.mark(unit=whole(coding), start=0, passage="Too small")
    assigning.withdraw(assignment=made.assignment, now=NOW + HOUR)
    assert [unit.position for unit in coding.units.all()] == [2]


def test_passages_are_marked_and_removed_on_the_page(coding, client):
    client.force_login(rita())
    place = [coding.study.slug, coding.study.version, coding.pk]
    address, code = reverse("mark_passage", args=place), reverse("code_unit", args=place)
    assert elements(client.get(code, {"unit": 1}).text, "data-mark-form")
    sent = client.post(address, {"unit": 1, "start": "0", "passage": "Too small", "act": "mark"})
    assert sent["Location"] == f"{code}?unit=1"
    assert len(elements(client.get(code, {"unit": 1}).text, "data-passages")) == 1
    page = client.get(code, {"unit": 3}).text
    assert elements(page, "data-whole", "1")
    assert not elements(page, "data-mark-form")
    for start in ("", "x", "9" * 20, "1"):
        client.post(address, {"unit": 1, "start": start, "passage": "Too small", "act": "mark"})
    assert coding.units.count() == 3
    sent = client.post(address, {"unit": 3, "act": "unmark"})
    assert sent["Location"] == f"{code}?unit=1"
    assert coding.units.count() == 2


def test_pages_pass_over_erased_comments(coding, client):
    client.force_login(rita())
    marking.mark(unit=whole(coding), start=0, passage="Too small")
    CodingUnit.objects.filter(position=2).delete()
    place = [coding.study.slug, coding.study.version, coding.pk]
    page = client.get(reverse("code_unit", args=place), {"unit": 3})
    assert page.context["before"].position == 1
    assert page.context["after"] is None


def test_the_file_of_codes_has_the_place_of_a_passage(coding, tmp_path):
    marking.mark(unit=whole(coding), start=4, passage="small")
    for coder in two_coders(coding):
        code_all(coder, [[], [], [LAYOUT]])
    reconciling.close(coding=coding, by=None, now=NOW)
    write_bundle(study=coding.study, out=tmp_path)
    rows = jsonl(tmp_path / "codes.jsonl.gz")
    places = {(row["unit"], row["whole"], row["start"]) for row in rows}
    assert places == {(1, None, None), (2, None, None), (3, 1, 4)}
