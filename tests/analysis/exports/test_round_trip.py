"""Texts that were imported and exported come in again byte for byte, with what they cite."""

import json

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from analysis.exports.source import ExportSource
from analysis.exports.texts import responses
from annotation.corpora.corpus_files import CorpusFile
from annotation.corpora.importing import import_corpus
from annotation.models import Citation, Corpus, Response
from tests.cast import small_study

pytestmark = pytest.mark.django_db

FIELDS = ("response", "topic", "style", "origin", "system", "text", "is_empty", "marks")
MARKS = [
    "[1]",
    "[2, 3]",
    "[1-2]",
    "【1†s】",
    "[^2]",
    "[[1]](https://e.org)",
    "x[1]",
    "`[1]`",
    "[p1]",
]
BETWEEN = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=12)
TEXTS = st.lists(st.one_of(st.sampled_from(MARKS), BETWEEN), min_size=1, max_size=8).map("".join)


def corpus_of(folder, slug, **rows):
    """Import rows by kind into a corpus of this name."""
    files = []
    for kind, lines in rows.items():
        path = folder / f"{slug}-{kind}.jsonl"
        path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
        files.append(CorpusFile(path))
    import_corpus(
        slug=slug, name="", files=files, unknown_systems="make", unknown_citations="report"
    )
    return Corpus.objects.get(slug=slug)


def held(corpus):
    """Return each text with the keys of the passages that it cites."""
    cited = Citation.objects.filter(response__corpus=corpus).order_by("position")
    keys = {}
    for response, passage in cited.values_list("response__key", "passage__key"):
        keys.setdefault(response, []).append(passage)
    return {
        response.key: (response.text, response.is_empty, keys.get(response.key, []))
        for response in Response.objects.filter(corpus=corpus)
    }


EMPTY = st.sampled_from(["", " ", "\n\t"])  # systems abstain


@given(texts=st.lists(st.one_of(TEXTS, EMPTY), min_size=2, max_size=4), first=st.sampled_from("01"))
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_texts_come_in_again_as_they_were(tmp_path, texts, first):
    topics = [{"topic": "t", "query": "Why?"}]
    passages = [
        {"topic": "t", "passage": f"p{n}", "rank": n, "text": f"Text {n}."} for n in (1, 2, 3, 4)
    ]
    came = [
        {
            "response": f"r{n}",
            "topic": "t",
            "style": "free",
            "origin": "llm",
            "system": f"s{n}",
            "text": text,
            "citations_from": first,
        }
        for n, text in enumerate(texts)
    ]
    with transaction.atomic():
        once = corpus_of(tmp_path, "once", topics=topics, passages=passages, responses=came)
        study = small_study(corpus=once, instrument="crowdrag-pointwise", items=len(texts))
        exported = [
            {name: row[name] for name in FIELDS} for row in responses(ExportSource.of(study))
        ]
        again = corpus_of(tmp_path, "again", topics=topics, passages=passages, responses=exported)
        assert {text for text, *_ in held(once).values()} == {*texts}
        assert {text for text, is_empty, _ in held(once).values() if is_empty} == {
            text for text in texts if not text.strip()
        }
        assert held(again) == held(once)
        transaction.set_rollback(True)
