"""The plots of systems and styles: who is ahead, how stable that is, and by which questions."""

from collections.abc import Iterator
from typing import Any

from analysis.plots import Curve, Estimate, Point, Reference, forest
from analysis.plots.offered import correlations, merits, stability, wins
from analysis.results.figures import ROWS_IN_ONE, Figure, by_question, figure
from analysis.results.found import Found

Row = dict[str, Any]
MANY_GROUPS = 40  # a win matrix with more has cells that nobody can read


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


def stability_figures(found: Found) -> Iterator[Figure]:
    if drawn := _curves(found, "stability", "tau"):
        yield figure(
            lambda title, width: stability(
                drawn, title=title, width=width, confidence=found.confidence
            ),
            title="Stability of the ranking",
            caption="The curve ends at 1 because all votes are compared with themselves: it says "
            "how much fewer votes would have changed, and nothing about more of them.",
        )


def associations_figures(found: Found) -> Iterator[Figure]:
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


def groups_figures(found: Found) -> Iterator[Figure]:
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
        lambda title, width: merits(
            labelled, title=title, axis="mean grade", width=width, confidence=found.confidence
        ),
        title=f"Mean grade of {what}: {found.words.of(rows[0]['question'])}",
        caption="With the interval over topics. Those that share a letter are not told apart.",
    )


def origins_figures(found: Found) -> Iterator[Figure]:
    tests = {row["test"]: row for row in found.records("origins", "over_all")}
    rows = [tests[key] | {"question": key} for key in found.words.questions if key in tests]
    if rows:
        yield figure(
            lambda title, width: forest(
                by_question(found, rows, "difference", "n"),
                title=title,
                axis="models minus people, in grades",
                references=[Reference(0.0, "no difference")],
                width=width,
                confidence=found.confidence,
            ),
            title="Models minus people",
            caption="Mean difference of grades on the same topics; n is the number of topics.",
        )
