"""Measures of the style of texts: length, citations, Markdown structure and readability.

Counts enter as logs (of 1 + n), so that a measure speaks of ratios: 100 more words mean more in a
short text than in a long one.
"""

import re
from functools import lru_cache

import numpy as np
import pandas as pd

from analysis.stats.text.readability import flesch_reading_ease
from annotation.texts.statements import statements, without_citations
from annotation.texts.words import count_words

MEASURES = ("words", "citations", "structure", "reading ease")
_STRUCTURE = re.compile(
    r"^[ \t]{0,3}#{1,6}[ \t]"  # headings
    r"|^[ \t]*(?:[-*+]|\d{1,3}[.)])[ \t]"  # items of lists
    r"|\*\*(?=\S).+?(?<=\S)\*\*|__(?=\S).+?(?<=\S)__",  # bold
    re.MULTILINE,
)


def style_measures(texts: pd.DataFrame) -> pd.DataFrame:
    """Return the measures, columns MEASURES, of each text by its response.

    Reading ease is NaN of a text without words.
    """
    rows = [_measured(text) for text in texts["text"]]
    return pd.DataFrame(rows, columns=list(MEASURES), index=list(texts["response"]), dtype=float)


@lru_cache(maxsize=10_000)  # each question reads the same texts
def _measured(text: str) -> tuple[float, float, float, float]:
    plain = without_citations(text)
    cited = sum(len(statement.cited) for statement in statements(text))
    return (
        float(np.log1p(count_words(plain))),
        float(np.log1p(cited)),
        float(np.log1p(len(_STRUCTURE.findall(text)))),
        flesch_reading_ease(plain),
    )
