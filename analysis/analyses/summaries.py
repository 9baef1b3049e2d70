"""Expected user experience and comprehensiveness of each structured summary."""

from collections.abc import Iterator, Sequence
from typing import Any

import pandas as pd

from analysis.analyses.conditions import to_summaries
from analysis.analyses.summary_comprehensiveness import comprehensiveness_labels
from analysis.analyses.summary_scoring import Scoring
from analysis.analyses.summary_weights import LabelSource, learned_weights
from analysis.inputs.analysis_input import AnalysisInput, Tables, table_of
from analysis.inputs.columns import AHEAD, COUNT, TWO_DIGITS, Column
from analysis.inputs.definition import Analysis, Reads
from analysis.inputs.machine_calls import measure_of_models
from analysis.inputs.summaries import AGAIN, COVERAGE, SummarySettings, key_of, part_of
from analysis.inputs.summary_labels import labelled_summaries, part_labels
from analysis.stats.effects.linear_scores import LinearScore
from analysis.stats.errors import CannotCompute
from analysis.stats.summaries.labelled_summaries import LabelledSummary
from analysis.stats.summaries.user_experience import PARTS
from annotation.texts.sentences import marked
from judging.raters.pools import Pool

MAR = marked("share of preferences that the score predicts, mean over pairs")
AR = marked("share of the pair's preferences that the score predicts")
SCORES = ("question", "topic", "response", "value", "low", "high", "n", "raters")
DEGRADED = ("topic", "response", "without", "question", "original", "copy", "ahead", "expected")
WITHOUT = {
    "headings": LabelledSummary.without_headings,
    "first_section": LabelledSummary.without_first_section,
}


def summaries(data: AnalysisInput) -> Tables:
    """Return scores of summaries, degraded copies, and weights learned from preferences.

    Scores have intervals over raters.
    """
    settings = SummarySettings(**data.setting("summaries"))
    votes = part_labels(data)
    parts = data.parts
    assert parts is not None  # Reads.SUMMARIES brings them
    labelled = labelled_summaries(parts, votes)
    scoring = Scoring(settings, parts, [part for part in PARTS if part in votes], COVERAGE in votes)
    rows, reasons = _rows(labelled, scoring, data)
    if not rows:
        raise CannotCompute(
            "no_labelled_summaries",
            "Structured summaries cannot be scored because none has labels for all required parts.",
        )
    by_score: dict[str, dict[str, tuple[str, float]]] = {}
    for question, topic, key, value, *_ in rows:
        by_score.setdefault(question.partition("@")[0], {})[key] = (topic, value)
    comprehensive, without = comprehensiveness_labels(data, by_score)
    learned, why = learned_weights(data, list(_sources(labelled, scoring, data)))
    return {
        "scores": table_of(SCORES, rows),
        "degraded": table_of(DEGRADED, list(_degraded(labelled, scoring))),
        "comprehensive": comprehensive,
        **learned,
        "undefined": table_of(
            ("about", "reason"), [*reasons, *without, *why, *_unused_labels(data)]
        ),
    }


def _unused_labels(data: AnalysisInput) -> Iterator[list[str]]:
    """Yield sentences that count the labels of parts that are not used."""
    pool = data.measures[0].pool
    asked = [measure.key for measure in data.measures if part_of(measure)]
    labels = data.frame[data.frame["question"].isin(asked)]
    for why, n in labels.loc[labels["unused"] != "", "unused"].value_counts().items():
        yield [pool, f"{n:,} of {len(labels):,} labels of parts are not used because they {why}."]
    if data.models is not None and data.models_again:
        total = len(data.models) + data.models_again
        yield [
            "models",
            f"{data.models_again:,} of {total:,} labels of parts are not used because they "
            f"{AGAIN}.",
        ]


def _sources(
    labelled: Sequence[LabelledSummary], scoring: Scoring, data: AnalysisInput
) -> Iterator[LabelSource]:
    """Yield the labels of the run, and those of models alone and with them, if there are any."""
    pool = data.measures[0].pool
    yield _source(str(Pool(pool)), labelled, scoring, data)
    if data.models is None or data.models.empty:
        return
    parts = data.parts
    assert parts is not None
    measures = [measure_of_models(measure) for measure in data.measures]
    combined = pd.concat([data.counted, data.models], ignore_index=True)
    for name, asked, frame in (
        ("models", measures, data.models),
        ("combined", [*data.measures, *measures], combined),
    ):
        votes = part_labels(data, asked, frame)
        judged_parts = [part for part in PARTS if part in votes]
        of_source = Scoring(scoring.settings, parts, judged_parts, COVERAGE in votes)
        yield _source(name, labelled_summaries(parts, votes), of_source, data)


def _source(
    name: str, labelled: Sequence[LabelledSummary], scoring: Scoring, data: AnalysisInput
) -> LabelSource:
    copies = [
        (summary.topic, summary, degrade(summary))
        for summary in labelled
        for without, degrade in WITHOUT.items()
        if _can_lack(summary, without) and (without == "headings" or summary.has_relevant_start)
        if scoring.is_whole(summary) and scoring.is_whole(degrade(summary))
    ]
    return LabelSource(name, dict(_with_copies(labelled, data)), copies, scoring)


def _can_lack(summary: LabelledSummary, without: str) -> bool:
    return len(summary.sections) >= (2 if without == "first_section" else 1)


def _rows(
    labelled: Sequence[LabelledSummary], scoring: Scoring, data: AnalysisInput
) -> tuple[list[list[Any]], list[list[str]]]:
    """Return a row for each summary and score, and reasons for missing ones."""
    rows: list[list[Any]] = []
    reasons = []
    for key, summary in _with_copies(labelled, data):
        scores = dict(scoring.scores(summary))
        for name, linear in scores.items():
            score = linear.scored(confidence=data.confidence)
            about = (key_of(name, data.measures[0].pool), summary.topic, key)
            rows.append([*about, score.value, score.low, score.high, score.n, score.raters])
        if reason := _reason(summary, scoring, scores):
            reasons.append([key, reason])
    return rows, reasons


def _reason(summary: LabelledSummary, scoring: Scoring, scores: dict[str, LinearScore]) -> str:
    sentences = []
    if scoring.asked and "xux" not in scores:
        n = summary.lacks(scoring.weights)
        sentences.append(f"No XUX: {n:,} labels are missing.")
    if scoring.covers and "comp" not in scores:
        missing = sum(gain is None for gain in summary.gains)
        why = f"{missing:,} labels are missing" if summary.sections else "it has no section"
        sentences.append(f"No Comp: {why}.")
    return " ".join(sentences)


def _with_copies(
    labelled: Sequence[LabelledSummary], data: AnalysisInput
) -> Iterator[tuple[str, LabelledSummary]]:
    by_key = {summary.key: summary for summary in labelled}
    yield from by_key.items()
    copies = data.copies
    assert copies is not None  # Reads.SUMMARIES
    for key, original, without in zip(
        *(copies[name] for name in ("response", "copy_of", "without")), strict=True
    ):
        if original in by_key and (without != "first_section" or by_key[original].sections):
            yield key, WITHOUT[without](by_key[original])


def _degraded(labelled: Sequence[LabelledSummary], scoring: Scoring) -> Iterator[list[Any]]:
    """Yield each summary beside a copy that is worse on purpose.

    The original is expected ahead, unless the part removed is worth nothing: a first section
    without a relevant statement, headings that fit nothing.
    """
    for summary in labelled:
        best = scoring.best(summary)
        if best is None:
            continue
        name, score = best
        for without, degrade in WITHOUT.items():
            if not _can_lack(summary, without):
                continue
            copy = dict(scoring.scores(degrade(summary)))[name].value()
            original = score.value()
            expected = without == "headings" or summary.has_relevant_start
            about = (summary.topic, summary.key, without, name)
            yield [*about, original, copy, original > copy, expected]


ANALYSIS = Analysis(
    name="summaries",
    title="Structured summaries",
    answers="How good and how comprehensive is each structured summary?",
    assumes="Readers start at the top; weights set the value of each line.",
    reads=Reads.SUMMARIES,
    applies=to_summaries,
    function=summaries,
    columns={
        "question": Column("Measure"),
        "se": Column("SE"),
        "original": TWO_DIGITS,
        "copy": TWO_DIGITS,
        "ahead": Column(meaning=AHEAD),
        "pairs": COUNT,
        "preferences": COUNT,
        "labels_of": Column("Labels of"),
        "mean_agreement_rate": Column("MAR", meaning=MAR),
        "agreement_rate": Column("AR", meaning=AR),
        "difference": TWO_DIGITS,
        "measured_by": Column("Score"),
        "summaries": COUNT,
    },
)
