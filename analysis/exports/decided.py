"""Export of pairs that were decided by the rule on empty answers, without participants."""

from collections.abc import Iterator

from analysis.exports.encodings import Row
from analysis.exports.export_column import NUMBER, TEXT, TOPIC, ExportColumn
from analysis.exports.source import CannotExport, ExportSource
from annotation.models import Study
from judging.design.decided_pairs import DecidedPair, decided_in

DECIDED_PAIRS = (
    TOPIC,
    ExportColumn("response_a", TEXT, "2024-145979/BM25", "key of the response in slot a"),
    ExportColumn("response_b", TEXT, "2024-145979/Dense", "key of the response in slot b"),
    ExportColumn(
        "winner", TEXT, "b", "a or b: the response that is not empty; tie if both are empty"
    ),
    ExportColumn(
        "votes", NUMBER, "5",
        "number of votes that the pair counts as in rankings and wins of systems, the same as "
        "for other pairs; it does not count in agreement or competence",
    ),
)  # fmt: skip


def decided_of(study: Study) -> list[DecidedPair]:
    """Return the decided pairs of the batches that were opened."""
    return list(decided_in(study.batches.filter(onboarding=False, opened_at__isnull=False)))


def decided(source: ExportSource) -> None:
    """Raise CannotExport (no_decided_pairs) if participants were shown all pairs."""
    if not decided_of(source.study):
        raise CannotExport(
            "no_decided_pairs",
            f"Study {source.study.slug} has no pairs that were decided without participants.",
        )


def decided_pairs(source: ExportSource) -> Iterator[Row]:
    """Yield one row per decided pair, sorted by topic."""
    for pair in sorted(decided_of(source.study)):
        yield {
            "topic": pair.topic,
            "response_a": pair.a,
            "response_b": pair.b,
            "winner": pair.winner,
            "votes": pair.votes,
        }
