"""Bank files in the shapes of other systems, made by us."""

import hashlib
import json
from typing import Any


def md5(text: str) -> str:
    return hashlib.md5(text.encode()).hexdigest()


def question(text: str, topic: str = "t1", **more: Any) -> dict[str, Any]:
    key = f"{topic}/{md5(text)}"
    return {"query_id": topic, "question_id": key, "question_text": text, **more}


RUBRIC_PAPER = {  # as in the figures of the paper
    "query_id": "t1",
    "query_text": "how high is the eiffel tower?",
    "info": {"prompt_target": "questions"},
    "items": [question("How high is it?"), question("Who built it?")],
}
RUBRIC_CODE = {  # as its code writes them
    "query_id": "t1",
    "facet_id": "f1",
    "facet_text": "Height",
    "test_collection": "towers",
    "query_text": "how high is the eiffel tower?",
    "info": {"gpt_model": "gpt-3.5-turbo-instruct", "prompt_style": "insightful", "n": [1, 2.0]},
    "hash": 1243234,
    "items": [
        {
            "query_id": "t1",
            "facet_id": "f1",
            "question_id": f"t1/f1/{md5('How high is it?')}",
            "question_text": "How high is it?",
            "gold_answers": ["330 m", "1,083 ft"],
            "unknown": {"kept": None},
        },
        {"query_id": "t1", "question_id": "named", "question_text": "Who built it?"},
    ],
}
RUBRIC_NUGGETS = {
    "query_id": "t2",
    "test_collection": "towers",
    "query_text": "another wording of the query",
    "hash": 7,
    "items": [
        {"query_id": "t2", "nugget_id": f"t2/{md5('A dance')}", "nugget_text": " A dance "},
        {"query_id": "t2", "nugget_id": f"t2/{md5('A dance')}", "nugget_text": "A dance"},
    ],
}
NUGGETIZER = {
    "query": "how high is the eiffel tower?",
    "qid": "t1",
    "nuggets": [
        {"text": "330 metres", "importance": "vital"},
        {"text": "Finished in 1889", "importance": "okay", "reasoning": "a date"},
        {"text": "By Eiffel", "importance": "failed", "trace": {"model": "m"}},
    ],
    "full_query": None,
}
AUTOJUDGE = {
    "query_id": "t1",
    "title_query": "how high is the eiffel tower?",
    "format_version": "v3",
    "nugget_bank": {
        "How high is it?": {
            "question": "How high is it?",
            "question_id": md5("How high is it?"),
            "query_id": "t1",
            "aggregator_type": "OR",
            "importance": "vital",
            "answers": {
                "330 m": {"answer": "330 m", "references": [{"doc_id": "p1"}], "quality": 2},
                "1,083 ft": {"answer": "1,083 ft"},
            },
            "sub_nuggets": [{"question": "In metres?"}],
        },
        "Who built it?": {
            "question": "Who built it?",
            "aggregator_type": "SUM",
            "importance": 3,
            "creator": [{"is_human": True, "contact": ["assessor 7"]}],
        },
    },
    "claim_bank": {"It is iron.": {"claim": "It is iron.", "query_id": "t1"}},
    "creator": [{"is_human": False, "llm_model": "gpt-4o", "llm_prompt_strategy": "query-only"}],
    "metadata": {"run": "x"},
}
AUTOJUDGE_LISTS = {
    "query_id": "t2",
    "nugget_bank": [{"question": "Who read it?", "answers": [{"answer": "Frisch"}]}],
    "claim_bank": None,
}
RAGTIME = {
    "metadata": {"team_id": "ours", "topic_id": "t1", "run_id": "r", "run_desc": "d", "x": 1},
    "nugget_bank": [
        {
            "question": "How high is it?",
            "aggregator_type": "AND",
            "answers": [{"answer": "330 m", "references": ["p1", {"doc_id": "p2"}]}],
        },
        {"question": "Who built it?", "answers": []},
    ],
}
FILES: dict[str, list[dict[str, Any]]] = {
    "rubric-paper": [RUBRIC_PAPER],
    "rubric-code": [RUBRIC_CODE, RUBRIC_NUGGETS],
    "nuggetizer": [NUGGETIZER, {"qid": "t2", "query": "q", "nuggets": [{"text": "A dance"}]}],
    "autojudge": [AUTOJUDGE, AUTOJUDGE_LISTS],
    "ragtime": [RAGTIME, RAGTIME | {"metadata": {"topic_id": "t2"}}],
}


def as_lines(rows: list[dict[str, Any]]) -> bytes:
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def read_lines(content: bytes) -> list[Any]:
    return [json.loads(line) for line in content.splitlines()]
