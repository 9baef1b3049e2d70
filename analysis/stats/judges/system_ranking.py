"""Values of texts and systems by a judge and by people, and the correlation of both rankings.

A label on a pair is worth 1 to the preferred text, half to both where it prefers neither; a score
is worth itself. The value of a text is the mean of its labels, that of a system in a topic the mean
of its texts there (worker_changes.py), and that of a system the mean over topics. Only units that
both have judged count.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd
import scipy

from analysis.stats.arrays import Floats, Ints, total
from analysis.stats.crossed_errors import error_of_leaps
from analysis.stats.design_checks import About, about_raters, few_clusters
from analysis.stats.effects.score_associations import DECIMALS, LEAST_SHARED, NotRankedTogether
from analysis.stats.effects.worker_changes import from_scores
from analysis.stats.errors import CannotCompute
from analysis.stats.judges.agreement import ALIKE, SMALL
from analysis.stats.judges.prediction_powered import Powered, prediction_powered

MOST_AT_ONCE = 2_000_000  # pairs of texts, with all people and without each
LEAST_SYSTEMS = 3  # of two, tau says no more than their order
NO_INTERVAL = (
    "No interval for tau between rankings of systems: with few systems tau takes few values, "
    "and bootstrap intervals over topics covered the true value in 0 to 100% of simulated "
    "studies."
)
MOST_ERROR = 0.5  # of z = artanh(tau)
LEAST_TOPICS = 10  # with fewer, the items of a topic are the units of an estimate


@dataclass(frozen=True, kw_only=True)
class RankAgreement:
    """Tau-b, its interval (NaN where `why` gives the reason), topics and things ranked."""

    tau: float
    low: float
    high: float
    topics: int
    ranked: int
    why: str = ""
    about: About = About.LIKE_THESE


def worth_of(labels: pd.DataFrame, numbers: Mapping[str, float], *, is_pair: bool) -> pd.DataFrame:
    """Return one row a label and text: worker, unit, at (the text in it), text, topic, score.

    labels: oriented.
    """
    score = labels["value"].map(numbers)
    scored = labels[score.notna()].assign(score=score.dropna())
    if not is_pair:
        text = scored["first"].where(scored["first"].notna(), scored["unit"])
        return scored.assign(at=scored["unit"], text=text)[[*WORTH]]
    first_text = scored.assign(at=scored["unit"] + "#1", text=scored["first"])
    other = scored.assign(
        at=scored["unit"] + "#2", text=scored["second"], score=1 - scored["score"]
    )
    return pd.concat([first_text, other], ignore_index=True)[[*WORTH]]


WORTH = ("worker", "unit", "at", "text", "topic", "score")


def texts_alike(judge: pd.DataFrame, people: pd.DataFrame, *, confidence: float) -> RankAgreement:
    """Return tau-b between the texts of a topic, mean over topics.

    The interval is over topics and people at once (crossed_errors.error_of_leaps), or over topics
    for these people if they are few. Raises NotRankedTogether.
    """
    ranking = _Ranking.of(_on_both(judge, people), _on_both(people, judge))
    taus, moved = ranking.taus()
    defined = ~np.isnan(taus)
    if not defined.any():
        raise NotRankedTogether
    n, value = int(defined.sum()), float(taus[defined].mean())
    seats = defined[:, None] & (ranking.who >= 0)
    who, cells = np.unique(ranking.who[seats], return_inverse=True)[1], moved[seats] / n
    W = int(who.max()) + 1
    about = about_raters(W)
    why = few_clusters("tau", units=n, workers=None, called="topics")
    low = high = float("nan")
    if not why:
        units = (taus[defined] - value) / max(n - 1, 1)
        of_people = (total(who, cells, W), cells) if about is About.LIKE_THESE else ()
        error, degrees = error_of_leaps(units, *of_people)
        if error < SMALL:
            why = ALIKE.format("tau")
        else:
            low, high = on_fishers_scale(value, error, degrees, confidence)
    ranked = int((~np.isnan(ranking.judge[defined])).sum())
    return RankAgreement(
        tau=value, low=low, high=high, topics=n, ranked=ranked, why=why, about=about
    )


@dataclass(frozen=True, eq=False)
class _Ranking:
    """G topics of up to S texts, with up to W people in each.

    judge (G, S): values of the texts by the judge; sums, counts (G, W, S): of the scores of each
    person; who (G, W): the person, -1 where a topic has fewer.
    """

    judge: Floats
    sums: Floats
    counts: Floats
    who: Ints

    @classmethod
    def of(cls, mine: pd.DataFrame, theirs: pd.DataFrame) -> "_Ranking":
        topic, topics = pd.factorize(theirs["topic"])
        (text, texts), (worker, _) = (pd.factorize(theirs[name]) for name in ("text", "worker"))
        place, known_text = _places(topic, text, len(topics))
        seat, who = _places(topic, worker, len(topics))
        shape = (*who.shape, known_text.shape[1])
        at = np.ravel_multi_index((topic, seat, place), shape)
        score, size = theirs["score"].to_numpy(dtype=np.float64), int(np.prod(shape))
        of_judge = mine.groupby(["topic", "text"])["score"].mean()
        g, s = np.nonzero(known_text >= 0)
        text_index = pd.MultiIndex.from_arrays([topics[g], texts[known_text[g, s]]])
        judge = np.full(known_text.shape, np.nan)
        judge[g, s] = of_judge.reindex(text_index).to_numpy(dtype=np.float64)
        return cls(
            judge=judge, sums=total(at, score, size).reshape(shape),
            counts=total(at, np.ones(len(at)), size).reshape(shape), who=who,
        )  # fmt: skip

    def taus(self) -> tuple[Floats, Floats]:
        """Return tau-b of each topic (G,), and its changes without each of its people (G, W).

        NaN where a topic has none. Topics are taken in portions, as each takes a table of all
        pairs.
        """
        G, W, S = self.counts.shape
        at_once = max(1, MOST_AT_ONCE // max(1, (W + 1) * S * (S - 1) // 2))
        portions = [self._taus_of(slice(k, k + at_once)) for k in range(0, G, at_once)]
        tau = np.concatenate(portions) if portions else np.zeros((0, 1))
        # A topic that says nothing without somebody says nothing else.
        return tau[:, 0], np.nan_to_num(tau[:, :1] - tau[:, 1:])

    def _taus_of(self, topics: slice) -> Floats:
        """Return tau-b with all people and without each of them (G, W + 1)."""
        sums, counts = (_without_each(parts[topics]) for parts in (self.sums, self.counts))
        means = np.divide(sums, counts, out=np.full(sums.shape, np.nan), where=counts > 0)
        judge = np.broadcast_to(self.judge[topics, None], means.shape)
        S = means.shape[2]
        return _tau(judge.reshape(-1, S), means.reshape(-1, S)).reshape(means.shape[:2])


def on_fishers_scale(
    tau: float, error: float, degrees: float, confidence: float
) -> tuple[float, float]:
    """Return the t interval on the scale z = artanh(k tau), where errors are equally large.

    Near 1 those of tau itself are smaller above than below it. k is 1, Fisher's scale, wherever the
    error there is at most MOST_ERROR; nearer to the ends, where it would grow without limit and the
    interval would be all of -1 to 1, k keeps it below. A judge that ranks all as people do has an
    interval that ends at 1.
    """
    t = scipy.stats.t.ppf((1 + confidence) / 2, degrees)
    furthest = max(1 - error / MOST_ERROR, SMALL) ** 0.5  # where Fisher's error is the largest
    k = furthest / max(abs(tau), furthest)
    z, half = np.arctanh(k * tau), t * error * k / (1 - (k * tau) ** 2)
    low, high = np.tanh([z - half, z + half]) / k
    return max(float(low), -1.0), min(float(high), 1.0)


def _without_each(parts: Floats) -> Floats:
    """Return sums over people (G, W + 1, S) of parts (G, W, S): of all, and without each."""
    nobody = np.zeros_like(parts[:, :1])
    return np.asarray(parts.sum(axis=1, keepdims=True) - np.concatenate([nobody, parts], axis=1))


def _places(topic: Ints, code: Ints, topics: int) -> tuple[Ints, Ints]:
    """Return the place of each in its topic (n,), and the inverse (topics, most), -1 if padded."""
    codes = np.int64(code.max(initial=0) + 1)
    kinds, index = np.unique(topic * codes + code, return_inverse=True)
    kind_topic, which = np.divmod(kinds, codes)
    place = np.arange(len(kinds)) - np.searchsorted(kind_topic, np.arange(topics))[kind_topic]
    table = np.full((topics, int(place.max(initial=-1)) + 1), -1)
    table[kind_topic, place] = which
    return place[index], table


def systems_beside(
    judge: pd.DataFrame, people: pd.DataFrame, systems: Mapping[str, str]
) -> pd.DataFrame:
    """Return one row a topic and system: topic, group, judge, people."""
    both = [
        _values(_on_both(mine, other), systems)[0].rename(columns={"value": name})
        for mine, other, name in ((judge, people, "judge"), (people, judge, "people"))
    ]
    return both[0].merge(both[1], on=["topic", "group"])


def systems_alike(beside: pd.DataFrame) -> RankAgreement:
    """Return tau-b between the means of systems over topics, without interval (NO_INTERVAL).

    Raises CannotCompute (too_few_systems), NotRankedTogether.
    """
    systems = beside["group"].nunique()
    if systems < LEAST_SYSTEMS:
        raise CannotCompute(
            "too_few_systems",
            f"Comparing rankings needs at least {LEAST_SYSTEMS} systems (you have {systems}).",
        )
    means = beside.groupby("group")[["judge", "people"]].mean().to_numpy(dtype=np.float64)
    tau = float(_tau(means[None, :, 0], means[None, :, 1])[0])
    if np.isnan(tau):
        raise NotRankedTogether
    nan, topics = float("nan"), beside["topic"].nunique()
    return RankAgreement(tau=tau, low=nan, high=nan, topics=topics, ranked=systems, why=NO_INTERVAL)


def powered(
    judge: pd.DataFrame,
    people: pd.DataFrame,
    systems: Mapping[str, str],
    *,
    confidence: float,
) -> Powered:
    """Return prediction-powered scores of systems.

    Where the judge has enough topics without judgments of people, a topic is a unit; else an item
    is, of the topics that people have judged in part, and topics are drawn. Raises
    CannotCompute (too_few_topics).
    """
    more = judge[~judge["topic"].isin(set(people["topic"]))]
    theirs = people["topic"].nunique()
    of_unit = None
    if min(theirs, more["topic"].nunique()) < LEAST_TOPICS:
        judged_units = judge.drop_duplicates("unit")
        of_unit = dict(zip(judged_units["unit"], judged_units["topic"], strict=True))
        judge, people = (labels.assign(topic=labels["unit"]) for labels in (judge, people))
        more = judge[~judge["topic"].isin(set(people["topic"]))]
    people = _on_both(people, judge)
    values, changes = _values(people, systems)
    mine = _values(_on_both(judge, people), systems)[0].rename(columns={"value": "judge"})
    both = values.rename(columns={"value": "people"}).merge(mine, on=["topic", "group"])
    rest = _values(more, systems)[0].rename(columns={"value": "judge"})
    if of_unit is not None:
        both, rest = (
            labels.assign(cluster=labels["topic"].map(of_unit)) for labels in (both, rest)
        )
    return prediction_powered(both, rest, changes, confidence=confidence)


def _values(worth: pd.DataFrame, systems: Mapping[str, str]) -> tuple[pd.DataFrame, pd.DataFrame]:
    group = worth["text"].map(systems)
    worth = worth[group.notna()].assign(group=group.dropna())
    speaks = worth.drop_duplicates("at")[["at", "text", "topic", "group"]]
    return from_scores(
        worth[["worker", "at", "score"]].rename(columns={"at": "unit"}),
        speaks.rename(columns={"at": "unit", "text": "response"}),
    )


def _on_both(mine: pd.DataFrame, other: pd.DataFrame) -> pd.DataFrame:
    return mine[mine["unit"].isin(other["unit"].unique())]


def _tau(judge: Floats, people: Floats) -> Floats:
    """Return tau-b of each row (D, S); NaN where too few have both scores, or all are alike."""
    i, j = np.triu_indices(judge.shape[1], 1)
    judge_sign, other = (
        np.sign((scores[:, i] - scores[:, j]).round(DECIMALS)) for scores in (judge, people)
    )
    defined = ~np.isnan(judge_sign + other)
    judge_sign, other = np.where(defined, judge_sign, 0), np.where(defined, other, 0)
    enough = (~np.isnan(judge + people)).sum(axis=1) >= LEAST_SHARED
    untied = (judge_sign != 0).sum(axis=1) * (other != 0).sum(axis=1)
    above, nothing = (judge_sign * other).sum(axis=1), np.full(len(judge), np.nan)
    return np.asarray(np.divide(above, np.sqrt(untied), out=nothing, where=(untied > 0) & enough))
