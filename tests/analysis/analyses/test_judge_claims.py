"""Claims about judges, with all judges of a question taken together."""

from unittest.mock import Mock

import pytest

from analysis.analyses.judge_claims import adjust_claims
from analysis.pages.results.pages.judges import judges_context

KEY = "quality"


def tables(*judges):
    """Return rows as an analysis has them; each judge is p of habits, of a person, of a side."""
    rows = {"agreement": [], "habits": [], "replacement": []}
    for k, (habits, person, side) in enumerate(judges):
        rows["agreement"].append({"judge": f"j{k}", "p": habits, "p_over_person": person})
        rows["habits"] += [{"judge": f"j{k}", "p": side}, {"judge": f"j{k}", "share": 0.1}]
    return rows


def test_holm_takes_all_sentences_of_a_question_together():
    rows = tables((0.001, 0.02, 0.5), (0.03, None, 0.004))
    adjust_claims(rows)
    first, second = rows["agreement"]
    assert first["p_adjusted"] == pytest.approx(5 * 0.001)
    assert rows["habits"][2]["p_adjusted"] == pytest.approx(4 * 0.004)
    assert first["p_over_person_adjusted"] == pytest.approx(3 * 0.02)
    assert second["p_adjusted"] == pytest.approx(3 * 0.02)  # never below the one before
    assert rows["habits"][0]["p_adjusted"] == 0.5
    assert "p_over_person_adjusted" not in second
    assert "p_adjusted" not in rows["habits"][1]


@pytest.mark.parametrize(("others", "passes"), [([], "yes"), ([0.5], "no")])
def test_another_judge_makes_passing_harder(others, passes):
    rows = tables()
    for p in [0.03, *others]:
        rows["replacement"].append({"beside": "expert", "p": p})
    rows["replacement"].append({"beside": "crowd", "p": 0.04})
    adjust_claims(rows)
    assert rows["replacement"][0]["passes"] == passes
    assert rows["replacement"][-1]["passes"] == "yes"  # another family


AGREEMENT = {
    "judge": "j", "alpha": 0.51, "alpha_low": 0.4, "alpha_high": 0.6, "p": 0.001,
    "p_adjusted": 0.003, "over_person": 0.27, "p_over_person_adjusted": 0.01, "items": 90,
}  # fmt: skip
LEFT = {
    "judge": "j", "habit": "left side, of labels that choose", "share": 0.8, "low": 0.7,
    "high": 0.9, "labels": 90, "p_adjusted": 0.02,
}  # fmt: skip


def finding(agreement=AGREEMENT, left=LEFT):
    rows = {"agreement": [dict(agreement)], "habits": [dict(left)]}
    found = Mock(measures=[Mock(key=KEY, title="Quality")])
    found.records = lambda analysis, table, **where: rows.get(table, [])
    (question,) = judges_context(found, Mock())["questions_judged"]
    (only,) = question.findings
    return only


def sentence(agreement=AGREEMENT, left=LEFT):
    return finding(agreement, left).sentence


def test_sentences_claim_what_is_significant_with_all_judges_together():
    claimed = sentence()
    assert "0.27" in claimed  # by how much better than one person
    unclear = sentence(AGREEMENT | {"p_over_person_adjusted": 0.2})
    assert "0.27" not in unclear
    assert len({claimed, unclear, sentence(AGREEMENT | {"over_person": -0.27})}) == 3
    assert sentence(AGREEMENT | {"p_adjusted": 0.2}) not in (claimed, unclear)
    side = len(sentence()) - len(sentence(left=LEFT | {"p_adjusted": 0.06}))
    assert side > 0  # leaning to a side is no claim then


def test_runs_of_earlier_versions_claim_nothing():
    old = {key: value for key, value in AGREEMENT.items() if "person" not in key}
    del old["p_adjusted"]
    left = {key: value for key, value in LEFT.items() if key != "p_adjusted"}
    assert finding(old, left).state == "untested"
    assert len(sentence(old, left)) == len(sentence(old, left | {"p_adjusted": 0.9}))
