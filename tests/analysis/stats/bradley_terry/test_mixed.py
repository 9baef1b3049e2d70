"""The mixed model of votes: against a long Markov chain, plain arithmetic and a known truth."""

from dataclasses import asdict, replace

import numpy as np
import pytest

from analysis.stats.bradley_terry import mixed_coupling
from analysis.stats.bradley_terry.mixed import _Surface, fit_mixed
from analysis.stats.bradley_terry.mixed_effects import (
    VoteReliability,
    variance_components,
    vote_information,
    vote_reliability,
    win_probability,
)
from analysis.stats.bradley_terry.mixed_newton import (
    Components,
    Effects,
    ModelDesign,
    gradient_and_curvature,
    height,
    mode,
    moved,
)
from analysis.stats.bradley_terry.mixed_votes import MixedVotes
from analysis.stats.errors import BadSetting
from benchmarks.drawn_truth import draw_truth
from benchmarks.mixed import votes_on
from tests.analysis.coded_errors import bad_setting, cannot_compute
from tests.analysis.stats.bradley_terry.all_pairs import vote_on_all_pairs

COMPONENTS = Components(response=0.6, system_topic=0.3, lean=0.45, habit=0.35, discrimination=0.4)


def drawn(*, topics=12, workers=25, votes_per_pair=4, ties=0.6, gap=0.7, seed=1, side=-0.2):
    rng = np.random.default_rng(seed)
    truth = draw_truth(
        COMPONENTS,
        systems_merit=[0.0, gap],
        responses_per_system=2,
        topics=topics,
        workers=workers,
        tie_parameter=ties,
        side=side,
        rng=rng,
    )
    return truth, vote_on_all_pairs(truth, votes_per_pair=votes_per_pair, rng=rng)


@pytest.fixture(scope="module")
def fitted():
    truth, frame = drawn(topics=40, workers=60, votes_per_pair=8)
    return truth, frame, fit_mixed(MixedVotes.from_frame(frame))


def wiggled(design, by=0.2, seed=2):
    rng, start = np.random.default_rng(seed), design.start()
    parts = (start.fixed, start.response, start.worker)
    return Effects(*(part + by * rng.normal(size=part.shape) for part in parts))


def flat(effects):
    return np.r_[effects.fixed, effects.response, effects.worker.ravel()]


def test_gradient_and_hessian_are_those_of_the_height():
    design = ModelDesign.of(MixedVotes.from_frame(drawn(topics=3, workers=5)[1]))
    precision = design.precision(COMPONENTS)
    effects, _, curvature = mode(design, wiggled(design), precision)
    F, k = len(effects.fixed) + len(effects.response), effects.worker.shape[1]
    n = F + effects.worker.size

    def gradient(x):
        outer, worker, _ = gradient_and_curvature(
            design, moved(effects, (x[:F], x[F:].reshape(-1, k))), precision, exact=False
        )
        return np.r_[outer, worker.ravel()]

    h = 1e-5
    x = np.random.default_rng(0).normal(size=n) * 0.3
    slopes = [
        height(design, moved(effects, (y[:F], y[F:].reshape(-1, k))), precision)
        for y in (
            x + h * np.eye(n)[:, :, None].T[0][i] * sign for i in range(n) for sign in (1, -1)
        )
    ]
    assert (np.array(slopes[::2]) - slopes[1::2]) / (2 * h) == pytest.approx(gradient(x), abs=1e-5)
    assert gradient(np.zeros(n)) == pytest.approx(np.zeros(n), abs=1e-6)
    H = np.array([(gradient(-h * e) - gradient(h * e)) / (2 * h) for e in np.eye(n)])
    assert curvature.log_determinant == pytest.approx(np.linalg.slogdet(H)[1], abs=1e-5)
    b = np.random.default_rng(1).normal(size=n)
    outer, worker = curvature.solve(b[:F], b[F:].reshape(-1, k))
    assert H @ np.r_[outer, worker.ravel()] == pytest.approx(b, abs=1e-4)


@pytest.mark.parametrize("gain", [0, 1e9], ids=["blocks", "dense"])
def test_workers_who_meet_few_responses_are_counted_as_in_a_dense_product(monkeypatch, gain):
    """H_ww and C by differences of the gradient, eliminated by plain arithmetic."""
    monkeypatch.setattr(mixed_coupling, "DENSE_GAIN", gain)
    frame = drawn(topics=8, workers=6)[1]
    design = ModelDesign.of(MixedVotes.from_frame(frame[frame.topic % 6 != frame.worker]))
    assert bool(design.met.groups) == (gain == 0)
    precision = design.precision(COMPONENTS)
    effects, _, curvature = mode(design, wiggled(design), precision)
    F, (W, k) = len(effects.fixed) + len(effects.response), effects.worker.shape

    def gradient(x):
        by = (x[:F], x[F:].reshape(-1, k))
        outer, worker, _ = gradient_and_curvature(design, moved(effects, by), precision)
        return np.r_[outer, worker.ravel()]

    h = 1e-5
    H = np.array([(gradient(-h * e) - gradient(h * e)) / (2 * h) for e in np.eye(F + W * k)])
    C, workers = H[F:, :F], H[F:, F:]
    rest = H[:F, :F] - C.T @ np.linalg.solve(workers, C)
    assert curvature.rest @ curvature.rest.T == pytest.approx(rest, abs=1e-6)
    x, y = np.random.default_rng(3).normal(size=F), np.random.default_rng(4).normal(size=(W, k))
    half = np.linalg.cholesky(workers)
    under = np.linalg.solve(half, C)
    assert curvature.coupling.to_workers(x).ravel() == pytest.approx(under @ x, abs=1e-6)
    assert curvature.coupling.to_outer(y) == pytest.approx(under.T @ y.ravel(), abs=1e-6)


@pytest.mark.parametrize("case", ["blocks", "dense", "no ties, no sides", "style"])
def test_slopes_of_the_likelihood_are_those_of_refitting(monkeypatch, case):
    monkeypatch.setattr(mixed_coupling, "DENSE_GAIN", 1e9 if case == "dense" else 0)
    bare = case == "no ties, no sides"
    frame = drawn(topics=6, workers=8, ties=1e-9 if bare else 0.6)[1]
    votes = MixedVotes.from_frame(frame.drop(columns="left") if bare else frame)
    assert votes.ties.any() != bare
    if case == "style":
        style = np.random.default_rng(1).normal(size=(len(votes.responses), 2))
        votes = replace(votes, style=style)
    surface = _Surface(ModelDesign.of(votes))
    logs = np.log(list(asdict(COMPONENTS).values()))
    _, slopes = surface(logs)
    for k in range(len(logs)):
        step = 1e-3 * np.eye(len(logs))[k]
        refitted = (surface.at(logs - step)[0] - surface.at(logs + step)[0]) / 2e-3
        assert slopes[k] == pytest.approx(refitted, abs=1e-4)


def test_it_finds_what_votes_were_drawn_from(fitted):
    truth, _, result = fitted
    assert result.converged
    _, low, high = result.difference(1, 0)
    assert low < 0.7 < high
    assert high - low < 0.6
    found, drawn_from = asdict(result.components), asdict(COMPONENTS)
    for name in ("lean", "habit", "discrimination"):
        assert found[name] == pytest.approx(drawn_from[name], abs=0.2), name
    # with two texts of a system and a topic the two are told apart badly, their sum is not
    between = (each["response"] ** 2 + each["system_topic"] ** 2 for each in (found, drawn_from))
    assert next(between) == pytest.approx(next(between), rel=0.3)
    assert result.tie_parameter == pytest.approx(0.6, abs=0.05)
    assert result.side[1] < -0.2 < result.side[2]
    merits = truth.merits.ravel()  # entries are sorted by topic, then response
    assert np.corrcoef(result.merits, merits)[0, 1] > 0.8
    assert np.corrcoef(result.worker_habit, truth.habit)[0, 1] > 0.6
    assert np.mean(np.abs(result.merits - merits) < 3 * result.merit_sd) > 0.9


def test_turning_items_round_changes_nothing(fitted):
    _, frame, result = fitted
    turned = frame.rename(
        columns={"a": "b", "b": "a", "system_a": "system_b", "system_b": "system_a"}
    ).assign(
        outcome=frame["outcome"].map({"a": "b", "b": "a", "tie": "tie"}),
        left=frame["left"].map({"a": "b", "b": "a"}),
    )
    again = fit_mixed(MixedVotes.from_frame(turned))
    assert again.difference(1, 0) == pytest.approx(result.difference(1, 0), abs=1e-5)
    assert result.difference(0, 1)[0] == -result.difference(1, 0)[0]
    assert asdict(again.components) == pytest.approx(asdict(result.components), abs=1e-4)


def test_three_systems_without_ties_or_sides():
    rng = np.random.default_rng(3)
    truth = draw_truth(
        COMPONENTS,
        systems_merit=[0.0, 0.5, 1.5],
        responses_per_system=1,
        topics=25,
        workers=40,
        tie_parameter=1e-9,
        side=0.0,
        rng=rng,
    )
    frame = vote_on_all_pairs(truth, votes_per_pair=5, rng=rng).drop(columns="left")
    result = fit_mixed(MixedVotes.from_frame(frame))
    assert result.side is None
    assert result.tie_parameter == 0
    assert result.systems_merit.sum() == pytest.approx(0, abs=1e-9)
    assert result.worker_lean.sum(axis=1) == pytest.approx(np.zeros(40), abs=1e-9)
    assert list(np.argsort(result.systems_merit)) == [0, 1, 2]
    _, low, high = result.difference(2, 0)
    assert low < 1.5 < high


@pytest.mark.parametrize(
    ("dimension", "chain"),
    # numpyro 0.22, NUTS, 400 and 600 draws, half-normal priors on the components: mean, sd
    [
        (
            "quality_overall",
            {
                "gap": (0.708, 0.094),
                "side": (-0.108, 0.038),
                "response": (0.562, 0.043),
                "system_topic": (0.286, 0.091),
                "lean": (0.438, 0.077),
                "habit": (0.365, 0.050),
                "discrimination": (0.460, 0.082),
            },
        ),
        (
            "coverage_broad",
            {
                "gap": (0.613, 0.123),
                "side": (-0.098, 0.039),
                "response": (0.936, 0.055),
                "system_topic": (0.391, 0.142),
                "lean": (0.260, 0.094),
                "habit": (0.552, 0.041),
                "discrimination": (0.480, 0.043),
                "t": (0.983, 0.021),
            },
        ),
    ],
)
def test_it_agrees_with_a_markov_chain_on_the_corpus(corpus, dimension, chain):
    """The mode of log scales lies low, so discrimination comes out a little small."""
    result = fit_mixed(MixedVotes.from_frame(votes_on(corpus, dimension)))
    gap, low, high = result.difference("llm", "human")
    found = asdict(result.components) | {"gap": gap, "side": result.side[0]}
    found["t"] = result.tie_parameter
    for name, (mean, sd) in chain.items():
        within = 2.2 if name == "discrimination" else 0.8
        assert found[name] == pytest.approx(mean, abs=within * sd), name
    assert (high - low) / 4 == pytest.approx(chain["gap"][1], rel=0.15)


def test_a_vote_of_the_corpus_is_as_reliable_as_alpha_says(corpus):
    """Alpha of the published votes: .284 in broad coverage, .169 in overall quality."""
    for dimension, alpha in (("coverage_broad", 0.284), ("quality_overall", 0.169)):
        result = fit_mixed(MixedVotes.from_frame(votes_on(corpus, dimension)))
        assert vote_reliability(result).single == pytest.approx(alpha, abs=0.03)


def test_win_probabilities_are_those_of_votes_drawn(fitted):
    _, _, result = fitted
    computed = win_probability(result, 1, 0)
    assert computed.votes[1] < computed.votes[0] < computed.votes[2] < computed.better[0]
    turned = win_probability(result, 0, 1)
    assert computed.votes[0] + turned.votes[0] == pytest.approx(1)
    rng = np.random.default_rng(5)
    truth = draw_truth(
        result.components,
        systems_merit=result.systems_merit.tolist(),
        responses_per_system=1,
        topics=3000,
        workers=3000,
        tie_parameter=result.tie_parameter,
        side=0.0,
        rng=rng,
    )
    frame = vote_on_all_pairs(truth, votes_per_pair=6, rng=rng)
    share = frame["outcome"].map({"a": 0.0, "tie": 0.5, "b": 1.0}).mean()
    assert share == pytest.approx(computed.votes[0], abs=0.02)
    better = (truth.merits[:, 1] > truth.merits[:, 0]).mean()
    assert better == pytest.approx(computed.better[0], abs=0.03)


def test_reliability_follows_spearman_and_brown():
    one = VoteReliability(single=0.169)
    assert one.of(1) == 0.169
    assert one.of(5) == pytest.approx(0.504, abs=0.001)
    assert one.of(one.votes_for(0.8)) == pytest.approx(0.8)
    assert VoteReliability(single=0.0).votes_for() == float("inf")
    for wrong in (lambda: one.of(0), lambda: one.votes_for(1)):
        with pytest.raises(BadSetting):
            wrong()


def test_variances_add_up_to_what_votes_are_made_of(fitted):
    parts = variance_components(fitted[2])
    assert set(parts) == {
        "systems",
        "systems in topics",
        "responses",
        "workers' leanings",
        "workers' sides",
        "chance",
    }
    assert min(parts.values()) >= 0
    assert parts["responses"] == pytest.approx(2 * fitted[2].components.response ** 2)


def test_a_vote_between_equals_says_most():
    sharp = Components(response=1, system_topic=1, lean=0, habit=0, discrimination=0)
    assert vote_information(sharp, 1e-9) == pytest.approx(0.25)
    assert vote_information(sharp, 1e-9, 3.0) < 0.25
    assert vote_information(sharp, 1.0) > 0.25  # a tie says that they are alike


def test_it_refuses_what_it_cannot_fit():
    frame = drawn(topics=2, workers=4)[1]
    with cannot_compute("missing_columns"):
        MixedVotes.from_frame(frame.drop(columns="system_a"))
    with cannot_compute("incomplete_vote", match="worker"):
        MixedVotes.from_frame(frame.assign(worker=None))
    with cannot_compute("two_systems"):
        MixedVotes.from_frame(frame.assign(system_a=np.arange(len(frame)) % 2))
    with bad_setting("system"):
        fit_mixed(MixedVotes.from_frame(frame)).difference(0, "nobody")
    apart = frame[frame["system_a"] == frame["system_b"]]
    with cannot_compute("not_identified"):
        fit_mixed(MixedVotes.from_frame(apart))
