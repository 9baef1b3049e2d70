"""Votes on pairs as games in RAGElo's own file format.

`replicate ragelo` and the package read topic, agents and answer; the other columns are for people.
"""

import json
from collections.abc import Iterator

from analysis.exports.encodings import Row
from analysis.exports.export_column import TEXT, ExportColumn
from analysis.exports.source import CannotExport, ExportQuestion, ExportSource
from analysis.inputs.measures import Does, Measure, measures_of
from annotation.models import Response, Study
from judging.raters.pools import Pool

PAIR = ("a", "b")
GAMES_OF = ("pair", "pair_documents")  # of items that show two texts
COLUMNS = (
    ExportColumn("qid", TEXT, "2024-45494", "key of the topic"),
    ExportColumn(
        "agent_a", TEXT, "RAG-Hybrid",
        "key of the system in slot a", guide="keys of the systems in slots a and b",
        guide_key="agent_a, agent_b",
    ),
    ExportColumn("agent_b", TEXT, "", "key of the system in slot b", guide=None),
    ExportColumn(
        "answer", TEXT, "A",
        "A or B for the better response, C for neither",
        guide="`A` or `B` for the better response, `C` for neither",
    ),
    ExportColumn(
        "question", TEXT, "overall",
        "key of the question: the overall question about pairs, or the first",
        guide="key of the question",
    ),
    ExportColumn("rater", TEXT, "bob", "pseudonym of the rater"),
)  # fmt: skip
RESULTS = (
    ExportColumn("qid", TEXT, "2024-45494", "key of the topic"),
    ExportColumn(
        "agent_a", TEXT, "RAG-Hybrid",
        "key of the system in slot a", guide="keys of the systems in slots a and b",
        guide_key="agent_a, agent_b",
    ),
    ExportColumn("answer", TEXT, '{"winner": "A"}', "`winner`: A, B or C (neither)"),
    ExportColumn("rater", TEXT, "bob", "pseudonym of the rater"),
)  # fmt: skip
KEYS = tuple(column.key for column in COLUMNS)
ANSWERS = {1: "A", -1: "B", 0: "C"}


def measure_of(study: Study) -> Measure | None:
    """Return the measure of the games: the overall question about pairs, or the first."""
    measures = [
        measure
        for measure in measures_of(study)
        if measure.does == Does.COMPARES and measure.kind in GAMES_OF and not measure.per_slot
    ]
    overall = [candidate for candidate in measures if candidate.name.startswith("overall")]
    return next(iter(overall or measures), None)


def have_systems(study: Study) -> bool:
    """Return whether the study compares responses of systems."""
    shown = Response.objects.filter(corpus=study.corpus_id, system__isnull=False)
    return (
        study.items.filter(kind__in=GAMES_OF, slots__response__in=shown).exists()
        and measure_of(study) is not None
    )


def played(source: ExportSource) -> None:
    """Raise CannotExport (no_games)."""
    if not have_systems(source.study):
        raise CannotExport(
            "no_games",
            f"Study {source.study.slug} has no games: no question compares responses of two "
            "systems.",
        )


def results(source: ExportSource) -> Iterator[str]:
    """Yield a line per vote as ragelo 0.7 writes its pairwise evaluations to NAME_results.jsonl.

    The package keeps one vote on a pair; `replicate ragelo` reads all.
    """
    for row in games(source):
        result = {
            "qid": row["qid"],
            "evaluator_name": "pairwise",
            "exception": None,
            "answer": {
                "answer_format": "pairwise",
                "answer_a_analysis": "",
                "answer_b_analysis": "",
                "comparison_reasoning": "",
                "winner": row["answer"],
            },
            "usage": None,
            "agent_a": row["agent_a"],
            "agent_b": row["agent_b"],
            "game_id": "-".join(sorted((row["agent_a"], row["agent_b"]))),
            "rater": row["rater"],
        }
        yield json.dumps(result, ensure_ascii=False) + "\n"


def games(source: ExportSource) -> Iterator[Row]:
    """Yield one row per vote on two systems: A or B is the better one, C neither.

    Somebody who judged a pair twice plays it once, as in the analysis.
    """
    measure = measure_of(source.study)
    assert measure is not None  # `played`
    question = ExportQuestion.of(measure)
    responses = Response.objects.filter(corpus=source.study.corpus_id, system__isnull=False)
    systems = dict(responses.values_list("key", "system__key"))
    pool = Pool(source.run.pool) if source.run else Pool()
    for item in source.judged(pool=pool, question=question.pk):
        agents = [systems.get(item.contents.get(slot, "")) for slot in PAIR]
        if None in agents or agents[0] == agents[1]:
            continue
        for vote, label in source.votes(item, question):
            outcome = measure.outcomes.get(label, 0)
            cells = (item.topic, *agents, ANSWERS[outcome], measure.name, vote.worker)
            yield dict(zip(KEYS, cells, strict=True))
