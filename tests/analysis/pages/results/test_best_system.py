"""Whom the summary calls the best: nobody whose mean has no interval."""

from dataclasses import replace
from types import SimpleNamespace

import pytest
from django.template.loader import render_to_string

from analysis.pages.results import best_groups
from analysis.pages.results import summary as summaries
from analysis.pages.results.pages import Spread
from analysis.stats.design_checks import About
from analysis.stats.verdicts import Lead
from tests.hooks import element, elements, numbers
from tests.markup import on_lines

WHY = "No interval is offered because it takes 10 topics and there are 4."


def pairs_of(groups):
    """Each two groups with an interval, compared; those that share a letter do not differ."""
    known = [each for each in groups if each["low"] is not None]
    return [
        {
            "group": one["group"], "other": other["group"], "q": 0.04, "why": "",
            "ahead": 0.9 if one["mean"] > other["mean"] else 0.1,
            "p_adjusted": 0.5 if set(one["letters"]) & set(other["letters"]) else 0.01,
        }
        for one in known
        for other in known
        if one is not other
    ]  # fmt: skip


def group(name, mean, *, letters, low=None, high=None):
    return {
        "group": name, "by": "system", "mean": mean, "low": low, "high": high, "letters": letters,
        "topics": 1 if low is None else 12, "workers": 12, "why": "" if low is not None else WHY,
    }  # fmt: skip


@pytest.fixture
def told(monkeypatch):
    """Return the summary of a run with these groups, and its page in plain words."""
    monkeypatch.setattr(summaries, "worker_rows", lambda found: [])
    monkeypatch.setattr(summaries, "judge_losses", lambda found: [])
    monkeypatch.setattr(summaries, "spread_of", lambda rows: Spread(None, None, 0, None))
    monkeypatch.setattr(summaries, "headline_alphas", lambda found: {})
    monkeypatch.setattr(summaries, "_warnings", lambda found: [])
    monkeypatch.setattr(summaries, "judge_losses", lambda found: [])

    def of(*groups, pairs=None):
        tables = {"means": groups, "ahead": pairs_of(groups) if pairs is None else pairs}
        found = SimpleNamespace(
            headline="overall",
            records=lambda analysis, name, **_: list(tables.get(name, ())),
            words=SimpleNamespace(of=str, of_group=str),
            called=lambda question: "merit",
            scored=[],
            confidence=0.95,
        )
        made = summaries.summary_of(found)
        page = on_lines(
            render_to_string("console/_summary.html", {"summary": made, "found": found})
        )
        return made, page

    return of


def test_system_without_interval_is_not_among_the_best(told):
    made, page = told(
        group("human writers", 2.0, letters="ab"),
        group("colbert", 1.0, letters="a", low=0.8, high=1.2),
        group("bm25", -1.0, letters="b", low=-1.2, high=-0.8),
    )
    assert [row["group"] for row in made.best] == ["colbert"]
    assert element(page, "data-best", "known").text == "colbert"
    figures = element(page, "data-figure", "best").numbers
    # Mean with its interval, topics, workers, systems, of which compared.
    assert figures[:7] == [1.00, 0.80, 1.20, 12, 12, 3, 2]


def test_system_never_compared_with_the_first_does_not_share_rank_one(told):
    known = (
        group("colbert", 1.0, letters="a", low=0.8, high=1.2),
        group("bm25", 0.9, letters="a", low=0.7, high=1.1),
        group("rm3", 0.8, letters="b", low=0.6, high=1.0),
    )
    reason = "Groups cannot be compared because no topic has both."
    pairs = [
        {"group": one, "other": other, "ahead": 0.8, "p_adjusted": p, "why": "" if p else reason}
        for one, other, p in (("colbert", "bm25", 0.5), ("colbert", "rm3", None))
    ]
    made, page = told(*known, pairs=pairs)
    assert [row["group"] for row in made.best] == ["colbert", "bm25"]
    assert (made.compared, made.groups) == (2, 3)
    assert element(page, "data-figure", "best").numbers[-2:] == [3, 2]  # systems, compared
    assert reason in page
    alone, _ = told(*known[:2], pairs=[])
    assert not alone.is_known


def swept(one, other, *, topics, workers):
    """Return a pair of which every vote prefers the first, in both directions."""
    return [
        {
            "group": group, "other": loser, "ahead": ahead, "p_adjusted": 0.01, "low": None,
            "topics": topics, "workers": workers, "why": "All votes agree.",
        }
        for group, loser, ahead in ((one, other, 0.99), (other, one, 0.01))
    ]  # fmt: skip


def test_a_system_that_all_votes_prefer_wins_with_a_one_sided_bound(told):
    groups = [group(name, mean, letters="") for name, mean in (("a", 2.0), ("b", 1.0), ("c", 0.0))]
    sweeps = swept("a", "b", topics=14, workers=12) + swept("a", "c", topics=13, workers=12)
    made, page = told(*groups, pairs=sweeps)
    assert made.lead is Lead.WINS
    assert element(page, "data-best", "known").text == "a"
    assert numbers(made.why)[:4] == [95, round(100 * 0.05 ** (1 / 12)), 13, 12]
    tied = {"group": "a", "other": "c", "ahead": 0.9, "p_adjusted": 0.01, "low": 0.1, "why": ""}
    assert told(*groups, pairs=[*swept("a", "b", topics=14, workers=12), tied])[0].why == WHY


@pytest.mark.parametrize(("compared", "flagged"), [(9, 2), (0, 0)])
def test_the_summary_counts_flags_of_workers_that_can_be_compared(told, compared, flagged):
    made, _ = told(group("a", 1.0, letters=""))
    spread = Spread(0.61, 0.5, 0.7, compared, flagged)
    summary = replace(made, best=[], workers=12, spread=spread)
    context = {"summary": summary, "pool": "experts"}
    page = on_lines(render_to_string("console/_summary.html", context))
    figures = element(page, "data-figure", "raters").numbers
    assert figures == [12, 0.61, flagged] if compared else figures == [12, 0.61]


def test_the_reason_names_the_group_that_has_no_interval(told):
    made, _ = told(
        group("human writers", 2.0, letters=""),
        group("colbert", 1.0, letters="a", low=0.8, high=1.2),
        group("bm25", 0.9, letters="a", low=0.7, high=1.1),
    )
    assert made.why == f"human writers: {WHY}"
    assert told(group("a", 2.0, letters=""), group("b", 1.0, letters=""))[0].why == WHY


def test_those_with_an_interval_may_have_no_clear_winner(told):
    made, page = told(
        group("human writers", 2.0, letters="a"),
        group("colbert", 1.0, letters="a", low=0.8, high=1.2),
        group("bm25", 0.9, letters="a", low=0.7, high=1.1),
    )
    assert made.undecided
    assert element(page, "data-best", "undecided").text
    best = element(page, "data-figure", "best")
    assert "colbert" in best.text
    assert best.numbers[0] == 1.00


@pytest.mark.parametrize("low", [None, 0.8])
def test_fewer_than_two_intervals_give_no_best_system(told, low):
    made, page = told(
        group("human writers", 2.0, letters="a"),
        group("colbert", 1.0, letters="a", low=low, high=low and 1.2),
    )
    assert not made.is_known
    assert element(page, "data-best", "unknown").text
    best = element(page, "data-figure", "best")
    assert "human writers" in best.text
    assert best.numbers[:2] == [2.00, 1]  # mean, topics
    assert WHY in page


@pytest.mark.parametrize(("workers", "word"), [(9, "too-few"), (10, "enough")])
def test_raters_and_topics_have_the_words_of_their_verdicts(told, monkeypatch, workers, word):
    alpha = {"value": 0.2, "low": 0.05, "high": 0.3, "items": 40, "resampled": "topics"}
    monkeypatch.setattr(summaries, "headline_alphas", lambda found: {"overall": alpha})
    made, _ = told(group("a", 1.0, letters="a"), group("b", 0.5, letters="b"))
    summary = replace(made, workers=workers)
    page = render_to_string(
        "console/_summary.html",
        {"summary": summary, "pool": "models", "found": SimpleNamespace(scored=[])},
    )
    words = [mark.attributes["data-verdict"] for mark in elements(page, "data-verdict")]
    assert words == ["too-few", "typical", word]  # 1 topic, agreement, raters


def test_few_raters_lead_to_no_winner_for_others(told):
    groups = [
        group(name, mean, letters=letters, low=mean - 0.2, high=mean + 0.2)
        | {"workers": 5, "about": About.THESE}
        for name, mean, letters in (("colbert", 1.0, "a"), ("bm25", -1.0, "b"))
    ]
    made, page = told(*groups)
    assert made.lead == Lead.LEADS
    assert 'data-lead="leads"' in page
    assert elements(page, "data-verdict", "too-few") == []  # of 12 topics
    assert told(*({**each, "about": About.LIKE_THESE} for each in groups))[0].lead == Lead.WINS


def test_summary_omits_intervals_when_all_systems_have_one(told):
    _, page = told(
        group("colbert", 1.0, letters="a", low=0.8, high=1.2),
        group("bm25", -1.0, letters="b", low=-1.2, high=-0.8),
    )
    assert element(page, "data-best", "known").text == "colbert"
    assert element(page, "data-figure", "best").numbers[5:7] == [2, 1]  # systems, pairs


def test_system_that_another_than_the_first_beats_is_not_among_the_best(told):
    groups = (
        group("colbert", 1.0, letters="a", low=0.4, high=1.6),
        group("bm25", 0.9, letters="a", low=0.8, high=1.0),
        group("rm3", 0.5, letters="a", low=0.4, high=0.6),
    )
    pairs = [
        row | {"p_adjusted": 0.01} if {row["group"], row["other"]} == {"bm25", "rm3"} else row
        for row in pairs_of(groups)
    ]
    made, _ = told(*groups, pairs=pairs)
    assert [row["group"] for row in made.best] == ["colbert", "bm25"]


def test_false_discovery_rate_below_five_percent_names_no_winner(told):
    groups = (
        group("colbert", 1.0, letters="a", low=0.8, high=1.2),
        group("bm25", 0.9, letters="a", low=0.7, high=1.1),
    )
    pairs = [row | {"q": 0.04, "p_adjusted": 0.06} for row in pairs_of(groups)]
    assert told(*groups, pairs=pairs)[0].undecided


def test_runs_of_earlier_versions_get_adjusted_p_by_holm():
    pairs = [
        {"group": a, "other": b, "ahead": 0.9, "p": p, "q": 0.01}
        for a, b, p in (("A", "B", 0.02), ("A", "C", 0.04), ("B", "C", None), ("B", "A", 0.02))
    ]
    adjusted = [row["p_adjusted"] for row in best_groups.with_adjusted_p(pairs)]
    assert adjusted == [0.04, 0.04, None, 0.04]
    published = [{"group": "A", "other": "B", "ahead": 0.9, "p": 0.04}]
    assert best_groups.with_adjusted_p(published) == published
    assert best_groups.beats(published[0])


def test_system_that_wins_every_vote_is_the_best_without_an_interval(told):
    groups = (group("colbert", 1.0, letters="a"), group("bm25", -1.0, letters="b"))
    pairs = [
        {"group": one, "other": other, "p_adjusted": 0.002, "ahead": ahead, "why": WHY}
        for one, other, ahead in (("colbert", "bm25", 0.999), ("bm25", "colbert", 0.001))
    ]
    made, page = told(*groups, pairs=pairs)
    assert [row["group"] for row in made.best] == ["colbert"]
    assert element(page, "data-best", "known").text == "colbert"
