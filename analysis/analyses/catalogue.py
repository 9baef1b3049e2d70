"""Every analysis that is offered, in the order in which steps are planned and files are listed.

An analysis reads a frame and answers with tables (`inputs.asked`). One that cannot be computed
raises CannotCompute, whose sentence stands where the tables would be.
"""

from analysis.analyses import (
    agreement,
    associations,
    best_worst,
    competence,
    corrected,
    cost,
    crowd,
    differentiable,
    games,
    grades,
    groups,
    means,
    mixed,
    orders,
    origins,
    positions,
    process,
    ranked_alike,
    references,
    savings,
    shares,
    stability,
    texts,
    wording,
)
from analysis.analyses.described import Analysis

CATALOGUE: dict[str, Analysis] = {
    module.ANALYSIS.name: module.ANALYSIS
    for module in (
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
        savings,
        games,
        cost,
    )
}
