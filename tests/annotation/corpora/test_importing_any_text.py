"""Any text comes in unharmed, and a corpus of any size in constant memory."""

import tracemalloc

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from annotation.corpora.importing import import_corpus
from annotation.models import Citation, Response, Topic
from tests.annotation.corpora.small_corpora import PASSAGES, TOPIC, as_jsonl, plain, write

pytestmark = [pytest.mark.storage, pytest.mark.django_db]

texts = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"])).filter(str.strip)


class AnyText(TestCase):
    pytestmark = [pytest.mark.storage]

    @pytest.fixture(autouse=True)
    def folder(self, tmp_path):
        self.path = tmp_path

    @settings(max_examples=50, deadline=None, suppress_health_check=list(HealthCheck))
    @given(text=texts, query=texts, suffix=st.sampled_from([".jsonl", ".csv"]))
    def test_any_text_is_stored_as_it_is_and_is_equal_to_itself(self, text, query, suffix):
        response = plain(text=text)
        files = [
            write(self.path / f"topics{suffix}", [TOPIC | {"query": query}]),
            write(self.path / f"responses{suffix}", [response]),
        ]
        for _ in range(2):
            import_corpus(slug="any", name="", files=files, unknown_citations="report")
        assert Topic.objects.get().query == query
        assert Response.objects.get().text == text


@pytest.mark.parametrize(
    "text",
    [
        "لماذا تتغير الأوراق؟ [0]",
        "\u202eעברית\u202c [0]",
        "🍁👩‍👩‍👧‍👦🏳️‍🌈 e\u0301 [0]",
        "🍁" * 999_990 + " [0]",
    ],
)
@pytest.mark.parametrize("suffix", [".jsonl", ".csv"])
def test_right_to_left_and_emoji_text_comes_in_unharmed(bring, text, suffix):
    bring(suffix, topics=[TOPIC], passages=PASSAGES, responses=[plain(text=text)])
    assert Response.objects.get().text == text
    assert Citation.objects.get().passage.key == "p0"


def test_memory_stays_constant(tmp_path):
    peaks = {}
    for rows in (2_000, 20_000):
        topics = [TOPIC | {"topic": f"t{number}"} for number in range(rows // 20)]
        passages = (
            {"topic": f"t{number // 20}", "passage": f"p{number}", "rank": number % 20 + 1}
            | {"text": f"{number:09} " * 40}
            for number in range(rows)
        )
        files = [
            write(tmp_path / "topics.jsonl", topics),
            write(tmp_path / "passages.jsonl", b"".join(as_jsonl([row]) for row in passages)),
        ]
        tracemalloc.start()
        import_corpus(slug=f"c{rows}", name="", files=files)
        peaks[rows] = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    # psycopg remembers how it took the last 128 statements apart: room for that, and no more.
    assert peaks[20_000] < peaks[2_000] + 1_000_000, peaks
    assert files[1].source.stat().st_size > 9_000_000


def test_progress_ends_where_the_files_end(tmp_path):
    file = write(tmp_path / "topics.jsonl.gz", [TOPIC | {"topic": str(n)} for n in range(1_200)])
    told = []
    import_corpus(slug="c", name="", files=[file], progress=lambda *args: told.append(args))
    assert [label for label, _, _ in told] == ["topics.jsonl.gz"] * 3
    assert told[-1][1] == file.source.stat().st_size
