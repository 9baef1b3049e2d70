"""Votes that come with the texts of a corpus: kept beside it, imported by a study, analysed."""

import json

import pytest
from django.contrib.auth.models import User
from django.urls import reverse

from analysis.runs.findings import tables
from annotation.models import Corpus, CorpusLabels
from judging.models import Judgment, Rater
from tests.analysis.runs.polls import analysed
from tests.annotation.corpora.uploads.cast import imported, uploaded
from tests.cast import small_study

pytestmark = pytest.mark.django_db

MODELS = ("Alpha", "Beta", "Gamma")
PAIRS = [(0, 1), (1, 2), (2, 0)]
JUDGES = 12


def turns(question, answer):
    return [{"role": "user", "content": question}, {"role": "assistant", "content": answer}]


def arena(*, topics=4):
    """Return rows of an arena: each judge votes on one pair of each topic."""
    for topic in range(topics):
        for judge in range(JUDGES):
            a, b = PAIRS[(topic + judge) % len(PAIRS)]
            texts = [f"{MODELS[n]} answers question {topic}." for n in (a, b)]
            yield {
                "question_id": f"q{topic}", "model_a": MODELS[a], "model_b": MODELS[b],
                "winner": "model_a" if a < b else "tie" if judge % 2 else "model_b",
                "judge": f"arena_user_{judge}", "tstamp": 1_700_000_000.5 + judge,
                "conversation_a": turns(f"Why {topic}?", texts[0]),
                "conversation_b": turns(f"Why {topic}?", texts[1]),
            }  # fmt: skip


def corpus_of(files):
    upload = uploaded({name: content.encode() for name, content in files.items()})
    upload.origin = "llm"
    upload.save()
    imported(upload)
    return Corpus.objects.get(), upload


@pytest.fixture
def crowd(client):
    rows = "\n".join(map(json.dumps, arena()))
    corpus, upload = corpus_of({"arena.jsonl": rows})
    study = small_study(corpus=corpus, topics=4, items=3)
    client.force_login(User.objects.get(username="rita"))

    def bring(**said):
        labels = CorpusLabels.objects.get()
        url = reverse("bring_labels", args=[study.slug, study.version])
        upload = client.post(url, {"stored": labels.name})
        return client.post(upload.url, {"act": "import", "kind": "crowd"} | said, follow=True)

    return study, upload, bring


def test_votes_of_an_arena_are_kept_with_its_texts(crowd):
    _, _, bring = crowd
    labels = CorpusLabels.objects.get()
    assert (labels.name, labels.count, labels.raters) == ("arena.jsonl", 4 * JUDGES, JUDGES)
    page = bring()
    assert page.status_code == 200
    assert Judgment.objects.count() == 4 * JUDGES
    assert set(Rater.objects.values_list("kind", flat=True)) == {"crowd"}
    assert bring().status_code == 200  # once more: nothing new
    assert Judgment.objects.count() == 4 * JUDGES


def test_a_page_without_a_file_offers_the_labels_of_the_corpus(client, crowd):
    study, _, _ = crowd
    url = reverse("bring_labels", args=[study.slug, study.version])
    page = client.get(url).content.decode()
    assert f'value="{CorpusLabels.objects.get().name}"' in page
    for other in ({}, {"stored": "other.jsonl"}, {"stored": "\0"}):
        assert client.post(url, other).status_code == 422
    assert not Judgment.objects.exists()


def test_an_imported_crowd_is_analysed_like_any_other(crowd):
    study, _, bring = crowd
    bring()
    run = analysed(study, pool="imported-crowd", parameters={"draws": 20})
    assert {step.state for step in run.steps.all()} <= {"done", "skipped"}
    frame = tables(run, "games", "wins")
    first = frame.query("system == 'Alpha' and against == 'Beta'").iloc[0]
    assert (first["points"], first["games"]) == (1, 4 * JUDGES / 3)
