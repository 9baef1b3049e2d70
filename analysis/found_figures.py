"""The plots of each analysis, from its stored tables."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from analysis.figures import (
    ROWS_IN_ONE,
    Figure,
    agreement_figure,
    competence_figure,
    figure,
    mean_figures,
)
from analysis.found import Found
from analysis.pages import agreement_rows, group_rows, response_rows, worker_rows
from analysis.plots import Curve, Estimate, Point, Reference, forest
from analysis.plots.offered import (
    agreement,
    correlations,
    merits,
    order_effects,
    position_effects,
    stability,
    wins,
)
from analysis.stats.keeping import KeepRule

Row = dict[str, Any]
MANY_GROUPS = 40  # a win matrix with more has cells that nobody can read


def figures_of(found: Found, analysis: str) -> list[Figure]:
    """The plots of an analysis; none where nothing could be computed."""
    drawn = FIGURES.get(analysis, nothing)(found)
    return [replace(each, name=f"{analysis}-{k}") for k, each in enumerate(drawn, 1)]


def nothing(found: Found) -> Iterator[Figure]:
    yield from ()


def _estimate(
    found: Found, row: Row, label: str, value: str = "value", n: str = "items"
) -> Estimate:
    """A row as an estimate of its question; a null where the row has one."""
    sure = row["low"] is not None and row["high"] is not None
    return Estimate(
        label,
        row[value],
        row["low"] if sure else None,
        row["high"] if sure else None,
        row.get(n) and int(row[n]),
        found.words.of(row["question"]),
        row.get("null_lowest"),
        row.get("null_highest"),
    )


def _by_question(found: Found, rows: list[Row], value: str, n: str) -> list[Estimate]:
    """One row a question, named by it."""
    known = [row for row in rows if row[value] is not None]
    plain = [_estimate(found, row, found.words.of(row["question"]), value, n) for row in known]
    return [replace(each, group="") for each in plain]


def _agreement(found: Found) -> Iterator[Figure]:
    if drawn := agreement_figure(agreement_rows(found.run)):
        yield drawn


def _corrected(found: Found) -> Iterator[Figure]:
    rows = [row for row in found.records("corrected", "corrected") if row["value"] is not None]
    if rows:
        yield figure(
            lambda title, width: agreement(
                [_estimate(found, row, row["votes_kept"]) for row in rows], title=title, width=width
            ),
            title="Agreement of all and of the competent",
            caption="Krippendorff’s alpha. The hollow band is what votes shuffled at random reach: "
            "in sample it lies far above 0, which is the circle.",
        )


def _differentiable(found: Found) -> Iterator[Figure]:
    rows = [row for row in found.records("differentiable", "parts") if row["value"] is not None]
    if rows:
        yield figure(
            lambda title, width: agreement(
                [_estimate(found, row, row["part"]) for row in rows], title=title, width=width
            ),
            title="Agreement by how far items can be told apart",
            caption="Krippendorff’s alpha with its interval by items.",
        )


def _orders(found: Found) -> Iterator[Figure]:
    sides = found.records("orders", "sides")
    if sides:
        yield figure(
            lambda title, width: order_effects(
                _by_question(found, sides, "share", "votes"), title=title, width=width
            ),
            title="Share of preferences for the right-hand side",
            caption="With the interval over workers; n is the number of votes with a preference.",
        )
    for order in ("direction", "half of the questionnaire"):
        rows = [
            row
            for row in found.records("orders", "parts", order=order)
            if row["part"] != "difference" and row["value"] is not None
        ]
        if rows:
            yield _parts(found, rows, order)


def _parts(found: Found, rows: list[Row], order: str) -> Figure:
    return figure(
        lambda title, width: agreement(
            [_estimate(found, row, found.words.of(row["part"])) for row in rows],
            title=title,
            width=width,
        ),
        title=f"Agreement by {order}",
        caption="Krippendorff’s alpha on the pairs that were seen in both ways, with intervals.",
    )


def _position(found: Found) -> Iterator[Figure]:
    if rows := found.records("position", "position"):
        yield figure(
            lambda title, width: position_effects(
                _by_question(found, rows, "effect", "workers"), title=title, width=width
            ),
            title="What it adds to a text to stand on the left",
            caption="In the unit of merits, with Wald intervals clustered by workers.",
        )


def _curves(found: Found, analysis: str, y: str) -> list[Curve]:
    by_question: dict[str, list[Row]] = {}
    for row in found.records(analysis, analysis):
        if row[y] is not None:
            by_question.setdefault(row["question"], []).append(row)
    return [
        Curve(
            found.words.of(question),
            [Point(row["votes_per_item"], row[y], row["low"], row["high"]) for row in rows],
            max(int(row["items"]) for row in rows),
        )
        for question, rows in by_question.items()
    ]


def _stability(found: Found) -> Iterator[Figure]:
    if drawn := _curves(found, "stability", "tau"):
        yield figure(
            lambda title, width: stability(drawn, title=title, width=width),
            title="Stability of the ranking",
            caption="Where the curve is flat, more votes would change little.",
        )


def _associations(found: Found) -> Iterator[Figure]:
    rows = found.records("associations", "associations")
    if not rows:
        return
    keys = [k for k in found.words.questions if any(k in (r["first"], r["second"]) for r in rows)]
    taus = {(row["first"], row["second"]): row["tau"] for row in rows}
    cells = [[taus.get((a, b), taus.get((b, a))) for b in keys] for a in keys]
    names = [found.words.of(key) for key in keys]
    yield figure(
        lambda title, width: correlations(names, cells, title=title, width=width),
        title="Correlation between questions",
        caption="Kendall’s tau-b between gold labels.",
    )


def _groups(found: Found) -> Iterator[Figure]:
    question = found.headline
    for by, what in (("system", "systems"), ("style, origin", "styles")):
        rows = found.records("groups", "means", by=by, question=question)
        if rows and len(rows) <= ROWS_IN_ONE:
            yield _group_means(found, rows, what)
    rows = found.records("groups", "means", by="system", question=question)
    pairs = found.records("groups", "ahead", by="system", question=question)
    if 3 <= len(rows) <= MANY_GROUPS:
        names = [row["group"] for row in rows]
        chance = {(row["group"], row["other"]): row["ahead"] for row in pairs}
        cells = [[chance.get((one, other)) for other in names] for one in names]
        yield figure(
            lambda title, width: wins(names, cells, title=title, width=width),
            title=f"Who is ahead of whom: {found.words.of(question)}",
            caption="Share of draws of topics in which the mean grade of the row is the higher.",
        )


def _group_means(found: Found, rows: list[Row], what: str) -> Figure:
    labelled = [
        Estimate(
            f"{found.words.of(row['group'])} ({row['letters']})",
            row["mean"],
            row["low"],
            row["high"],
            int(row["responses"]),
        )
        for row in rows
    ]
    return figure(
        lambda title, width: merits(labelled, title=title, axis="mean grade", width=width),
        title=f"Mean grade of {what}: {found.words.of(rows[0]['question'])}",
        caption="With the interval over topics. Those that share a letter are not told apart.",
    )


def _origins(found: Found) -> Iterator[Figure]:
    tests = {row["test"]: row for row in found.records("origins", "over_all")}
    rows = [tests[key] | {"question": key} for key in found.words.questions if key in tests]
    if rows:
        yield figure(
            lambda title, width: forest(
                _by_question(found, rows, "difference", "n"),
                title=title,
                axis="models minus people, in grades",
                references=[Reference(0.0, "no difference")],
                width=width,
            ),
            title="Models minus people",
            caption="Mean difference of grades on the same topics; n is the number of topics.",
        )


def _competence(found: Found) -> Iterator[Figure]:
    rule = KeepRule(**found.run.parameters.get("keep", {}))
    cut = None if rule.most_spam is None else 1 - rule.most_spam
    if drawn := competence_figure(worker_rows(found.run), cut=cut):
        yield drawn


def _means(found: Found) -> Iterator[Figure]:
    names = list(found.words.questions.values())
    yield from mean_figures(group_rows(response_rows(found.run), by="system"), names, graded=False)


FIGURES: dict[str, Callable[[Found], Iterator[Figure]]] = {
    "agreement": _agreement,
    "corrected": _corrected,
    "differentiable": _differentiable,
    "orders": _orders,
    "position": _position,
    "stability": _stability,
    "associations": _associations,
    "groups": _groups,
    "origins": _origins,
    "competence": _competence,
    "means": _means,
}
