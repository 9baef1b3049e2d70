"""Competence of workers over all questions, and pairs of names that answer alike."""

from collections.abc import Sequence

import pandas as pd

from analysis.analyses.agreement import votes_of
from analysis.analyses.conditions import to_options
from analysis.inputs.analysis_input import AnalysisInput, Tables, table, table_of
from analysis.inputs.columns import HIDDEN, INTERVAL, Column, NumberFormat
from analysis.inputs.definition import Analysis, Reads
from analysis.stats.errors import CannotCompute
from analysis.stats.labels.honest_comparison import compare_with_honest
from analysis.stats.labels.mace import require_fellows
from analysis.stats.labels.pooled_competence import pooled_competence
from analysis.stats.labels.worker_copies import find_copies
from analysis.stats.votes import Votes
from annotation.texts.sentences import marked

MOST_PAIRS = 50  # of names that are shown: those with the strongest evidence


def crowd(data: AnalysisInput) -> Tables:
    """Return pooled competence, the comparison with honest workers, and pairs of names.

    Reliability is that of all questions together, and of each question alone.
    """
    questions = {
        measure.key: votes_of(frame, measure)
        for measure in data.measures
        if len(frame := data.frame[data.frame["question"] == measure.key])
    }
    items = data.frame.drop_duplicates("item")
    topics = dict(zip(items["item"], items["topic"], strict=True))
    workers, reliable, undefined = table_of(("worker",), []), [], []
    alone = questions.items() if len(questions) > 1 else ()
    for key, votes in [
        ("", list(questions.values())),
        *((key, [votes_alone]) for key, votes_alone in alone),
    ]:
        try:
            require_fellows(votes)
            pooled = pooled_competence(votes, topics=topics, confidence=data.confidence)
        except CannotCompute as reason:
            undefined.append([key, str(reason)])
            continue
        reliable.append(
            [
                key or "all questions together",
                pooled.reliability,
                pooled.mean,
                pooled.spread,
                len(pooled.frame),
            ]
        )
        if not key:
            workers = table(_with_comparison(pooled.frame, votes, data.confidence))
            undefined += [["", pooled.why]] * bool(pooled.why)
    columns = ("of", "reliability", "mean", "between_workers", "workers")
    return {
        "workers": workers,
        "reliability": table_of(columns, reliable),
        "copies": table(_pairs(list(questions.values()))),
        "undefined": table_of(("of", "reason"), undefined),
    }


def _with_comparison(
    pooled: pd.DataFrame, questions: Sequence[Votes], confidence: float
) -> pd.DataFrame:
    """Return the workers with their comparison with an honest worker on the same items."""
    comparison = compare_with_honest(questions, confidence=confidence).frame
    comparison = comparison.drop(columns="items")
    comparison = comparison.rename(columns={"low": "ratio_low", "high": "ratio_high"})
    return pooled.merge(comparison, on="worker", how="left", validate="one_to_one")


def _pairs(questions: list[Votes]) -> pd.DataFrame:
    frame = find_copies(questions).frame.rename(
        columns={"first": "worker", "second": "other_worker"}
    )
    return frame[frame["q"] < 1].head(MOST_PAIRS)


ANALYSIS = Analysis(
    name="crowd",
    title="Participants over all questions",
    answers="How reliable is competence, and does anyone use two accounts?",
    assumes="Participants answer independently, with the same competence on all questions.",
    reads=Reads.ALL_VOTES,
    applies=to_options,
    function=crowd,
    of_each_worker=True,
    of_work=True,
    columns={
        "of": Column("Question"),
        "reliability": Column(form=NumberFormat.TWO,
            meaning=marked("share of variance between participants beyond sampling error")),
        "mean": Column(form=NumberFormat.TWO, meaning=marked("mean competence of the "
        "participants")),
        "between_workers": Column("SD between participants", NumberFormat.TWO,
                                  marked(
                                      "standard deviation between participants, without "
                                      "sampling error")),
        "ratio": Column("Agreement vs. expected", NumberFormat.SHARE,
            marked("100% is the agreement expected on the same items, 0% is guessing"),
            interval=("ratio_low", "ratio_high")),
        "ratio_low": Column(form=NumberFormat.SHARE),
        "ratio_high": Column(form=NumberFormat.SHARE),
        "p_guess": Column("p (guessing)",
            meaning=marked("probability of at least this agreement by guessing")),
        "comparable": Column("Comparable",
            meaning=marked("these items separate guessing from judging")),
        "mark": Column("Flagged",
            meaning=marked("agreement below expectation and no better than guessing")),
        "worker": Column("Name"),
        "other_worker": Column("Other name"),
        "items": Column("Items of both", NumberFormat.WHOLE),
        "same": Column("Items answered identically", NumberFormat.WHOLE),
        "answers": Column("Answers of both", NumberFormat.WHOLE),
        "agreeing": Column("Identical answers", NumberFormat.WHOLE),
        "expected": Column("Expected by chance", NumberFormat.ROUNDED,
                           marked("identical answers expected by chance")),
        "p": HIDDEN,
        "near_identical": Column("Nearly identical"),
    },
    table_columns={
        "copies": {
            "q": Column("q", NumberFormat.CHANCE,
                        marked("p-value, Bonferroni-adjusted for all pairs")),
        },
        "workers": {
            "competence": Column(
                meaning=marked(
                    "probability of knowing rather than guessing an answer (0 to 1), over all "
                    "questions"),
                interval=INTERVAL,
            ),
        },
    },
)  # fmt: skip
