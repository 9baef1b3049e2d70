"""The plots of what is said about texts, from the stored tables of a run."""

from collections.abc import Callable, Iterator
from typing import Any

from analysis.plots import Curve, Estimate, Point, Reference
from analysis.plots.offered import citation_by_rank, citation_density, merits, reuse
from analysis.results.figures import Figure, figure
from analysis.results.found import Found

Row = dict[str, Any]


def _groups(found: Found, rows: list[Row]) -> dict[str, list[Row]]:
    """Rows by style and origin, in words."""
    groups: dict[str, list[Row]] = {}
    for row in rows:
        name = f"{found.words.of(row['style'])}, {found.words.of(row['origin'])}"
        groups.setdefault(name, []).append(row)
    return groups


def _curves(
    found: Found, rows: list[Row], x: Callable[[Row], float], n: Callable[[list[Row]], int | None]
) -> list[Curve]:
    return [
        Curve(
            name,
            [
                Point(x(row), row["value"], row.get("low"), row.get("high"))
                for row in members
                if row["value"] is not None
            ],
            n(members),
        )
        for name, members in _groups(found, rows).items()
    ]


def _most(members: list[Row]) -> int:
    return max(int(row["n"]) for row in members)


def of_texts(found: Found) -> Iterator[Figure]:
    if by_rank := _curves(
        found, found.records("texts", "by_rank"), lambda row: float(row["rank"]), _most
    ):
        yield figure(
            lambda title, width: citation_by_rank(
                by_rank, title=title, width=width, confidence=found.confidence
            ),
            title="Probability of citation by rank",
            caption="Of the texts that were offered a passage of this rank, the share that cite "
            "it; n is the number of texts.",
        )
    if dense := _curves(
        found,
        found.records("texts", "density"),
        lambda row: (row["start"] + row["end"]) / 2,
        _most,
    ):
        yield figure(
            lambda title, width: citation_density(
                dense, title=title, width=width, confidence=found.confidence
            ),
            title="Where citations stand in a text",
            caption="1 throughout if they were spread evenly; n is the number of citations.",
        )


def of_wording(found: Found) -> Iterator[Figure]:
    rows = found.records("wording", "distribution")
    if drawn := _curves(found, rows, lambda row: float(row["bleu"]), lambda members: None):
        yield figure(
            lambda title, width: reuse(drawn, title=title, width=width),
            title="Reuse of the cited passages",
            caption="The share of statements at or below a sentence BLEU with what they cite: the "
            "lower a curve, the more is taken over.",
        )
    ease = [row for row in found.records("wording", "readability") if row["value"] is not None]
    own = [row for row in ease if row["text"] == "own"]
    if own:
        read = [
            Estimate(name, row["value"], row["low"], row["high"], int(row["n"]))
            for name, members in _groups(found, own).items()
            for row in members
        ]
        yield figure(
            lambda title, width: merits(
                read,
                title=title,
                axis="Flesch reading ease (higher is easier)",
                width=width,
                confidence=found.confidence,
            ),
            title="Readability",
            caption="Median over texts without their citations, with its interval over topics.",
        )


def of_references(found: Found) -> Iterator[Figure]:
    rows = [
        row
        for row in found.records("references", "references")
        if row["comparison"] == "full" and row["value"] is not None
    ]
    drawn = [
        Estimate(
            found.words.of(row["measure"]), row["value"], row["low"], row["high"], int(row["n"]),
            found.words.of(row["dimension"]),
        )
        for row in rows
    ]  # fmt: skip
    if drawn:
        yield figure(
            lambda title, width: merits(
                drawn,
                title=title,
                axis="Spearman’s rho with the grades",
                reference=Reference(0.0, "no relation"),
                width=width,
                confidence=found.confidence,
            ),
            title="Measures against the best text",
            caption="Mean over topics, with its interval over topics; n is the number of topics.",
        )
