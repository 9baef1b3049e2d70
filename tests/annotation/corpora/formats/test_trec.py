"""TREC files: what was written is read back, and orders are those of trec_eval."""

import dataclasses
import html
import re

import pytest
import pytrec_eval
from hypothesis import given
from hypothesis import strategies as st

from annotation.corpora.formats.faults import FormatFault
from annotation.corpora.formats.trec import (
    Graded,
    RankedPassage,
    TrecTopic,
    run,
    topic_table,
    topics,
    written_qrels,
    written_run,
)
from tests.hooks import outlined

KEYS = st.text("abcé0123-_#.", min_size=1, max_size=6)
LINES = st.text(st.characters(exclude_categories=["C", "Z"]), max_size=12)
SINGLES = st.floats(allow_nan=False, allow_infinity=False, width=32)


def rows(found):
    return [row for _, row in found]


def by_hand(scores):
    """Return a run of one topic, as another program may have written it: with wrong ranks."""
    return [f"q1 Q0 {key} 7 {score} other\n" for key, score in scores.items()]


# -- Runs
@given(st.lists(st.tuples(KEYS, KEYS, st.lists(KEYS, unique=True)), unique_by=lambda e: e[:2]))
def test_a_run_is_read_as_it_was_written(lists):
    ranked = [
        RankedPassage(system, topic, key, rank, float(len(keys) - rank + 1))
        for system, topic, keys in lists
        for rank, key in enumerate(keys, start=1)
    ]
    assert rows(run(written_run(ranked))) == ranked


@given(st.dictionaries(KEYS, SINGLES | st.sampled_from([0.0, 1.0]), min_size=1))
def test_any_run_is_ordered_as_trec_eval_orders_it_and_no_two_scores_are_equal(scores):
    read = rows(run(by_hand(scores)))
    written = {row.passage: row.score for row in rows(run(written_run(read)))}
    assert list(written) == [each.passage for each in read]
    assert len(set(written.values())) == len(written)
    for key in list(scores)[:3]:
        evaluator = pytrec_eval.RelevanceEvaluator({"q1": {key: 1}}, {"recip_rank"})
        ours = 1 / next(each.rank for each in read if each.passage == key)
        for each in (scores, written):
            found = evaluator.evaluate({"q1": each})["q1"]["recip_rank"]
            assert found == pytest.approx(ours)


def test_equal_scores_go_by_the_key_from_the_end_of_the_alphabet():
    # docs of trec_eval: ties by docno descending; 16777217 is no float of 32 bits
    read = rows(run(by_hand({"a": 1, "b": 1, "c": 16777217, "d": 16777216})))
    assert [each.passage for each in read] == ["d", "c", "b", "a"]
    assert [line.split()[4] for line in written_run(read)] == ["4.0", "3.0", "2.0", "1.0"]


def test_scores_that_decrease_are_kept():
    assert list(
        written_run([RankedPassage("s", "q", "b", 2, -0.5), RankedPassage("s", "q", "a", 1, 0.25)])
    ) == [
        "q Q0 a 1 0.25 s\n",
        "q Q0 b 2 -0.5 s\n",
    ]


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("q1 Q0 a 1 2.0", "… 5 … topic, Q0, passage, rank, score, system"),
        ("q1 Q0 a 1 2.0 x y", "… 7 … topic, Q0, passage, rank, score, system"),
        ("q1 Q0 a one 2.0 x", "rank: … 'one'"),
        ("q1 Q0 a 1 high x", "score: … 'high'"),
        ("q1 Q0 a 1 nan x", "score: … 'nan'"),
        ("q1 Q0 a 1 1e39 x", "score: … '1e39'"),
        ("q1 Q0 b 1 3 x", "passage: … 'b' … 'q1' … 1"),
    ],
)
def test_it_names_what_is_wrong_with_a_line_of_a_run(line, fault):
    found = dict(run(["q1 Q0 b 1 3 x\n", "\n", line + "\n"]))
    assert outlined([": ".join(filter(None, found[3][:2]))], fault)
    assert found[1] == RankedPassage("x", "q1", "b", 1, 3.0)


@pytest.mark.parametrize("key", ["", "a b", "a\u00a0b", "a\n"])
def test_a_key_that_would_break_the_columns_is_not_written(key):
    for lines in (
        written_run([RankedPassage("s", "q", key, 1)]),
        written_qrels([Graded(key, "p", 1)]),
    ):
        with pytest.raises(ValueError, match=re.escape(repr(key))):
            list(lines)


# -- Qrels
@given(st.dictionaries(st.tuples(KEYS, KEYS), st.integers(-2, 5)))
def test_qrels_are_read_as_they_were_written(grades):
    found = pytrec_eval.parse_qrel(written_qrels(Graded(*keys, n) for keys, n in grades.items()))
    assert {(topic, key): n for topic, row in found.items() for key, n in row.items()} == grades


# -- Topics
CLASSIC = """\
<top>

<num> Number: 301
<title> Topic: International Organized Crime

<desc> Description:
Identify organizations that take part in
international criminal activity; AT&T &lt;no&gt;.

<narr> Narrative:
A relevant document names one.
</top>
<top><num>302</num>
<title>Polio</title>
</top>
"""


def test_it_reads_the_topics_of_trec():
    assert list(topics(CLASSIC.splitlines(keepends=True))) == [
        (
            1,
            TrecTopic(
                "301",
                "International Organized Crime",
                "Identify organizations that take part in international criminal activity;"
                " AT&T <no>.",
                "A relevant document names one.",
            ),
        ),
        (13, TrecTopic("302", "Polio")),
    ]


FILLED = LINES.filter(lambda text: text.strip() and not text.endswith(":"))


@given(st.lists(st.builds(TrecTopic, FILLED, FILLED, LINES, LINES)))
def test_topics_are_read_as_they_were_written(given_topics):
    text = "".join(tagged(topic) for topic in given_topics)
    assert rows(topics(text.splitlines(keepends=True))) == given_topics


def tagged(topic):
    key, title, description, narrative = (
        html.escape(" ".join(text.split()), quote=False) for text in dataclasses.astuple(topic)
    )
    return (
        f"<top>\n<num> Number: {key}\n<title> Topic: {title}\n<desc> Description:\n{description}\n"
        f"<narr> Narrative:\n{narrative}\n</top>\n\n"
    )


@given(st.lists(st.builds(TrecTopic, FILLED, FILLED)))
def test_a_table_of_topics_is_read_as_it_was_written(given_topics):
    table = [f"{topic.key}\t{topic.title}\n" for topic in given_topics]
    assert rows(topic_table(table)) == given_topics


@pytest.mark.parametrize(
    ("text", "line", "fault"),
    [
        ("<top>\n<num> 1\n</top>", 1, FormatFault("title", "is missing from the topic")),
        ("<top>\n<title> x\n</top>", 1, FormatFault("num", "is missing from the topic")),
        ("<top>\n<num> 1\n<title> x\n", 1, FormatFault("", "<top> is not closed")),
        ("<top>\n<top>\n<num> 1\n<title> x\n</top>", 1, FormatFault("", "<top> is not closed")),
        ("\n<num> 1\n", 1, FormatFault("", "is outside <top>: <num> 1")),
        ("<top>\nhi <num> 1</top>\n", 1, FormatFault("", "is not a topic tag: hi")),
        ("<top>\n<num> 1\n<num> 2\n</top>", 1, FormatFault("num", "is a duplicate")),
    ],
)
def test_it_names_what_is_wrong_with_topics(text, line, fault):
    assert (line, fault) in list(topics(text.splitlines(keepends=True)))


@pytest.mark.parametrize("line", ["301 no tab\n", "301\ta\tb\n"])
def test_a_line_of_a_table_has_one_tab(line):
    [fault] = rows(topic_table([line]))
    assert fault.field == ""
    assert outlined([fault.reason], "… ID … tab … query")
