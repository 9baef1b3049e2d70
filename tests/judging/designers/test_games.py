"""So many games of a topic instead of all pairs."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from annotation.models import Corpus
from annotation.studies.drafts.faults import faults_of
from annotation.studies.drafts.kinds import decoded, kind_of
from annotation.studies.drafts.plain_data import plain
from judging.designers.designs import design
from judging.designers.games import games
from judging.designers.texts import DesignParameters, DesignText
from judging.drafts.sheets import groups
from judging.items.kinds import Holds
from judging.models import Item
from tests.annotation.studies.drafts.drafted import drafted, judging_document, temporary_study

drawn = st.builds(
    dict,
    systems=st.integers(2, 9),
    topics=st.integers(1, 6),
    per_topic=st.integers(1, 40),
    seed=st.integers(0, 1000),
)


def texts(systems, topics):
    return {
        topic: [
            DesignText(id=topic * 100 + n, topic=topic, words=50 + n, system=n)
            for n in range(1, systems + 1)
        ]
        for topic in range(1, topics + 1)
    }


def played(plan):
    return games(
        texts(plan["systems"], plan["topics"]),
        per_topic=plan["per_topic"],
        rng=np.random.default_rng(plan["seed"]),
    )


def spread(counts):
    return max(counts) - min(counts)


@given(plan=drawn)
def test_a_topic_has_so_many_different_pairs_or_all(plan):
    n = plan["systems"]
    found = played(plan)
    of_topics = Counter(first.topic for first, _ in found)
    assert set(of_topics.values()) == {min(plan["per_topic"], n * (n - 1) // 2)}
    assert len({frozenset(pair) for pair in found}) == len(found)
    assert all(first.topic == second.topic and first != second for first, second in found)


@given(plan=drawn)
def test_systems_stand_equally_often_in_a_topic_and_over_topics(plan):
    found = played(plan)
    over_all = Counter(text.system for pair in found for text in pair)
    systems = range(1, plan["systems"] + 1)
    assert spread([over_all[system] for system in systems]) <= 1
    for topic in range(1, plan["topics"] + 1):
        here = Counter(text.system for pair in found if pair[0].topic == topic for text in pair)
        assert spread([here[system] for system in systems]) <= 1


@given(plan=drawn)
def test_with_enough_games_nobody_stands_apart(plan):
    plan["per_topic"] = max(plan["per_topic"], plan["systems"] - 1)
    found = played(plan)
    for topic in range(1, plan["topics"] + 1):
        here = np.array([(a.system, b.system) for a, b in found if a.topic == topic]).T - 1
        graph = coo_array((np.ones(here.shape[1]), here), shape=(plan["systems"],) * 2)
        assert connected_components(graph, directed=False, return_labels=False) == 1


@given(plan=drawn)
def test_the_seed_says_which(plan):
    assert played(plan) == played(plan)


def test_few_games_meet_nearly_equally_often_over_topics():
    """One game a topic, six systems, 60 topics: each of 15 pairs would meet four times."""
    found = played({"systems": 6, "topics": 60, "per_topic": 1, "seed": 7})
    met = Counter(frozenset(text.system for text in pair) for pair in found)
    assert len(met) == 15
    assert spread(met.values()) <= 2


def test_a_design_deals_these_games_and_reverses_of_them():
    responses = [text for one_text in texts(6, 4).values() for text in one_text]
    wanted = DesignParameters(
        seed=3, games_per_topic=5, reversed_share=0.5, items_per_questionnaire=6
    )
    made = design(material={Holds.RESPONSE: responses}, parameters=wanted)
    assert Counter(item.reverse for item in made.items) == {False: 20, True: 10}
    every = design(
        material={Holds.RESPONSE: responses}, parameters=replace(wanted, games_per_topic=None)
    )
    assert sum(not item.reverse for item in every.items) == 60


@pytest.mark.django_db
def test_a_draft_asks_for_games_counts_them_and_launches_them() -> None:
    written = plain(judging_document(responses=6))
    figures = written["instruments"][0]["defaults"]
    assert figures["games_per_topic"] is None
    figures["games_per_topic"] = 0
    at = "instruments/crowdrag-pairwise/defaults/games_per_topic"
    assert at in {fault.path for fault in faults_of(decoded(written))}
    figures["games_per_topic"] = 5
    document = decoded(written)
    fields = [field for group in groups(document) for field in group.fields]
    assert next(field.value for field in fields if field.path == at) == 5
    summary = kind_of("judging").outline(document, Corpus.objects.get())
    assert "5 items" in summary.notes[0]
    with temporary_study(draft=drafted(document)) as study:
        assert Item.objects.filter(study=study).count() == 5
