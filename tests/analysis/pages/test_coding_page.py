"""Agreement, counts and export of a closed coding; kappa against its definition."""

from collections import Counter
from fractions import Fraction
from math import isclose
from random import Random

import pytest
from django.contrib.auth.models import User
from django.template.loader import render_to_string
from django.urls import reverse

from analysis.exports.exporting import write_bundle
from analysis.pages.coding.tables import code_counts, code_rows, codes_by_method, systems_of
from analysis.stats.agreement.code_agreement import LEAST_RARER, code_agreement
from judging.coding import reconciling
from judging.models import Instrument
from tests.analysis.exports.exported import jsonl
from tests.cast import NOW
from tests.judging.coding.cast import KEYS, code_all, coding_of, commented_study, two_coders

pytestmark = pytest.mark.django_db
LAYOUT, SPEED, ORDER = KEYS


def kappa_of(first, second):
    """Cohen (1960): observed agreement beyond that of the coders' own marginals."""
    n = len(first)
    observed = Fraction(sum(a == b for a, b in zip(first, second, strict=True)), n)
    a, b = Counter(first), Counter(second)
    expected = sum(Fraction(a[label] * b[label], n * n) for label in (False, True))
    return float((observed - expected) / (1 - expected))


def alpha_of(first, second):
    """Krippendorff (2018), nominal, two coders: 1 - observed / expected disagreement."""
    votes = [*first, *second]
    n, counts = len(votes), Counter(votes)
    observed = Fraction(sum(a != b for a, b in zip(first, second, strict=True)) * 2, n)
    expected = Fraction(2 * counts[True] * counts[False], n * (n - 1))
    return float(1 - observed / expected)


@pytest.fixture
def sixty():
    """Two coders of 60 comments, who agree on most."""
    coding = coding_of(commented_study())
    assert coding.units.count() == 60
    coders, draw = two_coders(coding), Random(30)
    true = [[key for key in (LAYOUT, SPEED) if draw.random() < 0.4] for _ in range(60)]
    for coder in coders:
        code_all(
            coder,
            [
                [key for key in KEYS[:2] if (key in codes) != (draw.random() < 0.15)]
                for codes in true
            ],
        )
    reconciling.close(coding=coding, by=None, now=NOW)
    return coding


def test_kappa_and_alpha_of_sixty_comments_are_those_of_the_definition(sixty):
    _, rows, unused = code_rows(sixty)
    given = reconciling.codes_by_coder(sixty)
    assert [row.code.key for row in rows] == [LAYOUT, SPEED]
    assert unused == ["Task: Layout"]
    for row in rows:
        first, second = ([row.code.key in codes[n] for codes in given.values()] for n in (1, 2))
        assert isclose(row.kappa.value, kappa_of(first, second), abs_tol=1e-12)
        assert isclose(row.alpha.value, alpha_of(first, second), abs_tol=1e-12)
        assert list(row.given) == [sum(first), sum(second)]
        assert row.kappa.low < row.kappa.value < row.kappa.high
        assert row.kappa.why == row.alpha.why == ""


@pytest.mark.parametrize(
    ("first", "second", "has_value"),
    [
        ([True] * 5 + [False] * 4, [True] * 4 + [False] * 5, True),  # too few units
        ([True] * 4 + [False] * 56, [True] * 5 + [False] * 55, True),  # too few uses
        ([True] * 30 + [False] * 30, [True] * 30 + [False] * 30, True),  # no disagreement
        ([True] * 60, [True] * 60, False),  # no variation
    ],
)
def test_without_enough_data_there_is_a_reason_and_no_interval(first, second, has_value):
    found = code_agreement([first, second])
    for measure in (found.kappa, found.alpha):
        assert (measure.value is not None) == has_value
        assert measure.low is measure.high is None
        assert " because " in measure.why
    assert found.kappa.why == found.alpha.why  # the page shows it once
    assert LEAST_RARER == 10


def test_counts_are_by_code_method_and_system(sixty):
    for unit in sixty.units.filter(pk__in=reconciling.disagreements(sixty)):
        reconciling.decide(coding=sixty, unit=unit, codes=[ORDER], note="", by=None, now=NOW)
    counts, final, systems = code_counts(sixty), reconciling.final_codes(sixty), systems_of(sixty)
    assert counts.systems == ["Alpha", "Beta"]
    assert {row.method for row in counts.rows} == {"Tiny"}
    for row in counts.rows:
        units = [unit for unit, keys in final.items() if row.code.key in keys]
        assert row.total == len(units)
        assert list(row.cells) == [
            sum(name in systems[unit] for unit in units) for name in counts.systems
        ]
    assert sum(row.total for row in counts.rows) >= len(final) - list(final.values()).count(
        frozenset()
    )


def test_results_have_the_codes_of_each_method(sixty):
    study = sixty.study
    assert codes_by_method(study) is None  # there is one method
    assert render_to_string("console/_codes_by_method.html", {"codes": None}).strip() == ""
    other = Instrument.objects.create(study=study, key="other", title="Other", position=2)
    sixty.units.filter(position__lte=20).update(instrument=other)
    counts = {(row.code.key, row.method): row.total for row in code_counts(sixty).rows}
    found = codes_by_method(study)
    assert found.methods == ["Other", "Tiny"]
    cells = {
        (code.key, name): n
        for code, row in found.rows
        for name, n in zip(found.methods, row, strict=True)
    }
    assert {place: n for place, n in cells.items() if n} == counts
    page = render_to_string("console/_codes_by_method.html", {"codes": found, "study": study})
    assert page.count("data-code=") == len(found.rows) >= 2
    assert reverse("coding", args=[study.slug, study.version, sixty.pk]) in page
    type(sixty).objects.update(closed_at=None)
    assert codes_by_method(study) is None


def test_the_page_and_the_file_have_the_codes(sixty, client, tmp_path):
    client.force_login(User.objects.get(username="rita"))
    place = [sixty.study.slug, sixty.study.version, sixty.pk]
    page = client.get(reverse("coding", args=place)).text
    assert page.count("data-code-row") == 2
    left = len(reconciling.disagreements(sixty))
    assert f'data-left="{left}"' in page
    write_bundle(study=sixty.study, out=tmp_path)
    rows = jsonl(tmp_path / "codes.jsonl.gz")
    given = reconciling.codes_by_coder(sixty)
    positions = dict(sixty.units.values_list("position", "pk"))
    for number in ("1", "2"):
        found = {(positions[row["unit"]], row["code"]) for row in rows if row["coder"] == number}
        expected = {
            (unit, key) for unit, codes in given.items() for key in codes[int(number)] or {""}
        }
        assert found == expected
    reconciled = {row["unit"] for row in rows if row["coder"] == "reconciled"}
    assert len(reconciled) == 60 - left


def test_an_open_coding_is_in_no_file(tmp_path):
    coding = coding_of(commented_study(workers=2, responses=2))
    code_all(two_coders(coding)[0], [[LAYOUT], [SPEED]])
    write_bundle(study=coding.study, out=tmp_path)
    assert not (tmp_path / "codes.jsonl.gz").exists()
