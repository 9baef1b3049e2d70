"""What score does each response get on average?"""

from collections.abc import Iterator

from analysis.analyses.described import SD, TWO_DIGITS, Analysis, N, Panel, Reads, to_scores
from analysis.inputs.asked import Asked, Tables, table
from analysis.results.figures import Figure, mean_figures
from analysis.results.found import Found
from analysis.results.pages.responses import compared_rows
from analysis.results.pages.topics import scored_context
from analysis.stats.effects.means import mean_scores


def means(asked: Asked) -> Tables:
    """The mean score of each item, with its interval and n."""
    result = mean_scores(asked.counted, confidence=asked.confidence)
    return {"means": table(result.frame[["item", "mean", "low", "high", "n", "sd"]])}


def figures(found: Found) -> Iterator[Figure]:
    names = [measure.title for measure in found.scored]
    groups = compared_rows(found, by="system")
    yield from mean_figures(groups, names, confidence=found.confidence)


ANALYSIS = Analysis(
    name="means",
    title="Mean scores",
    answers="What score does each response get on average?",
    assumes="The options of the scale are equally far apart.",
    reads=Reads.VOTES,
    applies=to_scores,
    function=means,
    part="responses",
    place=1,
    lede="Mean score with its {percent} t interval; n is the number of answers. Means of systems "
    "and styles have the interval for {drawn}; those that share a letter do not differ clearly.",
    columns={
        "mean": TWO_DIGITS,
        "n": N,
        "sd": SD,
    },
    tables={
        "means": None,
    },
    figures=figures,
    panel=Panel(below="console/_scores.html", context=scored_context),
)
