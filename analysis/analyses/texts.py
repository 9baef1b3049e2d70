"""How long are the texts, what do they cite, how do they use it, and how do they read?"""

from collections.abc import Callable

import pandas as pd

from analysis.inputs.asked import Asked, Table, Tables, table, table_of
from analysis.stats.errors import CannotCompute
from analysis.stats.text.citing import (
    citation_by_rank,
    citation_density,
    citation_order,
    overlaps,
    ranks_of_citations,
)
from analysis.stats.text.corpus import Prose, read_prose
from analysis.stats.text.counts import count_responses
from analysis.stats.text.intervals import Bootstrap
from analysis.stats.text.readability import readability
from analysis.stats.text.references import reference_based
from analysis.stats.text.reuse import reuse

UNDEFINED = ("table", "reason")
Part = Callable[[Prose, Bootstrap], pd.DataFrame]

CITING: dict[str, Part] = {
    "by_rank": lambda prose, draws: citation_by_rank(prose, bootstrap=draws).frame,
    "ranks": lambda prose, draws: ranks_of_citations(prose, bootstrap=draws).frame,
    "overlaps": lambda prose, draws: overlaps(prose, bootstrap=draws).frame,
    "order": lambda prose, draws: citation_order(prose, bootstrap=draws).frame,
    "density": lambda prose, draws: citation_density(prose, bootstrap=draws).frame,
}


def _prose(asked: Asked) -> tuple[Prose, Bootstrap]:
    assert asked.passages is not None  # Reads.TEXTS brings them
    draws = Bootstrap(draws=asked.draws, confidence=asked.confidence, seed=asked.seed)
    return read_prose(asked.frame, asked.passages), draws


def texts(asked: Asked) -> Tables:
    """Words, statements and citations; which passages are cited, in which order, and where."""
    prose, draws = _prose(asked)
    counted = count_responses(prose, bootstrap=draws)
    found: dict[str, Table] = {"counts": table(counted.summary)}
    undefined = []
    for name, part in CITING.items():
        try:
            found[name] = table(part(prose, draws))
        except CannotCompute as reason:
            undefined.append([name, str(reason)])
    left_out = [[counted.non_responses, prose.least_words, counted.unknown_citations]]
    return found | {
        "left_out": table_of(("non_responses", "least_words", "unknown_citations"), left_out),
        "undefined": table_of(UNDEFINED, undefined),
    }


def wording(asked: Asked) -> Tables:
    """How near statements are to what they cite (BLEU), and how easily the texts read (Flesch)."""
    prose, draws = _prose(asked)
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
    return found | {"undefined": table_of(UNDEFINED, undefined)}


def references(asked: Asked) -> Tables:
    """BLEU and ROUGE-L against the best response of a topic, correlated with the grades."""
    assert asked.texts is not None  # Reads.GRADED_TEXTS brings them
    grades = asked.frame.rename(columns={"question": "dimension"})
    draws = Bootstrap(draws=asked.draws, confidence=asked.confidence, seed=asked.seed)
    found = reference_based(
        asked.texts[["response", "topic", "text"]],
        grades[["response", "dimension", "grade"]],
        bootstrap=draws,
    )
    return {"references": table(found.frame)}
