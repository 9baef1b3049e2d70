"""The written responses of the Crowd RAG Corpus 2025, read once; and a tiny invented corpus."""

from types import SimpleNamespace

import pandas as pd
import pytest

from analysis.stats.text.prose import read_prose
from analysis.stats.text.topic_bootstrap import Bootstrap
from annotation.corpora import crowdrag
from annotation.texts.words import count_pieces
from tests.analysis.stats.conftest import read

STYLES = ("bullet", "essay", "news")
QUICK = Bootstrap(draws=200)


@pytest.fixture(scope="session")
def written(corpus):
    """Frames responses and passages of the corpus, 903 texts of people and 903 of an LLM."""
    last = crowdrag.submitted_texts(corpus / crowdrag.HUMAN).values()
    columns = ["response", "topic", "style", "text"]
    human = pd.DataFrame([[getattr(each, name) for name in columns] for each in last])
    human.columns = columns
    llm = read(corpus, "study1_responses_llm")[columns]
    retrieval = read(corpus, "study1_retrieval").rename(columns={"references_texts": "text"})
    passages = retrieval[["topic", "text"]].explode("text", ignore_index=True)
    return SimpleNamespace(
        responses=pd.concat([human.assign(origin="human"), llm.assign(origin="llm")]),
        passages=passages.assign(rank=passages.groupby("topic").cumcount() + 1),
    )


@pytest.fixture(scope="session")
def prose(written):
    return read_prose(written.responses, written.passages, count=count_pieces)


@pytest.fixture(scope="session")
def all_prose(written):
    """With the twelve non-responses, as the paper counts citations."""
    return read_prose(written.responses, written.passages, least_words=0, count=count_pieces)


def tiny(texts, *, passages=4, **settings):
    """Prose of invented texts, a list of (topic, style, origin, text)."""
    columns = ["topic", "style", "origin", "text"]
    frame = pd.DataFrame(texts, columns=columns)
    frame.insert(0, "response", [f"r{row}" for row in range(len(frame))])
    ranked = [
        (topic, rank, f"passage {rank} of {topic}")
        for topic in sorted(set(frame.topic))
        for rank in range(1, passages + 1)
    ]
    settings.setdefault("least_words", 0)
    return read_prose(frame, pd.DataFrame(ranked, columns=["topic", "rank", "text"]), **settings)
