"""To what of a study no analysis applies, in sentences. Only reads."""

from collections.abc import Collection

from analysis.analyses.catalogue import CATALOGUE
from analysis.inputs.reading import questions_in
from analysis.models import AnalysisRun
from annotation.models import Study
from judging.models import Scale


def remarks(run: AnalysisRun, kinds: Collection[str]) -> list[str]:
    """Of kinds of items, and of questions, that nothing reads; a writing study has neither."""
    if run.study.kind != Study.Kind.JUDGING:
        return []
    return [*_kinds(kinds), *_questions(run)]


def _kinds(kinds: Collection[str]) -> list[str]:
    known = {kind for analysis in CATALOGUE.values() for kind in analysis.kinds}
    return [
        f"No analysis applies to items of the kind {kind}: their votes are in the export."
        for kind in sorted(set(kinds) - known)
    ]


def _questions(run: AnalysisRun) -> list[str]:
    if not questions_in(run):
        return [
            "No analysis applies to the questions: none has options to choose from. The answers "
            "are in the export of votes."
        ]
    ranges = run.study.questions.filter(scale__kind=Scale.Kind.RANGE).select_related("criterion")
    names = [each.criterion.name for each in ranges if each.key not in run.inputs]
    if not names:
        return []
    return [f"No analysis applies to answers on a range: {', '.join(names)}."]
