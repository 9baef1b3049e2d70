"""Files of leaderboards: each shape in the field, and what is refused."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.corpora.formats.official_orders import (
    UnreadableOrder,
    direction_of,
    read_leaderboards,
)

TWO = {"bm25": 0.5, "dense": 0.75}
SHAPES = {
    "dictionary": '{"bm25": 0.5, "dense": 0.75}',
    "strings": '{"bm25": "0.5", "dense": "0.75"}',
    "records": '[{"run": "bm25", "map": 0.5}, {"run": "dense", "map": 0.75}]',
    "tot": "bm25 map all 0.5\nbm25 map t1 0.1\ndense map all 0.75\n",
    "ir_measures": "bm25\tall\tmap\t0.5\ndense\tall\tmap\t0.75\n",
    "trec_eval": (
        "runid                 \tall\tbm25\nmap                   \tall\t0.5000\n"
        "runid                 \tall\tdense\nmap                   \tall\t0.7500\n"
    ),
    "trec_eval -q": (
        "map\tt1\t0.9\nrunid\tall\tbm25\nmap\tall\t0.5\n"
        "map\tt1\t0.1\nrunid\tall\tdense\nmap\tall\t0.75\n"
    ),
    "ranking": "all Q0 bm25 0 0.5 map\nall Q0 dense 0 0.75 map\n",
    "csv": "System,MAP\nbm25,0.5\ndense,0.75\n",
    "semicolons": "map;method\n0.5;bm25\n0.75;dense\n",
    "tsv": "run_id\tmap\nbm25\t0.5\ndense\t0.75\n",
    "two columns": "bm25 0.5\ndense 0.75\n",
    "two cells": "bm25,0.5\ndense,0.75\n",
    "mark": "\ufeffbm25\t0.5\r\ndense\t0.75\r\n",
    "autojudge": "\n".join(
        json.dumps({"run_id": run, "topic_id": topic, "measure": "map", "value": value})
        for run, topic, value in [("bm25", "t1", 0.9), ("bm25", "all", 0.5), ("dense", "all", 0.75)]
    ),
}


@pytest.mark.parametrize("text", SHAPES.values(), ids=SHAPES)
def test_each_shape_of_the_field_is_the_same_leaderboard(text):
    (values,) = read_leaderboards(text).by_measure.values()
    assert values == TWO


def test_several_measures_are_apart():
    text = "a,P@20,official rank\nx,0.5,2\ny,0.6,1\n".replace("a,", "system,")
    boards = read_leaderboards(text).by_measure
    assert boards == {"P@20": {"x": 0.5, "y": 0.6}, "official rank": {"x": 2, "y": 1}}
    nested = read_leaderboards('{"x": {"p": 1, "q": 2}, "y": {"p": 3}}').by_measure
    assert nested == {"p": {"x": 1, "y": 3}, "q": {"x": 2}}


def test_topics_without_a_value_are_zero_in_a_mean():
    text = "x map t1 1\nx map t2 0.5\ny map t1 1\n"
    assert read_leaderboards(text).by_measure["map"] == {"x": 0.75, "y": 0.5}


def test_one_output_of_trec_eval_has_the_name_of_its_file():
    assert read_leaderboards("map\tall\t0.5\n", file="bm25").by_measure == {"map": {"bm25": 0.5}}
    with pytest.raises(UnreadableOrder):
        read_leaderboards("map\tall\t0.5\n")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   \n\n",
        "{}",
        "[]",
        "[1, 2]",
        '{"x": true}',
        '{"x": NaN}',
        '{"x": 1e999}',
        '{"x": [1]}',
        '{"\\u0000": 1}',
        '{"\\ud800": 1}',
        '{"' + "x" * 201 + '": 1}',
        "[" * 100_000,
        "x\n",
        "x 1 2 3 4\n",
        "x 1\ny 2 3\n",
        "team,score\n" + "x,1\n",
        "system,score\nx,1,2\n",
        "x map all 1\nx map all 2\n",
        'system,map\n"' + "y" * 200_000,
        "x one\n",
        "\n".join(f"s{n} {n}" for n in range(5_001)),
    ],
)
def test_what_is_no_leaderboard_is_refused(text):
    with pytest.raises(UnreadableOrder) as refused:
        read_leaderboards(text)
    assert str(refused.value).endswith(".")


@given(st.text(max_size=200))
def test_any_text_is_read_or_refused(text):
    try:
        boards = read_leaderboards(text, file="x")
    except UnreadableOrder:
        return
    assert boards.by_measure


@pytest.mark.parametrize(
    ("measure", "values", "better"),
    [
        ("", [1, 2, 3], "lower"),  # ranks
        ("", [1, 3, 4, 5], "lower"),  # without one system
        ("", [0.5, 0.25], "higher"),
        ("", [10, 20, 40], ""),
        ("", [1, 1], ""),
        ("official rank", [1, 2], "lower"),
        ("nDCG@10", [0, 1], "higher"),
        ("latency", [10, 20], ""),
        ("latency", [1, 2], ""),
    ],
)
def test_the_direction_is_told_by_the_name_or_the_values(measure, values, better):
    assert direction_of(measure, values) == better
