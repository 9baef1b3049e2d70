"""Where votes help most, on fresh votes of a known model: `python -m benchmarks.allocation`.

65 topics, three texts of people and three of models each, with the components that the mixed model
finds in overall quality and in broad coverage. Kendall's tau-b to the true merits, means of topics:
five votes a pair made into labels, fewer votes without labels, and fewer still given where they
help. Seven questions asked together share their votes' pairs, and their merits correlate by half.
"""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pandas as pd

from analysis.stats.arrays import Flags, Floats, Ints
from analysis.stats.bradley_terry.comparisons import Comparisons
from analysis.stats.bradley_terry.merits import fit_merits
from analysis.stats.bradley_terry.mixed_newton import Components
from analysis.stats.bradley_terry.next_votes import (
    PairPosterior,
    pair_posterior,
    seen_by_votes,
)
from analysis.stats.bradley_terry.simulated_votes import Truth
from analysis.stats.errors import BadSetting
from analysis.stats.labels.mace import mace
from analysis.stats.votes import Votes
from benchmarks.drawn_truth import draw_truth
from benchmarks.reporting import Row, load_now, report

TOPICS, WORKERS, TEXTS, LABELLED = 65, 420, 3, 5
PAIRS = np.array(list(combinations(range(2 * TEXTS), 2)))
Q, A_ROUND = len(PAIRS), 20  # votes between two looks, at most one a topic
TOGETHER, SHARED = 7, 0.5  # questions, and the correlation of their merits
ERROR = 0.15  # of the stopping rule
SEEDS, MOST = 6, 6
LOOKS = np.array([1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0, 5.0])
N = f"{TOPICS} topics, {SEEDS} crowds"
NOTE = "Tau-b times 100, of merits to the true ones; after a colon, tau at so many votes a pair."
MODELS = {  # components in the corpus, models less people, tie parameter (benchmarks/mixed.py)
    "overall quality": (
        Components(response=0.53, system_topic=0.30, lean=0.41, habit=0.34, discrimination=0.41),
        0.67,
        1e-6,
    ),
    "broad coverage": (
        Components(response=0.92, system_topic=0.39, lean=0.23, habit=0.53, discrimination=0.39),
        0.56,
        0.98,
    ),
}


class Crowd:
    """Votes on topics, one question or several; what they added up to, and the true merits."""

    def __init__(self, model: str, questions: int, seed: int) -> None:
        self.rng = np.random.default_rng(seed)
        components, gap, tie = MODELS[model]
        self.truths = [
            draw_truth(
                components,
                systems_merit=[-gap / 2, gap / 2],
                responses_per_system=TEXTS,
                topics=TOPICS,
                workers=WORKERS,
                tie_parameter=tie,
                side=-0.1,
                rng=self.rng,
            )
            for _ in range(questions + (questions > 1))
        ]
        if questions > 1:
            common = self.truths.pop()
            self.truths = [
                replace(
                    truth,
                    merits=np.sqrt(SHARED) * common.merits + np.sqrt(1 - SHARED) * truth.merits,
                )
                for truth in self.truths
            ]
        self.sd, self.tie = seen_by_votes(components, tie, systems_variance=gap**2 / 4)
        n = 2 * TEXTS
        self.wins = np.zeros((questions, n, n, TOPICS), dtype=np.int64)

    def ask(self, topic: Ints, pair: Ints) -> tuple[Ints, Ints]:
        """One vote of any worker on each, all questions: the workers, the outcomes (q, m)."""
        a, b = PAIRS[pair].T
        worker = self.rng.integers(0, WORKERS, len(topic))
        left = self.rng.choice([-1.0, 1.0], len(topic))
        outcomes = []
        for wins, truth in zip(self.wins, self.truths, strict=True):
            outcome = truth.vote(topic, a, b, worker, left, self.rng)
            np.add.at(wins, (a, b, topic), outcome >= 0)
            np.add.at(wins, (b, a, topic), outcome <= 0)
            outcomes.append(outcome)
        return worker, np.array(outcomes)

    def standings(self) -> list[PairPosterior]:
        return [
            pair_posterior(wins, sd=self.sd, tie_parameter=max(self.tie, 1e-6))
            for wins in self.wins
        ]

    def tau(self) -> float:
        """Tau-b of the merits so far, the mean of topics and questions."""
        found = zip(self.standings(), self.truths, strict=True)
        return float(np.mean([tau_b(each.merits.T, truth.merits) for each, truth in found]))


def tau_b(found: Floats, true: Floats) -> float:
    """Return the mean tau-b over topics; merits (T, n). True merits are never equal."""
    i, j = PAIRS.T
    a, b = np.sign(np.round(found[:, i] - found[:, j], 9)), np.sign(true[:, i] - true[:, j])
    untied = np.sqrt((a**2).sum(axis=1) * Q)
    return float(np.divide((a * b).sum(axis=1), untied, where=untied > 0, out=untied * 0).mean())


def finished(standing: PairPosterior, error: float = 0.1) -> Flags:
    """Return the problems whose expected error is this small (P,); they need no more votes."""
    if not 0 < error < 0.5:
        raise BadSetting("error", error, "between 0 and .5")
    return np.asarray(standing.expected_error <= error)


def next_pairs(
    standing: PairPosterior, votes: int, *, error: float | None = None
) -> tuple[Ints, Ints]:
    """Return the problems and the pairs that the next votes should go to, best first.

    At most one to a problem at a time, since its outcome changes where the next should go. With an
    error, finished problems get none. Both arrays may be shorter than asked for.
    """
    if votes < 1:
        raise BadSetting("votes", votes, "1 or more")
    best = standing.gain.argmax(axis=0)
    gain = standing.gain.max(axis=0)
    if error is not None:
        gain = np.where(finished(standing, error), -np.inf, gain)
    problems = np.argsort(-gain, kind="stable")[:votes]
    problems = problems[gain[problems] > 0]
    return problems, best[problems]


def labelled(model: str, seed: int) -> dict[str, float]:
    """Five votes a pair, then one label a pair, then merits: the published way, and majorities."""
    crowd = Crowd(model, 1, seed)
    topic, pair = np.repeat(np.arange(TOPICS), Q * LABELLED), np.tile(np.arange(Q), TOPICS)
    pair = np.repeat(pair, LABELLED)
    worker, (outcome,) = crowd.ask(topic, pair)
    votes = Votes.from_indices(
        topic * Q + pair, worker, outcome + 1, options=("b", "n", "a"), workers=range(WORKERS)
    )
    counts = votes.counts()
    majority = np.where(counts[:, 2] > np.maximum(counts[:, 0], counts[:, 1]), 1, 0)
    majority -= counts[:, 0] > np.maximum(counts[:, 2], counts[:, 1])
    options = counts.any(axis=0)
    used = Votes.from_indices(
        votes.item,
        votes.worker,
        (np.cumsum(options) - 1)[votes.value],
        options=np.flatnonzero(options).tolist(),
        workers=range(WORKERS),
    )
    gold = np.flatnonzero(options)[mace(used, tolerance=1e-8).gold] - 1
    return {
        "MACE labels": of_labels(gold, crowd.truths[0]),
        "majority labels": of_labels(majority, crowd.truths[0]),
        "votes": crowd.tau(),
    }


def of_labels(label: Ints, truth: Truth) -> float:
    frame = pd.DataFrame(
        {
            "problem": np.repeat(np.arange(TOPICS), Q),
            "a": np.tile(PAIRS[:, 0], TOPICS),
            "b": np.tile(PAIRS[:, 1], TOPICS),
            "outcome": label,
        }
    )
    comparisons = Comparisons.from_frame(frame, outcomes={1: 1, 0: 0, -1: -1})
    return tau_b(fit_merits(comparisons).merits.reshape(TOPICS, -1), truth.merits)


def uniform(model: str, questions: int, seed: int, most: int) -> list[float]:
    """Tau after 1, 2, ... votes on each pair."""
    crowd, found = Crowd(model, questions, seed), []
    for _ in range(most):
        crowd.ask(np.repeat(np.arange(TOPICS), Q), np.tile(np.arange(Q), TOPICS))
        found.append(crowd.tau())
    return found


def allocated(model: str, questions: int, seed: int, looks: Floats) -> list[float]:
    """Tau after so many votes a pair on average, each vote where it helps the questions most."""
    crowd, found, asked = Crowd(model, questions, seed), [], 0
    for look in looks:
        while asked < look * Q * TOPICS:
            each = crowd.standings()
            # the gain of a vote is that of all questions together
            gain = np.mean([one.gain for one in each], axis=0)
            topic, pair = next_pairs(replace(each[0], gain=gain), A_ROUND)
            crowd.ask(topic, pair)
            asked += len(topic)
        found.append(crowd.tau())
    return found


def stopped(model: str, seed: int) -> tuple[float, float, float]:
    """Votes a pair until all topics are finished, the share wrong then, and the share promised."""
    crowd, asked = Crowd(model, 1, seed), 0
    while True:
        (each,) = crowd.standings()
        topic, pair = next_pairs(each, TOPICS, error=ERROR)
        if not len(topic) or asked > 60 * Q * TOPICS:
            break
        crowd.ask(topic, pair)
        asked += len(topic)
    d = each.merits[each.first] - each.merits[each.second]
    true = crowd.truths[0].merits.T
    wrong = np.sign(d) != np.sign(true[each.first] - true[each.second])
    return asked / Q / TOPICS, float(wrong.mean()), float(each.expected_error.mean())


def main() -> None:
    load = load_now()
    rows = [row for model in MODELS for row in one_question(model)]
    rows += together("overall quality")
    report("allocation", rows, load=load, notes=(NOTE,))


def one_question(model: str) -> list[Row]:
    by_label = [labelled(model, seed) for seed in range(SEEDS)]
    label = {name: mean([each[name] for each in by_label]) for name in by_label[0]}
    plain = mean([uniform(model, 1, seed, MOST) for seed in range(SEEDS)])
    helped = mean([allocated(model, 1, seed, LOOKS) for seed in range(SEEDS)])
    stops = mean([stopped(model, seed) for seed in range(SEEDS)])
    five = plain[LABELLED - 1]
    fewer = 100 * (1 - needed(LOOKS, helped, five) / LABELLED)
    best = max(label["MACE labels"], label["majority labels"])
    than_labels = 100 * (1 - needed(LOOKS, helped, best) / LABELLED)
    return [
        *(
            Row(
                what=f"{model}: tau, five votes a pair, {name}",
                n=N,
                ours=100 * label[name],
                unit="%",
            )
            for name in ("MACE labels", "majority labels")
        ),
        Row(
            what=f"{model}: tau, three votes a pair, from votes",
            n=N,
            ours=100 * plain[2],
            unit="%",
            least=100 * label["MACE labels"],
            remark="40 % fewer votes than the labels; promised: no less than MACE labels",
        ),
        Row(what=f"{model}: tau, five votes a pair, from votes", n=N, ours=100 * five, unit="%"),
        Row(
            what=f"{model}: votes saved by allocation, at the tau of five uniform ones",
            n=N,
            ours=fewer,
            unit="%",
            remark=curve(helped) + "; uniform " + curve(plain, np.arange(1.0, MOST + 1)),
        ),
        Row(
            what=f"{model}: votes saved by both, at the tau of the better labels",
            n=N,
            ours=than_labels,
            unit="%",
            least=40,
        ),
        Row(
            what=f"{model}: pairs in the wrong order when the rule stops",
            n=N,
            ours=100 * stops[1],
            unit="%",
            remark=f"set: {100 * ERROR:.0f} %, expected by the rule: {100 * stops[2]:.1f} %; "
            f"{stops[0]:.1f} votes a pair",
        ),
    ]


def together(model: str) -> list[Row]:
    looks = np.array([2.0, 2.5, 3.0, 3.5, 4.0, 4.5, 5.0])
    plain = mean([uniform(model, TOGETHER, seed, LABELLED) for seed in range(2)])
    helped = mean([allocated(model, TOGETHER, seed, looks) for seed in range(2)])
    return [
        Row(
            what=f"{model}: the same, {TOGETHER} questions asked together",
            n=f"{TOPICS} topics, 2 crowds",
            ours=100 * (1 - needed(looks, helped, plain[-1]) / LABELLED),
            unit="%",
            remark=curve(helped, looks) + "; uniform " + curve(plain, np.arange(1.0, LABELLED + 1)),
        )
    ]


def needed(looks: Floats, tau: Floats, wanted: float) -> float:
    """Votes a pair at which tau, which rises but for chance, reaches what is wanted."""
    return float(np.interp(wanted, np.maximum.accumulate(tau), looks))


def curve(tau: Floats, looks: Floats | None = None) -> str:
    at = LOOKS if looks is None else looks
    return ", ".join(f"{votes:g}: {value:.3f}" for votes, value in zip(at, tau, strict=True))


def mean(found: list[list[float]] | list[tuple[float, ...]] | list[float]) -> Floats:
    return np.asarray(np.mean(np.array(found), axis=0))


if __name__ == "__main__":
    main()
