"""Check tells which of Prolific's rules a draft breaks, with the source of each."""

from decimal import Decimal
from typing import Any

import pytest

from annotation.studies.drafts import prolific_rules
from tests.annotation.studies.drafts.test_preflight import changed, document, remarks

QUESTION = {
    "key": "lives",
    "label": "Where do you live?",
    "options": [{"code": "here", "label": "Here"}, {"code": "there", "label": "There"}],
    "right": "here",
}


def on_prolific(**more: Any) -> list[tuple[str, str]]:
    one = changed(document(), "recruitment/platform", "prolific")
    for path, value in more.items():
        one = changed(one, path.replace("__", "/"), value)
    return [(path, sentence) for path, sentence in remarks(one) if "Prolific" in sentence]


def test_a_wise_draft_breaks_no_rule() -> None:
    assert on_prolific() == []


@pytest.mark.parametrize(
    ("currency", "pay", "broken"),
    [
        ("USD", "1.60", False),
        ("USD", "1.59", True),
        ("GBP", "1.20", False),
        ("GBP", "1.19", True),
    ],
)
def test_the_reward_has_a_minimum_an_hour(currency: str, pay: str, broken: bool) -> None:
    minutes = 12  # of the method
    one = changed(document(), "recruitment/platform", "prolific")
    one = changed(changed(one, "recruitment/currency", currency), "recruitment/pay", pay)
    expected = type("Expected", (), {"minutes": minutes})()
    found = list(prolific_rules.hourly_reward(one, expected))
    assert bool(found) == broken
    if broken:
        assert str(prolific_rules.PAYMENT) in found[0].sentence


def test_prolific_takes_no_other_currency() -> None:
    ((path, sentence),) = on_prolific(recruitment__currency="EUR")
    assert path == "recruitment/currency"
    assert "EUR" in sentence


@pytest.mark.parametrize(
    ("reward", "said"),
    [
        ("0", "two attempts"),
        ("0.13", "at least 0.14 USD"),
        ("0.14", ""),
        ("8.00", "8.00"),
    ],
)
def test_questions_before_the_work_pay_what_prolific_asks_for(reward: str, said: str) -> None:
    found = on_prolific(
        screening__questions=[QUESTION], screening__pass_mark=1, screening__reward=reward
    )
    assert [path for path, _ in found] == (["screening/reward"] if said else [])
    assert not said or said in found[0][1]


@pytest.mark.parametrize(
    ("minutes", "least", "items", "broken"),
    [(12, 1, 2, True), (12, 2, 1, True), (12, 2, 2, False), (4, 1, 1, False)],
)
def test_a_rejection_needs_two_failed_attention_checks(
    minutes: int, least: int, items: int, broken: bool
) -> None:
    one = changed(document(), "recruitment/platform", "prolific")
    policy = {"act": "reject", "automatic": True, "least": least}
    one = changed(one, "quality/policies/attention", policy)
    one.instruments[0]["attention"] = [{"key": f"a{n}"} for n in range(items)]
    expected = type("Expected", (), {"minutes": minutes})()
    assert bool(list(prolific_rules.attention_checks(one, expected))) == broken


@pytest.mark.parametrize(
    ("added", "broken"),
    [
        ("", False),
        ("You are paid by Upwork.", True),
        ("Nobody tells us who you are, and a cookie knows you.", True),
    ],
)
def test_the_consent_text_fits_prolific(added: str, broken: bool) -> None:
    one = changed(document(), "recruitment/platform", "prolific")
    one.instruments[0]["consent"] += f"\n\n{added}"
    assert bool(list(prolific_rules.consent(one))) == broken


def test_each_rule_has_a_source_and_a_day() -> None:
    sources = [
        var for var in vars(prolific_rules).values() if isinstance(var, prolific_rules.RuleSource)
    ]
    assert len(sources) >= 4
    assert all("rolific" in source.address and "20" in source.day for source in sources)
    assert prolific_rules.HOURLY["USD"] == Decimal(8)
