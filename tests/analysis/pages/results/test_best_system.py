"""Whom the summary calls the best: nobody whose mean has no interval."""

from collections import Counter
from dataclasses import replace
from types import SimpleNamespace

import pytest
from django.template.loader import render_to_string

from analysis.pages.results import best_groups
from analysis.pages.results import summary as summaries
from analysis.pages.results.answer import usual_reference
from analysis.pages.results.details import shown_answer
from analysis.pages.results.pages import Spread
from analysis.pages.results.paper_text import paper_sentences
from analysis.pages.results.topic_winners import TopicWinners
from analysis.pages.results.views import topics_left
from analysis.stats.design_checks import NO_SHARED_TOPIC, About
from analysis.stats.verdicts import LEAST_WORKERS, BiasVerdict, LeadVerdict
from tests.cast import small_study
from tests.hooks import element, elements, numbers, values
from tests.markup import on_lines

FOUND = SimpleNamespace(percent="95%", confidence=0.95)
WHY = "An interval for means needs at least 10 topics (you have 4)."


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


def shown(found, summary, **context):
    """Return the first page of results with this summary."""
    context |= {"summary": summary, "found": found, **shown_answer(found, summary)}
    return on_lines(render_to_string("console/_summary.html", context))


def best(page, state="known"):
    """Return the heading with the best systems, of a page in this state."""
    return element(page, "data-best", state).text


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
            called=lambda question: "strength",
            possible=lambda question: None,
            ends=lambda question: (-9, 9),
            scored=[],
            confidence=0.95,
            percent="95%",
        )
        made = summaries.summary_of(found)
        return made, shown(found, made)

    return of


def test_system_without_interval_is_not_among_the_best(told):
    made, page = told(
        group("human writers", 2.0, letters="ab"),
        group("colbert", 1.0, letters="a", low=0.8, high=1.2),
        group("bm25", -1.0, letters="b", low=-1.2, high=-0.8),
    )
    assert [row["group"] for row in made.best] == ["colbert"]
    assert "colbert" in best(page)
    assert numbers(best(page))[:4] == [1.00, 95, 0.80, 1.20]  # its mean with its interval
    assert (made.groups, made.compared) == (3, 2)
    assert [row.letters for row in made.answer.rows] == ["", "A", "B"]
    assert [row.is_best for row in made.answer.rows] == [False, True, False]
    assert values(page, "data-system") == ["human writers", "colbert", "bm25"]


def test_system_never_compared_with_the_first_does_not_share_rank_one(told):
    known = (
        group("colbert", 1.0, letters="a", low=0.8, high=1.2),
        group("bm25", 0.9, letters="a", low=0.7, high=1.1),
        group("rm3", 0.8, letters="b", low=0.6, high=1.0),
    )
    reason = NO_SHARED_TOPIC
    pairs = [
        {"group": one, "other": other, "ahead": 0.8, "p_adjusted": p, "why": "" if p else reason}
        for one, other, p in (("colbert", "bm25", 0.5), ("colbert", "rm3", None))
    ]
    made, page = told(*known, pairs=pairs)
    assert [row["group"] for row in made.best] == ["colbert", "bm25"]
    assert (made.compared, made.groups) == (2, 3)
    assert reason in element(page, "data-why").text
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
    assert made.lead is LeadVerdict.WINS
    assert "a" in best(page).split()
    assert numbers(made.why)[:4] == [95, round(100 * 0.05 ** (1 / 12)), 13, 12]
    tied = {"group": "a", "other": "c", "ahead": 0.9, "p_adjusted": 0.01, "low": 0.1, "why": ""}
    assert told(*groups, pairs=[*swept("a", "b", topics=14, workers=12), tied])[0].why == WHY


@pytest.mark.parametrize(("compared", "flagged"), [(9, 2), (0, 0)])
def test_the_summary_counts_flags_of_workers_that_can_be_compared(told, compared, flagged):
    made, _ = told(group("a", 1.0, letters=""))
    spread = Spread(0.61, 0.5, 0.7, compared, flagged)
    page = shown(FOUND, replace(made, workers=12, spread=spread), pool="experts")
    figures = element(page, "data-figure", "raters").numbers
    assert figures[:2] == [12, LEAST_WORKERS]
    assert figures[2:3] == [flagged] * bool(compared)


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
    assert {"colbert", "bm25"} <= set(best(page, "undecided").split())


@pytest.mark.parametrize("low", [None, 0.8])
def test_fewer_than_two_intervals_give_no_best_system(told, low):
    made, page = told(
        group("human writers", 2.0, letters="a"),
        group("colbert", 1.0, letters="a", low=low, high=low and 1.2),
    )
    assert not made.is_known
    assert "human writers" in best(page, "unknown")
    assert 2.00 in numbers(best(page, "unknown"))  # its mean
    assert WHY in element(page, "data-why").text


@pytest.mark.parametrize(("workers", "word"), [(9, "too-few"), (10, "enough")])
def test_raters_and_topics_have_the_words_of_their_verdicts(told, monkeypatch, workers, word):
    alpha = {"value": 0.2, "low": 0.05, "high": 0.3, "items": 40, "resampled": "topics"}
    monkeypatch.setattr(summaries, "headline_alphas", lambda found: {"overall": alpha})
    made, _ = told(group("a", 1.0, letters="a"), group("b", 0.5, letters="b"))
    page = shown(FOUND, replace(made, workers=workers), pool="models")
    words = [mark.attributes["data-verdict"] for mark in elements(page, "data-verdict")]
    assert words == ["typical", word]  # agreement, raters


def test_few_raters_lead_to_no_winner_for_others(told):
    groups = [
        group(name, mean, letters=letters, low=mean - 0.2, high=mean + 0.2)
        | {"workers": 5, "about": About.THESE}
        for name, mean, letters in (("colbert", 1.0, "a"), ("bm25", -1.0, "b"))
    ]
    made, page = told(*groups)
    assert made.lead == LeadVerdict.LEADS
    assert 'data-lead="leads"' in page
    assert 5 in numbers(best(page))  # these raters
    assert element(page, "data-raters-needed", "5")
    assert (
        told(*({**each, "about": About.LIKE_THESE} for each in groups))[0].lead == LeadVerdict.WINS
    )


def test_page_gives_no_reason_when_all_systems_have_an_interval(told):
    made, page = told(
        group("colbert", 1.0, letters="a", low=0.8, high=1.2),
        group("bm25", -1.0, letters="b", low=-1.2, high=-0.8),
    )
    assert "colbert" in best(page)
    assert elements(page, "data-why") == []
    assert (made.answer.systems, len(made.answer.rows)) == (2, 2)


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
    assert "colbert" in best(page)


def compared(first, other, difference, *, p=0.5, half=0.4, about=About.LIKE_THESE):
    """Return a pair in both directions, with the interval of its difference in logits."""
    ahead = 0.9 if difference > 0 else 0.1
    row = {"p_adjusted": p, "why": "", "about": about}
    return [
        row
        | {
            "group": one, "other": two, "difference": sign * difference,
            "low": sign * difference - half, "high": sign * difference + half,
            "ahead": ahead if sign > 0 else 1 - ahead,
        }
        for one, two, sign in ((first, other, 1), (other, first, -1))
    ]  # fmt: skip


def three(names=("rag", "colbert", "baseline")):
    letters = ("a", "b", "c")
    return [
        group(name, 1.0 - k, letters=letters[k], low=0.8 - k, high=1.2 - k)
        for k, name in enumerate(names)
    ]


def test_winner_is_given_as_the_share_of_comparisons_with_the_baseline(told):
    pairs = [
        *compared("rag", "colbert", 0.4, p=0.01),
        *compared("rag", "baseline", 0.9, p=0.01),
        *compared("colbert", "baseline", 0.5, p=0.01),
    ]
    made, page = told(*three(), pairs=pairs)
    assert made.lead is LeadVerdict.WINS
    assert made.answer.reference == "baseline"
    # 71% with its interval, then the runner-up with its own.
    assert numbers(best(page)) == [71, 95, 62, 79, 60, 50, 69]
    assert [row.is_reference for row in made.answer.rows] == [False, False, True]
    assert (made.answer.clear, len(made.answer.pairs)) == (3, 3)
    assert elements(page, "data-shows") == []


def test_no_clear_winner_says_what_would_have_shown(told):
    pairs = [
        *compared("rag", "colbert", 0.1),
        *compared("rag", "baseline", 0.9, p=0.01),
        *compared("colbert", "baseline", 0.8, p=0.01),
    ]
    made, page = told(*three(), pairs=pairs)
    assert made.lead is LeadVerdict.NO_CLEAR_WINNER
    assert numbers(best(page)) == [52, 95, 43, 62]
    assert "baseline" in best(page)  # both beat it
    assert element(page, "data-shows").numbers == [60]  # half the width of the interval, at 50%


@pytest.mark.parametrize(
    ("names", "leaders", "reference"),
    [
        (("rag", "bm25", "colbert"), ["rag"], "bm25"),
        (("rag", "colbert", "plain"), ["rag"], "plain"),
        (("bm25", "colbert", "rag"), ["bm25"], "rag"),
        (("a", "b"), ["a", "b"], "b"),
    ],
)
def test_the_usual_reference_is_a_baseline_that_does_not_lead(names, leaders, reference):
    named = dict(zip(names, names, strict=True))
    assert usual_reference(named, [{"group": name} for name in leaders]) == reference


@pytest.mark.parametrize(
    ("effect", "low", "high", "verdict"),
    [
        (0.03, -0.08, 0.14, BiasVerdict.NONE_FOUND),
        (-0.44, -0.6, -0.2, BiasVerdict.FOUND),
        (0.1, -0.4, 0.6, BiasVerdict.UNCLEAR),
        (0.1, None, None, BiasVerdict.UNCLEAR),
    ],
)
def test_position_bias_is_the_share_of_the_right_side(effect, low, high, verdict):
    row = {"effect": effect, "low": low, "high": high}
    found = SimpleNamespace(records=lambda *_, **__: [row])
    bias = summaries._bias(found, "overall")
    assert (bias.right > 0.5) == (effect < 0)
    assert bias.verdict is verdict
    assert bool(bias.ends) == (low is not None)
    assert bias.is_left == (effect > 0)
    # The page names the favoured side, so its share is at least a half and inside its interval.
    [share] = numbers(bias.percent)
    ends = numbers(bias.ends) or [0, 100]
    assert 50 <= share <= 100
    assert ends[0] <= share <= ends[1]


def test_the_draft_for_a_paper_has_the_votes_the_finding_and_the_agreement(told):
    pairs = [*compared("rag", "colbert", 0.1), *compared("rag", "baseline", 0.4)]
    made, _ = told(*three(), pairs=pairs)
    run = SimpleNamespace(pool="people", version="1.2", seed=7)
    found = SimpleNamespace(percent="95%", run=run)
    assert paper_sentences(found, made, method="m", rate="r") == []  # without votes
    alpha = {"value": 0.31, "low": -0.04, "high": 0.6, "votes": 1080, "items": 72}
    text = " ".join(
        paper_sentences(found, replace(made, alpha=alpha), method="method M", rate="rate R")
    )
    first, *rest = numbers(text)
    assert (first, rest[:2]) == (12, [1080, 72])
    assert {95, 0.31, 0.6, 0.04, 1.2, 7} <= {abs(number) for number in rest}
    assert "method M" in text
    assert "rate R" in text
    assert "rag" in text


def test_the_draft_for_a_paper_names_the_winner_its_reference_and_the_runner_up(told):
    pairs = [
        *compared("rag", "baseline", 2.2, p=0.01),
        *compared("rag", "colbert", 1.1, p=0.01),
        *compared("colbert", "baseline", 1.1, p=0.01),
    ]
    made, _ = told(*three(), pairs=pairs)
    run = SimpleNamespace(pool="people", version="1.2", seed=7)
    alpha = {"value": 0.31, "low": None, "high": None, "votes": 1080, "items": 72}
    found = SimpleNamespace(percent="95%", run=run)
    _, finding, *_ = paper_sentences(found, replace(made, alpha=alpha), method="m", rate="r")
    assert numbers(finding) == [90, 95, 86, 93, 75, 95, 67, 82]  # logistic of 2.2, 1.1 ± 0.4
    names = [finding.index(name) for name in ("rag", "baseline", "colbert")]
    assert names == sorted(names)


def test_equal_means_lead_together_where_nothing_is_compared(told, monkeypatch):
    made, _ = told(group("rag", 0.702, letters=""), group("bm25", 0.698, letters=""))
    assert made.lead is LeadVerdict.NOT_ENOUGH_DATA
    lead = shown_answer(FOUND, made)["lead"]
    assert numbers(lead) == [0.7]
    axis = made.answer.axis
    assert axis.high - axis.low >= 3  # a fifth of the scale: a small difference looks small
    apart, _ = told(
        group("rag", 0.7, letters=""), group("bm25", 0.7, letters=""), group("x", 0.2, letters="")
    )
    assert {"rag", "bm25"} <= {*shown_answer(FOUND, apart)["lead"].replace(",", "").split()}


def test_topics_that_no_system_wins_alone_are_tied():
    topics = [("t1", "why", "rag"), ("t2", "how", ""), ("t3", "who", "")]
    winners = TopicWinners(Counter(rag=1), topics)
    assert (winners.won["rag"], winners.tied) == (1, 2)
    assert winners.lost_by("rag") == []


@pytest.mark.django_db
@pytest.mark.parametrize(("topics", "left"), [(2, 3), (5, 0), (10, None)])
def test_a_study_of_few_topics_is_offered_unused_ones(monkeypatch, topics, left):
    """More votes on few topics give no interval; `left` is None where topics are enough."""
    study = small_study(topics=topics)
    corpus = SimpleNamespace(topics_left=lambda asked: left or 0)
    monkeypatch.setattr("analysis.pages.results.views.kind_of", lambda kind: corpus)
    assert topics_left(study) == left
