"""Votes on two systems as games: what is exported is what `replicate ragelo` reads."""

import pytest

from analysis.exports.exporting import stream, write_bundle
from analysis.exports.source import ExportSource
from analysis.replication.ragelo.games import GAMES, read_games
from annotation.models import Response
from judging.models import Judgment
from tests.analysis.coded_errors import cannot_export
from tests.analysis.exports.exported import table
from tests.cast import alice, bob, small_corpus, small_study, submitted

pytestmark = [pytest.mark.django_db, pytest.mark.storage]


@pytest.fixture
def study():
    corpus = small_corpus(responses=3)
    for response in Response.objects.all():
        name = {"a": "RAG", "b": "RAGF", "c": "RAG"}[response.key[-1]]
        response.system, _ = corpus.systems.get_or_create(key=name, defaults={"name": name})
        response.save()
    return small_study(corpus=corpus, quota=2)


def test_the_games_are_read_by_our_own_replication(study, tmp_path):
    submitted(study, bob())
    write_bundle(study=study, out=tmp_path)
    systems = dict(Response.objects.values_list("key", "system__key"))
    expected = []
    for judgment in Judgment.objects.order_by("item__key"):
        first, second = judgment.item.slots.values_list("response__key", flat=True)
        if systems[first] != systems[second]:
            score = {first: 1.0, second: 0.0}.get(judgment.value, 0.5)
            expected.append(("t1", systems[first], systems[second], score))
    assert len(expected) == 2  # RAG against itself is no game
    assert list(read_games(tmp_path).frame.itertuples(index=False, name=None)) == expected
    assert {row["rater"] for row in table(tmp_path / GAMES)} == {bob().pseudonym}


def test_who_judged_a_pair_twice_played_it_once(study, tmp_path):
    """The second time with the sides changed: nobody is asked the very same again."""
    once = submitted(study, bob())
    write_bundle(study=study, out=tmp_path / "alone")
    rows = table(tmp_path / "alone" / GAMES)
    again = submitted(study, alice())
    for judgment in once.judgments.all():
        same = again.judgments.filter(item=judgment.item, question=judgment.question)
        same.update(rater=judgment.rater, shown=",".join(reversed(judgment.shown.split(","))))
    write_bundle(study=study, out=tmp_path / "twice")
    assert table(tmp_path / "twice" / GAMES) == rows
    assert len(rows) == 2


def test_responses_without_systems_play_no_games():
    study = small_study(responses=3)
    with cannot_export("no_games"):
        stream(source=ExportSource.of(study), name=GAMES)
