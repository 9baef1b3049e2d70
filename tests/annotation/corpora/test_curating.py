"""Renaming a corpus, deleting it while no study draws from it, and bringing it back."""

from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError

from annotation.corpora import curating
from annotation.corpora.importing import ImportRefused, import_corpus
from annotation.models import Corpus, Passage, Response
from tests.annotation.corpora.small_corpora import PASSAGE, RESPONSE, SYSTEM, TOPIC, write
from tests.cast import NOW, draft_study, small_corpus
from tests.refusals import refused

pytestmark = [pytest.mark.django_db, pytest.mark.storage]
DAY = timedelta(days=1)


def full_corpus(tmp_path, slug="lamps"):
    """One topic, passage, system and response, with a citation."""
    rows = [TOPIC, PASSAGE, SYSTEM, RESPONSE]
    files = [write(tmp_path / f"{n}.jsonl", [row]) for n, row in enumerate(rows)]
    import_corpus(slug=slug, name="Lamps", files=files)
    return Corpus.objects.get(slug=slug)


def test_a_corpus_gets_another_name_and_licence():
    corpus = small_corpus()
    curating.describe(corpus=corpus, name="  Old lamps ", licence="CC0")
    corpus.refresh_from_db()
    assert (corpus.name, corpus.licence) == ("Old lamps", "CC0")


def test_a_name_cannot_be_blank_or_longer_than_its_column():
    corpus = small_corpus()
    for name in ("  ", "x" * 201):
        with pytest.raises(ValidationError) as caught:
            curating.describe(corpus=corpus, name=name, licence="")
        assert list(caught.value.message_dict) == ["name"]


def test_deleting_asks_for_the_name():
    corpus = small_corpus()
    with refused("NotItsName"):
        curating.delete(corpus=corpus, typed="lamp", now=NOW)
    assert curating.delete(corpus=corpus, typed=" lamps ", now=NOW) == NOW + DAY
    assert not Corpus.objects.there().exists()
    with refused("NotThere"):
        curating.delete(corpus=corpus, typed="lamps", now=NOW)


def test_a_corpus_that_a_study_draws_from_cannot_be_deleted():
    study = draft_study()
    with refused("CorpusInUse"):
        curating.delete(corpus=study.corpus, typed="lamps", now=NOW)
    assert Corpus.objects.there().exists()


def test_a_deleted_corpus_comes_back_within_a_day_and_is_gone_after_it(tmp_path):
    corpus = full_corpus(tmp_path)
    curating.delete(corpus=corpus, typed="Lamps", now=NOW)
    assert curating.end_deleted(now=NOW + DAY - timedelta(seconds=1)) == 0
    assert curating.bring_back(corpus=corpus) == curating.bring_back(corpus=corpus)
    assert curating.end_deleted(now=NOW + 2 * DAY) == 0
    curating.delete(corpus=corpus, typed="Lamps", now=NOW)
    assert curating.end_deleted(now=NOW + DAY) == 1
    assert not Corpus.objects.exists()
    assert not Response.objects.exists()
    assert not Passage.objects.exists()
    with refused("NotThere"):
        curating.bring_back(corpus=corpus)


def test_a_study_that_began_with_a_deleted_corpus_saves_it():
    corpus = small_corpus()
    curating.delete(corpus=corpus, typed="lamps", now=NOW)
    draft_study(corpus=corpus)
    assert curating.end_deleted(now=NOW + DAY) == 0
    assert Corpus.objects.there().get() == corpus


def test_nothing_is_imported_into_a_deleted_corpus(tmp_path):
    corpus = full_corpus(tmp_path)
    curating.delete(corpus=corpus, typed="Lamps", now=NOW)
    with pytest.raises(ImportRefused) as caught:
        full_corpus(tmp_path)
    assert "deleted" in str(caught.value.report.bad_lines[0])
