"""LLM judges compared with people."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.http import HttpRequest
from django.utils.translation import gettext, gettext_lazy

from analysis.inputs.machine_calls import MODELS
from analysis.pages.results.run_results import RunResults

CEILING: dict[Any, Any] = {
    "two directions": gettext_lazy("People, reversed pair"),
    "split halves": gettext_lazy("People, split halves"),
    "leave one out": gettext_lazy("One person vs. the others"),
}
ADJUSTED = ("p_adjusted", "over_person", "p_over_person_adjusted")
SAME, DISCARDED = "same answer in both orders", "labels discarded, of those asked for"


@dataclass(frozen=True)
class JudgeLosses:
    """Labels of a judge over all questions: changed with the order of the texts, and discarded.

    flipped of both: labels in both orders; discarded of labels: those asked for.
    """

    judge: str
    flipped: int
    both: int
    discarded: int
    labels: int

    @property
    def share_flipped(self) -> float | None:
        return self.flipped / self.both if self.both else None

    @property
    def share_discarded(self) -> float | None:
        return self.discarded / self.labels if self.labels else None


class JudgeFinding(NamedTuple):
    """Finding of the test of a judge, as a code and as a sentence."""

    state: str
    sentence: str


@dataclass(frozen=True)
class JudgeComparison:
    """Question with a row for each judge and each estimate of people's own agreement."""

    question: str
    judges: list[dict[str, Any]]
    people: list[dict[str, Any]]
    findings: list[JudgeFinding]


def judges_context(found: RunResults, request: HttpRequest) -> dict[str, Any]:
    questions = []
    for measure in found.measures:
        rows = found.records("judges", "agreement", question=measure.key)
        rows += _without_agreement(found, measure.key, {row["judge"] for row in rows})
        if not rows:
            continue
        people = found.records("judges", "ceiling", question=measure.key)
        for row in people:
            row["title"] = CEILING[row["against"]]
        for row in rows:
            row |= {name: row.get(name) for name in ADJUSTED}  # runs of earlier versions lack them
            row |= _of_judge(found, measure.key, row["judge"])
        rows.sort(key=lambda row: (row["alpha"] is None, -(row["alpha"] or 0), row["judge"]))
        findings = [judge_finding(row) for row in rows]
        questions.append(
            JudgeComparison(measure.title.removesuffix(f" ({MODELS})"), rows, people, findings)
        )
    return {"questions_judged": questions}


def _without_agreement(
    found: RunResults, question: str, compared: Collection[str]
) -> list[dict[str, Any]]:
    """Return rows of judges with calls but no label on an item that people judged."""
    habits = found.records("judges", "habits", question=question)
    names = dict.fromkeys(row["judge"] for row in habits if row["judge"] not in compared)
    return [{"judge": name, "alpha": None, "p": None, "items": 0} for name in names]


def judge_losses(found: RunResults) -> list[JudgeLosses]:
    """Return the losses of each judge with calls; none of a pool without judges."""
    if found.run.pool != MODELS:
        return []
    habits = found.records("judges", "habits")
    losses = []
    for judge in dict.fromkeys(row["judge"] for row in habits):
        rows = [row for row in habits if row["judge"] == judge]
        same = [row for row in rows if row["habit"] == SAME]
        lost = [row for row in rows if row["habit"] == DISCARDED]
        if same or lost:
            losses.append(
                JudgeLosses(
                    judge=judge,
                    flipped=round(sum((1 - row["share"]) * row["labels"] for row in same)),
                    both=sum(row["labels"] for row in same),
                    discarded=round(sum(row["share"] * row["labels"] for row in lost)),
                    labels=sum(row["labels"] for row in lost),
                )
            )
    return losses


def _of_judge(found: RunResults, question: str, judge: str) -> dict[str, Any]:
    """Return values of a judge from other tables: left, swaps, longer, tau, votes."""
    here = {"question": question, "judge": judge}
    habits = {row["habit"]: row for row in found.records("judges", "habits", **here)}
    named = {
        "swaps": habits.get(SAME),
        "left": habits.get("left side, of labels that choose"),
        "longer": habits.get("longer text, of labels that choose"),
        "unread": habits.get("answers that could not be read"),
        "discarded": habits.get(DISCARDED),
    }
    ranking = {row["of"]: row for row in found.records("judges", "ranking", **here)}
    worth = found.records("judges", "worth", **here)
    own = [row for row in found.records("judges", "systems", **here) if row["own"]]
    if named["left"]:
        named["left"].setdefault("p_adjusted", None)
    return named | {
        "habits": [named["swaps"], named["left"], named["longer"]],
        "lost": [named["unread"], named["discarded"]],
        "tau": ranking.get("texts of a topic") or ranking.get("systems"),
        "worth": worth[0] if worth else None,
        "own": own[0] if own else None,
    }


def judge_finding(row: dict[str, Any]) -> JudgeFinding:
    """Return how a judge compares with its habits and with people.

    Without a test (too few topics, or a study that is still open) nothing is claimed.
    """
    gap = row["over_person"]
    about = {
        "judge": row["judge"],
        "alpha": _written(row["alpha"]),
        "null": _written(row.get("null")) or "–",
        "gap": _written(None if gap is None else abs(gap)),
    }
    state = _state(row)
    lost, left = row["discarded"], row["left"]
    sentences = [_SENTENCES[state] % (about | {"labels": lost["labels"] if lost else 0})]
    if left and _claimed(left["p_adjusted"]):
        side = gettext("left") if left["share"] > 0.5 else gettext("right")
        sentences.append(gettext("The judge prefers the %(side)s side.") % {"side": side})
    return JudgeFinding(state, " ".join(sentences))


_SENTENCES: dict[str, Any] = {
    "discarded": gettext_lazy("%(judge)s: all %(labels)s labels discarded."),
    "unknown": gettext_lazy("%(judge)s: agreement with people can't be computed."),
    "untested": gettext_lazy(
        "%(judge)s: alpha with people %(alpha)s (baseline %(null)s); not enough data for a test."
    ),
    "unclear": gettext_lazy(
        "%(judge)s: alpha with people %(alpha)s, not clearly above the baseline (%(null)s)."
    ),
    "above habits": gettext_lazy(
        "%(judge)s agrees with people: alpha %(alpha)s, above the baseline (%(null)s)."
    ),
    "as people": gettext_lazy(
        "%(judge)s agrees with people as well as one person does: alpha %(alpha)s "
        "(baseline %(null)s)."
    ),
    "above people": gettext_lazy(
        "%(judge)s agrees with people better than one person does: alpha %(alpha)s, %(gap)s higher."
    ),
    "below people": gettext_lazy(
        "%(judge)s agrees with people less than one person does: alpha %(alpha)s, %(gap)s "
        "lower (baseline %(null)s)."
    ),
}


def _state(row: dict[str, Any]) -> str:
    """Return what the tests of a judge show, a key of _SENTENCES."""
    lost = row["discarded"]
    if row["items"] == 0 and lost and lost["share"] == 1:
        return "discarded"
    if row["alpha"] is None:
        return "unknown"
    if row["p_adjusted"] is None:
        return "untested"
    if not _claimed(row["p_adjusted"]):
        return "unclear"
    if row["p_over_person_adjusted"] is None:
        return "above habits"
    if not _claimed(row["p_over_person_adjusted"]):
        return "as people"
    return "above people" if row["over_person"] > 0 else "below people"


def _claimed(p_adjusted: float | None) -> bool:
    """Return whether a claim is made, with all judges of the question taken together."""
    return p_adjusted is not None and p_adjusted <= 0.05


def _written(value: float | None) -> str:
    return "" if value is None else f"{round(value, 2) + 0:.2f}".replace("-", "−")
