"""Grades of judged passages as qrels of TREC.

The grades are those of the first question about single passages, such as their relevance in three
steps.
"""

from collections.abc import Iterator

import pandas as pd

from analysis.exports.cells import number
from analysis.exports.export_column import lines
from analysis.exports.passages import is_on_points, of_words, question_of, require_grades
from analysis.exports.source import CannotExport, ExportSource
from analysis.stats.retrieval.mean_grades import mean_grades, qrels_from
from annotation.corpora.formats import trec
from judging.models import Question
from judging.raters.pools import Pool

KIND = "passage"
COLUMNS = lines("topic, 0, passage, mean grade of its raters, rounded half up")


def is_on_passages(source: ExportSource) -> bool:
    """Return whether a question of the study grades single passages."""
    return is_on_points(source, kind=KIND)


def on_passages(source: ExportSource) -> None:
    """Raise CannotExport (no_relevance_grades, white_space_in_key, no_passage_grades)."""
    question = question_of(source.study, kind=KIND)
    if question is None or any(score % 1 for score in scores_of(question).values()):
        raise CannotExport(
            "no_relevance_grades",
            f"Study {source.study.slug} has no qrels: no question grades passages with whole "
            "numbers.",
        )
    of_words(source)
    require_grades(source)


def scores_of(question: Question) -> dict[str, float]:
    """Return the score of each option; nothing for a range, whose answers are numbers."""
    options = question.scale.spec.get("options", [])
    scored = ((option["code"], option.get("score")) for option in options)
    return {code: float(score) for code, score in scored if score is not None}


def qrels(source: ExportSource) -> Iterator[str]:
    """Yield one line per judged passage: the mean over raters, halves up."""
    rows = [row for row in _grades(source) if row[2] is not None and row[2] % 1 == 0]
    frame = pd.DataFrame(rows, columns=["topic", "passage", "score"])
    if frame.empty:
        return
    means = mean_grades(frame).sort_values(["topic", "passage"])
    yield from trec.written_qrels(
        trec.Graded(topic, passage, grade)
        for topic, graded in qrels_from(means).items()
        for passage, grade in graded.items()
    )


def _grades(source: ExportSource) -> Iterator[tuple[str, str, float | None]]:
    question = question_of(source.study, kind=KIND)
    scores = scores_of(question) if question else {}
    pool = Pool(source.run.pool) if source.run else Pool()
    for item in source.judged(pool=pool):
        votes = [vote for vote in item.votes if question and vote.question == question.pk]
        for vote in source.of_persons(votes):
            given = scores.get(vote.value) if scores else number(vote.value)
            score = float(given) if isinstance(given, int | float) else None
            yield item.topic, item.contents["passage"], score
