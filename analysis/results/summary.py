"""The essentials of a run in a few figures and sentences, for the first page of the results."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import scipy
from django.utils.translation import gettext, ngettext

from analysis.inputs.pools import Pool
from analysis.results.found import Found
from analysis.results.pages import Spread, headline_alphas, spread_of, worker_rows
from analysis.runs.frozen import Frozen

Row = dict[str, Any]
ALPHA = 0.05


@dataclass(frozen=True)
class Summary:
    """What a reader wants first; None where it could not be computed.

    best: the systems (or styles, where there is one system) that share the first letter on the
    question that the summary tells of, by what people call its `score`, among the `compared` that
    have an interval, or among all where fewer than two have one and nobody can be called the best;
    the `family` of tests that says so, and why there is none. alpha and corrected: agreement on it.
    """

    question: str
    score: str
    best: list[Row]
    groups: int
    compared: int
    family: str
    why: str
    alpha: Row | None
    corrected: Row | None
    spread: Spread
    workers: int
    wage: Row | None
    warnings: list[str]

    @property
    def is_known(self) -> bool:
        """Whether the best can be told: a mean without an interval is not compared."""
        return self.compared >= min(self.groups, 2)

    @property
    def undecided(self) -> bool:
        """Whether several groups are compared and none stands out."""
        return not self.is_known or len(self.best) == self.compared > 1

    @property
    def is_level(self) -> bool:
        """Whether the first two are equal, so that neither is the highest."""
        return len(self.best) > 1 and self.best[0]["mean"] == self.best[1]["mean"]


def kept_summary(found: Found) -> Summary:
    return found.kept("essentials", lambda: summary_of(found))


def summary_of(found: Found) -> Summary:
    question = found.headline
    groups = found.records("groups", "means", by="system", question=question)
    if len(groups) == 1:
        groups = found.records("groups", "means", by="style, origin", question=question)
    compared = [row for row in groups if row["low"] is not None]
    corrected = found.records(
        "corrected", "corrected", question=question, votes_kept="cross-fitted"
    )
    workers = worker_rows(found)
    wage = found.records("cost", "wage")
    return Summary(
        question=found.words.of(question),
        score=found.called(question),
        best=[
            {**row, "group": found.words.of_group(row["group"])}
            for row in (compared if len(compared) > 1 else groups)
            if "a" in (row["letters"] or "")
        ],
        groups=len(groups),
        compared=len(compared),
        family=_family(groups),
        why=next((row["why"] for row in groups if row.get("why")), ""),
        alpha=headline_alphas(found).get(question),
        corrected=next(iter(corrected), None),
        spread=spread_of(workers),
        workers=len(workers),
        wage=next(iter(wage), None),
        warnings=list(_warnings(found)),
    )


def _family(groups: list[Row]) -> str:
    """Which tests say who is best: one family, all pairs of what is compared on one question."""
    pairs = len(groups) * (len(groups) - 1) // 2
    if not pairs or any(row.get("why") for row in groups):
        return ""
    return ngettext(
        "{pairs:,} pair compared at a false discovery rate of 5 %",
        "{pairs:,} pairs compared at a false discovery rate of 5 %",
        pairs,
    ).format(pairs=pairs)


def _warnings(found: Found) -> Iterator[str]:
    """What a reader should know before using the numbers."""
    alphas = headline_alphas(found).values()
    yield from _said(
        found,
        [row for row in alphas if row["low"] is not None and row["low"] <= 0],
        gettext(
            "Agreement on {questions} is not told from chance: the interval of alpha reaches 0."
        ),
    )
    fitted = found.records("corrected", "corrected", votes_kept="cross-fitted")
    yield from _said(
        found,
        [row for row in fitted if _within_null(row)],
        gettext(
            "Competence-corrected agreement on {questions} is within what shuffled votes reach."
        ),
    )
    sided = [row for row in found.records("position", "position") if row["p"] is not None]
    q = scipy.stats.false_discovery_control([row["p"] for row in sided]) if sided else ()
    yield from _said(
        found,
        [row for row, each in zip(sided, q, strict=True) if each < ALPHA],
        gettext(
            "The side that a text is on has an effect on {questions} (corrected for all questions)."
        ),
    )
    yield from _left_out(found)
    for row in found.records("cost", "wage"):
        if row["target"] and row["value"] < row["target"]:
            yield (
                gettext(
                    "Workers earned {value:.2f} an hour of active time, under the target of "
                    "{target:.2f}."
                ).format(value=row["value"], target=row["target"])
            )


def _left_out(found: Found) -> Iterator[str]:
    """How many answers say that the rater does not know; no analysis counts them."""
    measures = {m.question: m for m in found.measures if m.absent and m.key in found.run.inputs}
    if not measures:  # as in most studies: then nothing is looked up
        return
    run = found.run
    given = Pool(run.pool).judgments(study=run.study, batch=run.batch, frozen=Frozen.of(run.frozen))
    codes = sorted({code for measure in measures.values() for code in measure.absent})
    rows = given.filter(question__in=measures, raw__in=codes).values_list("question", "raw")
    counts = Counter(q for q, raw in rows.order_by() if raw in measures[q].absent)
    if counts:
        each = ", ".join(f"{m.title} {counts[q]:,}" for q, m in measures.items() if counts[q])
        said = ngettext(
            "No number here counts the {n:,} answer without a judgment (“don’t know”): {each}.",
            "No number here counts the {n:,} answers without a judgment (“don’t know”): {each}.",
            counts.total(),
        )
        yield said.format(n=counts.total(), each=each)


def _within_null(row: Row) -> bool:
    return row["null_highest"] is not None and row["value"] <= row["null_highest"]


def _said(found: Found, rows: list[Row], sentence: str) -> Iterator[str]:
    if not rows:
        return
    names = [found.words.of(row["question"]) for row in rows]
    many = len(names) == len(found.measures) > 2
    yield sentence.format(questions=gettext("every question") if many else ", ".join(names))
