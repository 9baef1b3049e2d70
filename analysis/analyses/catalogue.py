"""All analyses, in the order in which steps are planned and files are listed."""

from collections.abc import Mapping
from types import MappingProxyType

from analysis.analyses import (
    agreement,
    associations,
    best_worst,
    competence,
    corrected,
    cost,
    crowd,
    differentiable,
    elo_beside,
    games,
    grades,
    groups,
    judges,
    means,
    mixed,
    orders,
    origins,
    positions,
    process,
    ranked_alike,
    references,
    retrieval,
    savings,
    score_pairs,
    shares,
    stability,
    summaries,
    texts,
    totals,
    wording,
)
from analysis.inputs.definition import Analysis

MODULES = (
    agreement,
    competence,
    crowd,
    corrected,
    orders,
    positions,
    stability,
    differentiable,
    means,
    best_worst,
    shares,
    summaries,
    grades,
    associations,
    ranked_alike,
    groups,
    mixed,
    origins,
    texts,
    wording,
    references,
    process,
    judges,
    score_pairs,
    elo_beside,
    savings,
    games,
    totals,
    retrieval,
    cost,
)
CATALOGUE: Mapping[str, Analysis] = MappingProxyType(
    {module.ANALYSIS.name: module.ANALYSIS for module in MODULES}
)
