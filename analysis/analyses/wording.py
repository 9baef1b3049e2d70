"""How near is the wording to what is cited, and how easily does it read?"""

from collections.abc import Iterator

from analysis.analyses.described import COUNT, SD, Analysis, Display, N, Reads, to_none
from analysis.analyses.texts import UNDEFINED, prose_of, without_interval
from analysis.inputs.asked import Asked, Tables, table, table_of
from analysis.pages.results.figures import Figure, figure
from analysis.pages.results.found import Found
from analysis.pages.results.text_curves import by_style_and_origin, curves_of
from analysis.plots import Estimate, citations, forest
from analysis.stats.errors import CannotCompute
from analysis.stats.text.readability import readability
from analysis.stats.text.reuse import reuse


def wording(asked: Asked) -> Tables:
    """How near statements are to what they cite (BLEU), and how easily the texts read (Flesch)."""
    prose, draws = prose_of(asked)
    found = {"readability": table(readability(prose, bootstrap=draws).summary)}
    undefined = []
    try:
        used = reuse(prose, sentences=True, bootstrap=draws)
        found |= {
            "reuse": table(used.shares),
            "curves": table(used.curves),
            "distribution": table(used.distribution),
        }
    except CannotCompute as reason:
        undefined.append(["reuse", str(reason)])
    undefined += without_interval(found)
    return found | {"undefined": table_of(UNDEFINED, undefined)}


def figures(found: Found) -> Iterator[Figure]:
    rows = found.records("wording", "distribution")
    if drawn := curves_of(found, rows, lambda row: float(row["bleu"]), lambda members: None):
        yield figure(
            lambda title, width: citations.reuse(drawn, title=title, width=width),
            title="Reuse of the cited passages",
            caption="The share of statements at or below a sentence BLEU with what they cite: the "
            "lower a curve, the more is taken over.",
        )
    ease = [row for row in found.records("wording", "readability") if row["value"] is not None]
    own = [row for row in ease if row["text"] == "own"]
    if own:
        read = [
            Estimate(name, row["value"], row["low"], row["high"], int(row["n"]))
            for name, members in by_style_and_origin(found, own).items()
            for row in members
        ]
        yield figure(
            lambda title, width: forest(
                read,
                title=title,
                axis="Flesch reading ease (higher is easier)",
                width=width,
                confidence=found.confidence,
            ),
            title="Readability",
            caption="Median over texts without their citations, with its interval over topics.",
        )


ANALYSIS = Analysis(
    name="wording",
    title="Reuse and readability",
    answers="How near is the wording to what is cited, and how easily does it read?",
    assumes="Texts are English; lines of a passage, or its sentences, are alternative references.",
    reads=Reads.TEXTS,
    applies=to_none,
    function=wording,
    part="texts",
    place=1,
    columns={
        "sd": SD,
        "n": N,
        "topics": COUNT,
    },
    tables={
        "reuse": Display("Sentence BLEU with what is cited"),
        "readability": Display("Flesch reading ease"),
        "curves": Display("Shared n-grams by their length", folded=True),
        "distribution": None,
    },
    figures=figures,
)
