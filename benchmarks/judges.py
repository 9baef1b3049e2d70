"""Judges of known quality in simulated studies: `python -m benchmarks.judges`.

One copies what people say (but for a tenth of its labels), one always says left, one guesses: how
often the intervals of each hold what is true in a very large study of the same world, and how far
the three are distinguished. Estimates of a system's score from people on some topics and the judge
on more of them, by a judge that knows something and leans to one system. What a label of such a
judge is worth, and how far it ranks the texts of a topic as people do. How much more than people a
judge prefers a system.
"""

from collections import defaultdict
from dataclasses import replace

import numpy as np
import pandas as pd

from analysis.stats.arrays import Floats, Ints
from analysis.stats.effects.worker_changes import from_scores
from analysis.stats.judges import sides
from analysis.stats.judges.agreement import Measured, measured
from analysis.stats.judges.habits import Habit, share
from analysis.stats.judges.null import habits_alone
from analysis.stats.judges.one_judge import Judge
from analysis.stats.judges.powered import prediction_powered
from analysis.stats.judges.standing import Ranked, texts_alike
from analysis.stats.judges.tables import (
    People,
    Statistic,
    Tables,
    accuracy_of,
    alpha_at,
    kappa_of,
    majority_shares,
)
from analysis.stats.judges.worth import Worth, votes_worth
from benchmarks.reporting import Row, load_now, report
from benchmarks.simulated_studies import OPTIONS, Study, World, draw

SIZES = ((10, 30), (30, 10), (30, 30), (30, 40), (65, 100))  # topics, workers
STUDIES, NULLS = 500, 50
SLIPS = 0.1
LARGE = 4000  # topics of the study that says what is true
JUDGES = ("copies people", "always left", "guesses")
LEANS = "knows 1 and leans"
STATISTICS: dict[str, Statistic] = {
    "alpha": alpha_at("ordinal", np.arange(3.0)),
    "kappa": kappa_of,
    "accuracy": accuracy_of,
}
POWERED = ((20, 30, 100), (30, 30, 300))  # topics, workers, more
LEAST, MOST = 93.0, 97.0
NOTE = (
    "Coverage in % of intervals at 95 % over {} simulated studies (standard error 1). The judge is "
    "compared with the majority of five votes; {} % of the labels of the one that copies are "
    "drawn at random. The peer of a prediction-powered estimate is that of people alone."
)


def people_of(study: Study) -> People:
    return People(
        unit=study.item, worker=study.worker, value=study.value,
        slot=np.zeros(len(study.item), dtype=np.int64), topic=study.topic,
        units=tuple(map(str, range(len(study.a)))), options=OPTIONS,
    )  # fmt: skip


def labels_of(judge: str, people: People, rng: np.random.Generator) -> tuple[Ints, Ints]:
    """The label of the judge on each unit, and whether the second text stood on the left."""
    N = len(people.units)
    left_is_second, guess = rng.integers(0, 2, N), rng.integers(0, 3, N)
    if judge == "guesses":
        return guess, left_is_second
    if judge == "always left":
        return 2 * left_is_second, left_is_second
    shares = majority_shares(people.counts()[:, 0])
    copied = (rng.random(N)[:, None] > shares.cumsum(axis=1) + 1e-9).sum(axis=1)
    return np.where(rng.random(N) < SLIPS, guess, copied), left_is_second


def tables_of(people: People, label: Ints) -> Tables:
    return Tables.of(people, sides.judge(np.eye(3)[label]))


def main() -> None:
    load = load_now()
    rows = [row for topics, workers in SIZES for row in of_size(topics, workers)]
    rows += [row for size in SIZES for row in of_knowing(*size)]
    rows += [row for size in SIZES for row in of_beside(*size)]
    rows += [row for size in POWERED for row in of_powered(*size)]
    report("judges", rows, load=load, notes=(NOTE.format(STUDIES, round(100 * SLIPS)),))


def of_size(topics: int, workers: int, studies: int = STUDIES) -> list[Row]:
    world = World(topics=topics, workers=workers)
    rng = np.random.default_rng(topics * 1000 + workers)
    truth = true_values(world, rng)
    hits: defaultdict[tuple[str, str], list[float]] = defaultdict(list)
    found: defaultdict[str, list[float]] = defaultdict(list)
    for number in range(studies):
        people = people_of(draw(world, rng))
        halves = Tables.of(people, sides.split_halves())
        alone = Tables.of(people, sides.leave_one_out)
        for name, tables in (("split halves", halves), ("leave one out", alone)):
            got = measured(tables, STATISTICS["alpha"], name="alpha", of_people=True)
            if not got.why:
                hits["ceiling", name].append(got.low <= truth["ceiling", name] <= got.high)
        for judge in JUDGES:
            label, left = labels_of(judge, people, rng)
            tables, reached = tables_of(people, label), {}
            for name, statistic in STATISTICS.items():
                got = measured(tables, statistic, name=name)
                reached[name] = got.value
                hits[judge, name].append(got.low <= truth[judge, name] <= got.high)
            decided = (label != 1).astype(float)
            lefts = ((label == 2 * left) & (label != 1)).astype(float)
            habit = share(lefts, decided, people.topic, name="left")
            hits[judge, "left"].append(habit.low <= truth[judge, "left"] <= habit.high)
            if number < NULLS:
                gold = majority_shares(people.counts()[:, 0])
                null = habits_alone(
                    label=label, left_is_second=left, gold=gold,
                    weight=np.ones(len(label)), ends=(0, 2),
                    statistics=STATISTICS, reached=reached, seed=number,
                )  # fmt: skip
                found[judge].append(null["alpha"].p <= 0.05)
    size = f"{topics} topics, {workers} workers"
    # Whoever is always on the left is in any interval that reaches 1: nothing is promised there.
    promised = {"least": LEAST, "most": MOST}
    rows = [
        Row(
            what=f"{who}: {name}", n=size, ours=100 * float(np.mean(each)), unit="%",
            **({} if truth[who, name] == 1 else promised), remark=f"truth {truth[who, name]:.3f}",
        )
        for (who, name), each in hits.items()
    ]  # fmt: skip
    return rows + [
        Row(
            what=f"{judge}: said to know more than its habits", n=size,
            ours=100 * float(np.mean(found[judge])), unit="%",
            remark=f"of {NULLS} studies, p ≤ .05",
        )
        for judge in JUDGES
    ]  # fmt: skip


def true_values(world: World, rng: np.random.Generator) -> dict[tuple[str, str], float]:
    """Those of a study of very many topics and as many workers for each."""
    large = replace(world, topics=LARGE, workers=LARGE)
    people = people_of(draw(large, rng))
    truth: dict[tuple[str, str], float] = {}
    gold = majority_shares(people.counts()[:, 0])
    guess, of_left = np.outer(np.full(3, 1 / 3), gold.sum(axis=0)), np.array([0.5, 0, 0.5])
    expected = {
        "copies people": (1 - SLIPS) * gold.T @ gold + SLIPS * guess,
        "always left": np.outer(of_left, gold.sum(axis=0)),
        "guesses": guess,
    }
    for judge, T in expected.items():
        for name, statistic in STATISTICS.items():
            truth[judge, name] = float(statistic(T[None])[0])
        truth[judge, "left"] = 1.0 if judge == "always left" else 0.5
    counts, every = people.counts(), np.arange(len(people.units))
    for name, make in (
        ("split halves", sides.split_halves()),
        ("leave one out", sides.leave_one_out),
    ):
        T = make(counts, every).sum(axis=0)
        truth["ceiling", name] = float(STATISTICS["alpha"](T[None])[0])
    return truth


# -- Worth in votes, and ranking ------------------------------------------------------------------


def of_knowing(topics: int, workers: int, studies: int = STUDIES) -> list[Row]:
    """What a label is worth and tau of texts, for judges that err by themselves."""
    world = World(topics=topics, workers=workers)
    rng = np.random.default_rng(topics * 1000 + workers + 1)
    large = draw(replace(world, topics=LARGE, workers=LARGE), rng)
    rows = []
    for knows in (0.0, 1.0, 3.0):
        lean = 0.8 if knows else 0.0
        label = knowing_labels(large, knows, lean, rng)
        found: list[tuple[Ranked, Worth]] = []
        for _ in range(studies):
            study = draw(world, rng)
            label_here = knowing_labels(study, knows, lean, rng)
            found.append((_tau_of(study, label_here), _votes_of(study, label_here)))
        # Who guesses is worth nothing. How far a topic is ranked alike depends on how many votes
        # are behind a text, and by how many people: what is true is what such studies say.
        truth = {
            "tau of texts": float(np.mean([tau.tau for tau, _ in found])),
            "worth in votes": _votes_of(large, label).votes if knows else 0.0,
        }
        hits: defaultdict[str, list[float]] = defaultdict(list)
        for each in found:
            for (name, true), got in zip(truth.items(), each, strict=True):
                if not got.why and not np.isnan(got.low):
                    hits[name].append(got.low <= true <= got.high)
        rows += [
            Row(
                what=f"a judge that knows {knows:g}: {name}",
                n=f"{topics} topics, {workers} workers", ours=100 * float(np.mean(each)), unit="%",
                least=LEAST, most=MOST if truth[name] or name != "worth in votes" else None,
                remark=f"truth {truth[name]:.2f}; offered in {100 * len(each) / studies:.0f} %",
            )
            for name, each in hits.items()
        ]  # fmt: skip
    return rows


def knowing_labels(study: Study, knows: float, lean: float, rng: np.random.Generator) -> Ints:
    """One label on each pair, from the merits and a lean to one system, with ties."""
    gap = knows * (study.merit[study.a] - study.merit[study.b])
    gap = gap + lean * (study.system[study.a] - study.system[study.b])
    drawn = rng.random(len(gap))
    first, second = (1 / (1 + np.exp(0.3 - sign * gap)) for sign in (1, -1))
    return np.where(drawn < first, 0, np.where(drawn < 1 - second, 1, 2))


def _votes_of(study: Study, label: Ints) -> Worth:
    return votes_worth(
        judge=2 * _points(label) - 1, cluster=study.topic, unit=study.item, worker=study.worker,
        number=2 * _points(study.value) - 1, symmetric=True,
    )  # fmt: skip


def _tau_of(study: Study, label: Ints) -> Ranked:
    return texts_alike(
        _worth_of(study, np.arange(len(label)), label, np.zeros(len(label))),
        _worth_of(study, study.item, study.value, study.worker),
        confidence=0.95,
    )


def _worth_of(study: Study, item: Ints, value: Ints, worker: Floats | Ints) -> pd.DataFrame:
    points = _points(value)
    return pd.concat(
        pd.DataFrame(
            {"worker": worker, "unit": item, "text": text[item], "topic": study.topic[item],
             "score": score}
        )
        for text, score in ((study.a, points), (study.b, 1 - points))
    )  # fmt: skip


# -- Beside people, by systems ---------------------------------------------------------------------


def of_beside(topics: int, workers: int, studies: int = STUDIES) -> list[Row]:
    """How much more than people a judge prefers a system, and how often it says what they say
    where two systems meet."""
    world = World(topics=topics, workers=workers)
    rng = np.random.default_rng(topics * 1000 + workers + 2)
    large = draw(replace(world, topics=LARGE, workers=LARGE), rng)
    rows = []
    for judge in (*JUDGES, LEANS):
        truth = beside_people(large, judge, rng)
        hits: defaultdict[str, list[float]] = defaultdict(list)
        for _ in range(studies):
            for name, got in beside_people(draw(world, rng), judge, rng).items():
                hits[name].append(got.low <= truth[name].value <= got.high)
        rows += [
            Row(
                what=f"{judge}: {name}", n=f"{topics} topics, {workers} workers",
                ours=100 * float(np.mean(each)), unit="%", least=LEAST, most=MOST,
                remark=f"truth {truth[name].value:.3f}",
            )
            for name, each in hits.items()
        ]  # fmt: skip
    return rows


def beside_people(study: Study, name: str, rng: np.random.Generator) -> dict[str, Habit | Measured]:
    people = people_of(study)
    known = knowing_labels(study, 1.0, 0.8, rng)
    label = known if name == LEANS else labels_of(name, people, rng)[0]
    units = np.arange(len(study.a))

    def labels(item: Ints, value: Ints) -> pd.DataFrame:
        return pd.DataFrame(
            {"unit": item.astype(str), "value": np.array(OPTIONS)[value],
             "topic": study.topic[item], "first": study.a[item], "second": study.b[item]}
        )  # fmt: skip

    mine = labels(units, label)
    judge = Judge(
        name=name, labels=mine, asked=mine, people=people, votes=labels(study.item, study.value),
        numbers=_points(np.arange(3)), is_pair=True,
    )  # fmt: skip
    systems = pd.Series(study.system.astype(str))
    part = study.system[study.a] != study.system[study.b]
    return {
        "preference for a system, less that of people": judge.for_system(systems, "1", 0.95)[
            "difference"
        ],
        "same answer where systems meet": judge.agreement_on(part, 0.95),
    }


# -- Prediction-powered estimates -----------------------------------------------------------------


def of_powered(topics: int, workers: int, more: int, studies: int = STUDIES) -> list[Row]:
    rng = np.random.default_rng(topics * 1000 + workers + more)
    world = World(topics=topics, workers=workers)
    large = draw(replace(world, topics=LARGE, workers=LARGE), rng)
    truth = float(people_scores(large)[0].query("group == 1")["value"].mean())
    rows = []
    for knows in (0.0, 1.0, 3.0):
        hits, alone, gains, used = [], [], [], []
        for _ in range(studies):
            study, other = draw(world, rng), draw(replace(world, topics=more, votes=1), rng)
            values, changes = people_scores(study)
            mine = judge_scores(study, knows, rng).rename(columns={"value": "judge"})
            both = values.rename(columns={"value": "people"}).merge(mine, on=["topic", "group"])
            rest = judge_scores(other, knows, rng).rename(columns={"value": "judge"})
            one = both["group"] == 1
            got = prediction_powered(
                both[one], rest[rest["group"] == 1], changes[changes["group"] == 1]
            ).frame.iloc[0]
            hits.append(got["low"] <= truth <= got["high"])
            alone.append(got["people_low"] <= truth <= got["people_high"])
            gains.append(got["gain"])
            used.append(got["tuning"])
        rows.append(
            Row(
                what=f"prediction-powered score, a judge that knows {knows:g}",
                n=f"{topics} topics, {workers} workers, {more} more",
                ours=100 * float(np.mean(hits)), peer=100 * float(np.mean(alone)),
                peer_name="people", unit="%", least=LEAST, most=MOST,
                remark=f"like {np.median(gains):.2f} times as many topics; tuning "
                f"{np.median(used):.2f}",
            )
        )  # fmt: skip
    return rows


def _points(value: Ints) -> Floats:
    return np.array([1.0, 0.5, 0.0])[value]


def people_scores(study: Study) -> tuple[pd.DataFrame, pd.DataFrame]:
    """What the systems are worth in each topic, and how that moves without each worker."""
    points = _points(study.value)
    votes = pd.DataFrame(
        {
            "worker": np.tile(study.worker, 2),
            "unit": np.concatenate([2 * study.item, 2 * study.item + 1]),
            "score": np.concatenate([points, 1 - points]),
        }
    )
    units = np.arange(len(study.a))
    speaks = pd.DataFrame(
        {
            "unit": np.concatenate([2 * units, 2 * units + 1]),
            "response": np.concatenate([study.a, study.b]),
            "topic": np.tile(study.topic, 2),
            "group": study.system[np.concatenate([study.a, study.b])],
        }
    )
    return from_scores(votes, speaks)


def judge_scores(study: Study, knows: float, rng: np.random.Generator) -> pd.DataFrame:
    """The same by a judge: one label on each pair, from the merits and a lean to one system."""
    gap = study.merit[study.a] - study.merit[study.b]
    gap = knows * gap + 0.8 * (study.system[study.a] - study.system[study.b])
    value = np.where(rng.random(len(gap)) < 1 / (1 + np.exp(-gap)), 0, 2)
    points, topics = np.concatenate([_points(value), 1 - _points(value)]), study.topic.max() + 1
    system = study.system[np.concatenate([study.a, study.b])]
    cell = np.tile(study.topic, 2) * 2 + system  # a text is in as many pairs as any other
    worth = np.bincount(cell, weights=points) / np.bincount(cell)
    topic, group = np.divmod(np.arange(2 * topics), 2)
    return pd.DataFrame({"topic": topic, "group": group, "value": worth})


if __name__ == "__main__":
    main()
