"""Systems over topics, from votes of any kind: shared scales, what is lacking is said, letters."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest

from analysis.analyses.groups import groups
from analysis.inputs.analysis_input import AnalysisInput, frame_of
from analysis.inputs.measures import Does, Measure, Option
from analysis.inputs.settings import complete
from analysis.pages.results.missing_results import needed
from analysis.stats.design_checks import NO_SHARED_TOPIC, About, few_topics_of_group
from analysis.stats.effects.group_means import group_means
from tests.hooks import numbers

PAIR = Measure(
    key="better", title="Better", question=1, kind="pair", does=Does.COMPARES, level="ordinal",
    options=(Option("a", "A"), Option("n", "Equal", 0.0), Option("b", "B")),
)  # fmt: skip
RANGE = Measure(
    key="quality", title="Quality", question=1, kind="response", does=Does.SCORES, level="interval"
)


def texts(topics, names):
    """One response of each system in each topic."""
    rows = [(f"{name}{t}", f"t{t}", "essay", "llm", name) for t in topics for name in names]
    return pd.DataFrame(rows, columns=["response", "topic", "style", "origin", "system"])


def asked(measure, responses, votes, **parameters):
    """As a run asks; a text speaks for itself. Scores are those of the votes, or ranks."""
    frame = responses.assign(question=measure.key, value=0.0)
    frame = frame[["question", "response", "value"]]
    speakers = responses.assign(question=measure.key, unit=responses["response"])
    return AnalysisInput(
        frame=frame,
        measures=[measure],
        parameters=complete(parameters),
        seed=1,
        responses=responses,
        votes=votes,
        speakers=speakers[["question", "topic", "unit", "response"]],
    )


def found(measure, responses, votes, **parameters):
    tables = groups(asked(measure, responses, votes, **parameters))
    return {name: frame_of(table) for name, table in tables.items()}


def by_system(frame):
    return frame[frame["by"] == "system"].set_index("group")


def compared(rows, workers=20):
    """Votes on pairs, (topic, first, second), five workers each; the first mostly wins."""
    rng = np.random.default_rng(3)
    frame = pd.DataFrame(rows * 5, columns=["topic", "a", "b"])
    value = np.where(rng.random(len(frame)) < 0.85, "a", "b")
    return frame.assign(
        question="better",
        worker=[f"w{k % workers}" for k in range(len(frame))],
        value=value,
        item=frame["a"] + "|" + frame["b"],
    )


def test_consistent_winner_ranks_first_whatever_the_size_of_other_topics():
    # issue 10: grades 1..n averaged over topics of different n ranked B above A, at p = .029
    both, alone = range(30), range(30, 60)
    responses = pd.concat([texts(both, "AB"), texts(alone, "BCDEFG")], ignore_index=True)
    rows = [(f"t{t}", f"A{t}", f"B{t}") for t in both]
    rows += [(f"t{t}", f"{x}{t}", f"{y}{t}") for t in alone for x, y in combinations("BCDEFG", 2)]
    tables = found(PAIR, responses, compared(rows))
    means = by_system(tables["means"])
    assert list(means.index)[:2] == ["A", "B"]
    assert not set(means.loc["A", "letters"]) & set(means.loc["B", "letters"])
    pairs = tables["ahead"].set_index(["by", "group", "other"])
    assert pairs.loc[("system", "A", "B"), "low"] > 0
    assert pairs.loc[("system", "A", "B"), "topics"] == 30
    assert pairs.loc[("system", "A", "C"), "why"] == NO_SHARED_TOPIC


def test_a_system_in_few_topics_lacks_an_interval_alone_and_the_study_lacks_no_topics():
    responses = pd.concat([texts(range(30), "ABC"), texts(range(5), "D")], ignore_index=True)
    rows = [
        (f"t{t}", f"{x}{t}", f"{y}{t}")
        for t in range(30)
        for x, y in combinations("ABCD" if t < 5 else "ABC", 2)
    ]
    tables = found(PAIR, responses, compared(rows))
    means = by_system(tables["means"])
    assert means.loc["D", "why"] == few_topics_of_group(5)
    assert not means.loc[["A", "B", "C"], "why"].any()
    assert needed([few_topics_of_group(5)]) == ""


def test_a_topic_whose_comparisons_fall_into_parts_is_left_out_and_that_is_said():
    responses = texts(range(13), "ABCD")
    rows = [(f"t{t}", f"{x}{t}", f"{y}{t}") for t in range(12) for x, y in combinations("ABCD", 2)]
    rows += [("t12", "A12", "B12"), ("t12", "C12", "D12")]
    tables = found(PAIR, responses, compared(rows))
    assert (by_system(tables["means"])["topics"] == 12).all()
    (said,) = tables["undefined"][tables["undefined"]["topics"] != ""].to_dict("records")
    assert said["topics"] == "1 of 13 topics"
    assert numbers(said["reason"])[0] == 2
    assert said["reason"].endswith("t12: (A, B) and (C, D).")


def test_few_topics_give_no_letters_and_a_reason():
    responses = texts(range(9), "AB")
    rows = [(f"t{t}", f"A{t}", f"B{t}") for t in range(9)]
    tables = found(PAIR, responses, compared(rows))
    means = by_system(tables["means"])
    assert means["low"].isna().all()
    assert means["letters"].nunique() == 1
    assert 9 in numbers(tables["undefined"]["reason"].iloc[0])


def scored_votes(topics=14, workers=24, seed=5):
    """Numbers from 0 to 100 for A, B and C; C is the worst, A and B are alike."""
    rng = np.random.default_rng(seed)
    rows = []
    for t in range(topics):
        easy = rng.normal(0, 12)
        for name, mean in {"A": 62, "B": 61, "C": 40}.items():
            some = rng.choice(workers, 5, replace=False)
            rows += [
                (f"t{t}", f"{name}{t}", f"w{w}", mean + easy + rng.normal(0, 10)) for w in some
            ]
    frame = pd.DataFrame(rows, columns=["topic", "item", "worker", "score"])
    return frame.assign(question="quality", score=frame["score"].clip(0, 100), value="")


def test_single_texts_on_a_range_have_means_over_topics_with_tests_and_letters():
    votes = scored_votes()
    tables = found(RANGE, texts(range(14), "ABC"), votes)
    means = by_system(tables["means"])
    expected = votes.groupby(["item", "topic"])["score"].mean().reset_index()
    plain = expected.groupby(expected["item"].str[0])["score"].mean()
    assert means["mean"].to_dict() == pytest.approx(plain.to_dict())
    assert (means["topics"] == 14).all()
    assert set(means["over"]) == {"topics and workers"}
    assert set(means.loc["A", "letters"]) & set(means.loc["B", "letters"])
    assert not set(means.loc["B", "letters"]) & set(means.loc["C", "letters"])
    pair = tables["ahead"].set_index(["by", "group", "other"]).loc[("system", "B", "C")]
    assert pair["low"] < plain["B"] - plain["C"] < pair["high"]
    assert pair["q"] < 0.01


def test_single_model_has_an_interval_over_topics_only():
    votes = scored_votes().drop_duplicates("item").assign(worker="gpt")
    responses = texts(range(14), "ABC")
    run = asked(RANGE, responses, votes, pool="gpt")
    scores = votes.set_index("item")["score"]
    run.frame["value"] = run.frame["response"].map(scores)
    means = by_system(frame_of(groups(run)["means"]))
    assert set(means["over"]) == {"topics"}
    assert means["low"].notna().all()
    assert set(means["about"]) == {About.THESE}
    crowd = by_system(found(RANGE, responses, votes)["means"])
    assert set(crowd["about"]) == {About.THESE}  # one person of a crowd stands for no other


def test_the_published_pipeline_draws_topics_as_it_did():
    responses = texts(range(12), "AB")
    run = asked(RANGE, responses, scored_votes(12), compat="gienapp2025", draws=50)
    run.frame["value"] = np.random.default_rng(1).normal(0, 1, len(run.frame))
    tables = {name: frame_of(group) for name, group in groups(run).items()}
    assert list(tables["ahead"]) == ["by", "question", "group", "other", "ahead", "p"]
    rows = run.frame.merge(responses, on="response").rename(columns={"system": "group"})
    former = group_means(rows[["topic", "group", "value"]], draws=50, seed=1)
    assert by_system(tables["means"])["low"].tolist() == former.low.tolist()


@pytest.mark.parametrize("workers", [10, 20])
def test_a_system_that_wins_every_vote_wins_with_a_one_sided_bound(workers):
    rows = [(f"t{t}", f"A{t}", f"B{t}") for t in range(12)]
    votes = compared(rows, workers).assign(value="a")
    votes.loc[votes["topic"] == "t3", ["a", "b", "value"]] = ["B3", "A3", "b"]
    tables = found(PAIR, texts(range(12), "AB"), votes)
    pair = tables["ahead"].set_index(["by", "group", "other"]).loc[("system", "A", "B")]
    assert pair["p_adjusted"] == pytest.approx(2 * 0.5 ** min(12, workers))
    assert pair["ahead"] > 0.99
    assert f"{0.05 ** (1 / min(12, workers)):.0%}" in pair["why"]
    means = by_system(tables["means"])
    assert means["low"].isna().all()
    assert means.loc["A", "letters"] != means.loc["B", "letters"]
