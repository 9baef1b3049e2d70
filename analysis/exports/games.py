"""Votes on pairs as games of RAGElo, in the file that it writes itself. Only reads.

`replicate ragelo` and the package read topic, agents and answer; the other columns are for people.
"""

from collections.abc import Iterator

from analysis.exports.encodings import Row
from analysis.exports.sources import Asked, CannotExport, Source
from analysis.inputs import judged
from analysis.inputs.measures import Does, Measure, measures_of
from analysis.inputs.pools import Pool
from annotation.models import Response, Study

PAIR = ("a", "b")
GAMES_OF = ("pair", "pair_documents")  # of items that show two texts
COLUMNS = ("qid", "agent_a", "agent_b", "answer", "question", "rater")
ANSWERS = {1: "A", -1: "B", 0: "C"}


class NoGames(CannotExport):
    def __init__(self, study: Study) -> None:
        super().__init__(
            f"In study {study.slug} nobody compares the responses of two systems: it has no games."
        )


def measure_of(study: Study) -> Measure | None:
    """What decides a game: the overall question about pairs, or else the first."""
    found = [
        each
        for each in measures_of(study)
        if each.does == Does.COMPARES and each.kind in GAMES_OF and not each.per_slot
    ]
    overall = [each for each in found if each.name.startswith("overall")]
    return next(iter(overall or found), None)


def have_systems(study: Study) -> bool:
    """Whether it compares responses of systems."""
    shown = Response.objects.filter(corpus=study.corpus_id, system__isnull=False)
    return (
        study.items.filter(kind__in=GAMES_OF, slots__response__in=shown).exists()
        and measure_of(study) is not None
    )


def played(source: Source) -> None:
    """Raise NoGames."""
    if not have_systems(source.study):
        raise NoGames(source.study)


def games(source: Source) -> Iterator[Row]:
    """One row a vote on two systems: A or B is the better one, C neither. Somebody who judged a
    pair twice plays it once, as in the analysis."""
    measure = measure_of(source.study)
    assert measure is not None  # `played`
    asked = Asked.of(measure)
    responses = Response.objects.filter(corpus=source.study.corpus_id, system__isnull=False)
    systems = dict(responses.values_list("key", "system__key"))
    pool = Pool(source.run.pool) if source.run else Pool()
    for item in judged.judged(study=source.study, step=source.step, pool=pool):
        agents = [systems.get(item.contents.get(slot, "")) for slot in PAIR]
        if None in agents or agents[0] == agents[1]:
            continue
        for vote, label in source.votes(item, asked):
            outcome = measure.outcomes.get(label, 0)
            cells = (item.topic, *agents, ANSWERS[outcome], measure.name, vote.worker)
            yield dict(zip(COLUMNS, cells, strict=True))


def game_columns(source: Source) -> tuple[str, ...]:
    return COLUMNS
