"""The topics of a writing study: drawn again by the same seed, those of newcomers apart."""

import pytest

from annotation.models import Study
from annotation.studies.creating import StudyExists, draft_of
from tests.cast import small_corpus
from tests.refusals import refused_setting
from writing.instruments import files as instruments
from writing.studies.designing import create_study, styles_of, write_onboarding
from writing.studies.topics import draw_topics, drawn_ids, texts_to_accept

pytestmark = pytest.mark.django_db


@pytest.fixture
def lamps():
    """Nine topics, eight of which have a passage to write from."""
    corpus = small_corpus(topics=9, responses=0)
    for topic in corpus.topics.order_by("pk")[:8]:
        topic.passages.create(key="p1", rank=1, text="Lamps shine.")
        topic.passages.create(key="p2", rank=2, text="Lamps burn.")
    return corpus


def keys(topics):
    return [topic.key for topic in topics]


def test_all_topics_with_passages_are_taken_unless_it_is_said(lamps):
    assert keys(draw_topics(corpus=lamps, seed=1).main) == [f"t{n}" for n in range(1, 9)]


def test_newcomers_write_about_topics_of_their_own(lamps):
    drawn = draw_topics(corpus=lamps, seed=1, topics=4, onboarding_topics=3)
    assert (len(drawn.onboarding), len(drawn.main)) == (3, 4)
    assert not {*keys(drawn.onboarding)} & {*keys(drawn.main)}


@pytest.mark.parametrize("wanted", [{}, {"topics": 3}, {"topics": 4, "onboarding_topics": 2}])
def test_the_ids_are_those_of_the_drawn_topics(lamps, wanted):
    drawn = draw_topics(corpus=lamps, seed=1, **wanted)
    first, main = drawn_ids(corpus=lamps, seed=1, **wanted)
    assert first == [topic.pk for topic in drawn.onboarding]
    assert main == [topic.pk for topic in drawn.main]


def test_the_seed_draws_them_again(lamps):
    drawn = draw_topics(corpus=lamps, seed=1, topics=3, onboarding_topics=2)
    # What `create_writing_study --topics 3 --onboarding-topics 2 --seed 1` has always drawn.
    assert (keys(drawn.onboarding), keys(drawn.main)) == (
        ["t6", "t8"],
        ["t2", "t3", "t5"],
    )
    assert drawn == draw_topics(corpus=lamps, seed=1, topics=3, onboarding_topics=2)
    others = [draw_topics(corpus=lamps, seed=seed, topics=3) for seed in range(2, 12)]
    assert any(other.main != drawn.main for other in others)


@pytest.mark.parametrize(
    ("counts", "setting"),
    [
        ({"topics": 9}, "topics"),
        ({"topics": 0}, "topics"),
        ({"topics": 6, "onboarding_topics": 3}, "topics"),
        ({"onboarding_topics": 8}, "onboarding_topics"),
        ({"onboarding_topics": -1}, "onboarding_topics"),
    ],
)
def test_it_refuses_more_topics_than_there_are(lamps, counts, setting):
    with refused_setting(setting):
        draw_topics(corpus=lamps, seed=1, **counts)


def test_all_texts_of_the_onboarding_are_to_be_accepted_unless_it_is_said():
    assert texts_to_accept(onboarding_topics=3) == 3
    assert texts_to_accept(onboarding_topics=3, accepted=2) == 2
    for accepted in (0, 4):
        with refused_setting("onboarding_accepted"):
            texts_to_accept(onboarding_topics=3, accepted=accepted)


def test_only_styles_of_the_instrument_are_written():
    instrument = instruments.load("crowdrag-writing")
    assert styles_of(instrument) == ["bullet", "essay", "news"]
    assert styles_of(instrument, wanted=["news"]) == ["news"]
    with refused_setting("styles"):
        styles_of(instrument, wanted=["poem"])


def made(corpus, **settings):
    instrument = instruments.load("crowdrag-writing")
    return create_study(
        slug="letters", title="Letters", corpus=corpus, instrument=instrument, seed=1, **settings
    )


def test_an_onboarding_is_for_somebody(lamps):
    study = made(lamps)
    with refused_setting("onboarding_writers"):
        write_onboarding(study=study, topics=lamps.topics.all()[:1], writers=0)


def test_a_study_that_is_there_already_is_refused_unless_it_is_a_new_version(lamps):
    first = made(lamps, new_version=False)
    with pytest.raises(StudyExists, match="'letters'") as refused:
        made(lamps, new_version=False)
    assert refused.value.study == first
    assert draft_of("letters") == first
    assert made(lamps, new_version=True).version == 2
    assert Study.objects.count() == 2
