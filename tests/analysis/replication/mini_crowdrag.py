"""A made-up corpus in the files of the Crowd RAG Corpus 2025: two topics, twelve responses.

Everything is drawn from a seed. People vote for the response that is named later, most of them.
"""

import gzip
import json
import random
from itertools import combinations
from pathlib import Path
from typing import Any

from judging.crowdrag.rows import DIMENSIONS as COLUMNS

DIMENSIONS = tuple(COLUMNS.values())
STYLES = ("bullet", "essay", "news")
TOPICS = ("t1", "t2")
WORKERS = 5
Rows = list[dict[str, Any]]


def write(folder: Path, files: dict[str, Rows]) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name, rows in files.items():
        lines = "".join(json.dumps(row) + "\n" for row in rows)
        (folder / f"{name}.jsonl.gz").write_bytes(gzip.compress(lines.encode(), mtime=0))
    return folder


def whole() -> dict[str, Rows]:
    """File -> rows, of every file that a replication reads."""
    draw = random.Random(25)
    votes = _votes(draw)
    return {
        "study1_retrieval": [_retrieval(topic) for topic in TOPICS],
        "study1_tasks": [
            {"response": key, "worker": f"writer-{style}", "topic": topic, "style": style}
            for topic in TOPICS
            for key, style in _human(topic)
        ],
        "study1_responses_human": [
            {"response": key, "topic": topic, "style": style, "timestamp": ms, "text": text}
            for topic in TOPICS
            for key, style in _human(topic)
            for ms, text in _snapshots(key, draw)
        ],
        "study1_responses_llm": [
            {"response": key, "topic": topic, "style": style, "text": _text(key, draw)}
            for topic in TOPICS
            for key, style in _llm(topic)
        ],
        "study2_responses": votes,
        "study2_demographic": _sessions(votes),
        "ratings": _ratings(votes, draw),
        "llm_ratings": _llm_ratings(draw),
        "expert-response": [_experts(votes, draw)],
        "study2_pointwise": _pointwise(draw),
    }


def _human(topic: str) -> list[tuple[str, str]]:
    return [(f"{topic}-h{n}", style) for n, style in enumerate(STYLES)]


def _llm(topic: str) -> list[tuple[str, str]]:
    return [(f"{topic}-l{n}", style) for n, style in enumerate(STYLES)]


def _retrieval(topic: str) -> dict[str, Any]:
    numbers = range(20)
    texts = [f"Passage {n} says why leaves of kind {n} turn red in autumn." for n in numbers]
    ids = [f"{topic}-p{n * 7 % 20}" for n in numbers]
    return {"topic": topic, "query": "why?", "references_ids": ids, "references_texts": texts}


def _text(key: str, draw: random.Random) -> str:
    """Five statements of twelve words, each with a citation."""
    words = ("leaves", "sugar", "autumn", "cold", "light", "colour", key.replace("-", ""))
    cited = draw.sample(range(20), 5)
    return " ".join(f"{' '.join(draw.choices(words, k=12)).capitalize()} [{n}]." for n in cited)


def _snapshots(key: str, draw: random.Random) -> list[tuple[int, str]]:
    text = _text(key, draw)
    start = 1_724_000_000_000 + int(draw.random() * 1e9)
    return [(start + 9_000 * n, text[: len(text) * n // 4]) for n in range(1, 5)]


def _pairs(topic: str) -> list[tuple[str, str]]:
    return list(combinations([key for key, _ in _human(topic) + _llm(topic)], 2))


def _questionnaires() -> list[list[tuple[str, str, str]]]:
    """One of 15 pairs for each topic, and one of both with eight of them turned round."""
    straight = [[(topic, a, b) for a, b in _pairs(topic)] for topic in TOPICS]
    turned = [(topic, b, a) for pairs in straight for topic, a, b in pairs[::4]]
    return [*straight, turned]


def _vote(a: str, b: str, draw: random.Random, labels: str = "ANB") -> str:
    likely = labels[-1] if b > a else labels[0]
    return likely if draw.random() < 0.6 else draw.choice(labels)


def _votes(draw: random.Random) -> Rows:
    return [
        {
            "submission_id": f"q{number}",
            "worker": f"judge-{number}-{worker}",
            "item_index": index,
            "query_id": topic,
            "response_a": a,
            "response_b": b,
            **{
                column: _vote(a, b, draw, "AB" if column == "quality_overall" else "ANB")
                for column in COLUMNS
            },
        }
        for number, pairs in enumerate(_questionnaires(), start=1)
        for worker in range(WORKERS)
        for index, (topic, a, b) in enumerate(pairs, start=1)
    ]


def _sessions(votes: Rows) -> Rows:
    people = dict.fromkeys((row["submission_id"], row["worker"]) for row in votes)
    return [
        {
            "worker": worker,
            "submission": f"{0x67336999 + number:08x}5717991fa9f0b7fd",
            "url": f"https://example.org/study/{sheet}.html?prolific_pid=x",
            "time_taken": 900.0 + number,
        }
        for number, (sheet, worker) in enumerate(people)
    ]


def _ratings(votes: Rows, draw: random.Random) -> Rows:
    by_pair: dict[tuple[str, str, str], Rows] = {}
    for row in votes:
        by_pair.setdefault((row["query_id"], row["response_a"], row["response_b"]), []).append(row)
    rows = []
    for (topic, a, b), given in by_pair.items():
        row: dict[str, Any] = {"query_id": topic, "response_a": a, "response_b": b}
        row["worker"] = [vote["worker"] for vote in given]
        for column, name in COLUMNS.items():
            labels = [vote[column] for vote in given]
            row[f"{name}_vote"] = labels
            row[f"{name}_spam_probability"] = [round(draw.random(), 3) for _ in labels]
            row[f"{name}_gold"] = max("anb", key=lambda label: labels.count(label.upper()))
        rows.append(row)
    return rows


def _llm_ratings(draw: random.Random) -> Rows:
    turned = _questionnaires()[-1]
    return [
        {"query_id": topic, "response_a": a, "response_b": b, "inference": inference}
        | {name: _vote(a, b, draw, "anb") for name in DIMENSIONS}
        for inference in ("combined", "individual")
        for topic, first, second in turned
        for a, b in ((first, second), (second, first))
    ]


def _experts(votes: Rows, draw: random.Random) -> dict[str, Any]:
    pairs = list(dict.fromkeys((v["query_id"], v["response_a"], v["response_b"]) for v in votes))
    rows = [(pid, *pair) for pid in ("annot1", "annot2", "annot3", "annot4") for pair in pairs[:6]]
    names = ("submission_id", "prolific_pid", "query_id", "response_a", "response_b")
    columns = {
        name: {str(n): ("s", *row)[place] for n, row in enumerate(rows)}
        for place, name in enumerate(names)
    }
    labels = {
        column: {str(n): _vote(row[2], row[3], draw) for n, row in enumerate(rows)}
        for column in COLUMNS
    }
    return columns | labels


def _pointwise(draw: random.Random) -> Rows:
    """Two questionnaires of six responses; one worker's pass through the second stands twice."""
    rows = [
        {
            "submission_id": f"p{sheet}",
            "submitted_at": 1_730_419_200_000 + 1000 * worker,
            "worker": f"p{sheet}-{worker}",
            "query_id": TOPICS[position % 2],
            "response": f"x-{sheet}-{worker}-{position}",
        }
        | {name: draw.choice((position % 2 * 2 - 1, 1, 3)) for name in DIMENSIONS}
        | {"correctness_topical": draw.choice((-1, 1))}
        for sheet in range(2)
        for worker in range(WORKERS)
        for position in range(6)
    ]
    again = {"submitted_at": 1_730_500_000_000, "quality_overall": -3}
    return [*rows, *(row | again | {"response": f"again-{n}"} for n, row in enumerate(rows[-6:]))]
