"""Transcripts from other tools, and files that are none."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judging.sessions.transcripts import BadTranscript, Spoken, read

ROWS = [
    Spoken(1.0, 3.5, "Rita", "Please think aloud."),
    Spoken(61.25, 63.0, "Bob", "It is short, isn't it?"),
]
VTT = """WEBVTT

NOTE from the tests

1
00:00:01.000 --> 00:00:03.500 align:start
<v Rita>Please <b>think</b> aloud.</v>

01:01.250 --> 01:03.000
<v Bob>It is short,
isn't it?
"""
SRT = """1
00:00:01,000 --> 00:00:03,500
Rita: Please think aloud.

2
00:01:01,250 --> 00:01:03,000
Bob: It is short,
isn't it?
"""
TABLE = """start;end;speaker;text
1;3,5;Rita;Please think aloud.
00:01:01.250;63;Bob;"It is short, isn't it?"
"""


@pytest.mark.parametrize("text", [VTT, SRT, TABLE], ids=["vtt", "srt", "csv"])
@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_formats_give_the_same_utterances(text, ends):
    assert read(text.replace("\n", ends).encode("utf-8-sig")) == ROWS


def test_rows_are_sorted_and_rows_without_a_text_are_skipped():
    spoken = read(b"start,text\n9,last\n2,\n1,first\n")
    assert [(row.start, row.end, row.text) for row in spoken] == [(1, 1, "first"), (9, 9, "last")]


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "bad_csv"),
        (b"\xff\xfe", "not_utf8"),
        (b"a\x00", "nul"),
        (b"start,text\n1\n", "empty"),
        (b"WEBVTT\n\n", "empty"),
        (b"when,said\n1,yes\n", "bad_csv"),
        (b"start,text\nnoon,yes\n", "time"),
        (b"start,end,text\n5,4,yes\n", "times"),
        (b"start,text\n999999,yes\n", "times"),
        (b"start,text\n1," + b"a" * 5001, "too_long"),
        (b"start,text\n" + b"1,a\n" * 20_001, "too_many"),
        (b" " * 5_000_001, "too_large"),
        (b"1\n00:00:01,000 --> 00:00:03,500\n", "malformed"),
    ],
)
def test_bad_files_are_refused_with_a_sentence(content, code):
    with pytest.raises(BadTranscript) as refusal:
        read(content)
    assert refusal.value.code == code
    assert refusal.value.said


@given(
    st.binary(max_size=300), st.sampled_from([b"WEBVTT\n\n", b"1\n0:0:1,0 -->", b"start,text\n"])
)
def test_any_bytes_are_read_or_refused(content, head):
    try:
        rows = read(head + content)
    except BadTranscript:
        return
    assert all(0 <= row.start <= row.end and row.text for row in rows)
