"""Answers of TREC RAG as their tracks publish them, one JSON object a line. Pure.

2024: run_id, topic_id, topic, references, response_length, answer. 2025: metadata with team_id,
run_id, narrative_id, narrative, ..., then references and answer. An answer is sentences with what
each cites: numbers that count from 0 in `references`, or (2025) the ids of segments themselves.
Fields that are not read here may stand beside these.
"""

import msgspec


class CitingSentence(msgspec.Struct):
    text: str
    citations: list[int | str] = []


class Metadata(msgspec.Struct):
    """Run and topic of a report, in the track of 2025."""

    run_id: str
    narrative_id: int | str


def cited(sentence: CitingSentence, references: list[str]) -> list[str]:
    """Return the ids of the segments that a sentence cites, each once, without `beyond`."""
    keys: dict[str, None] = {}
    for citation in sentence.citations:
        if isinstance(citation, str):
            keys[citation] = None
        elif 0 <= citation < len(references):
            keys[references[citation]] = None
    return list(keys)


def beyond(sentence: CitingSentence, references: list[str]) -> list[int]:
    """Return the numbers that a sentence cites and that `references` does not have."""
    numbers = (number for number in sentence.citations if isinstance(number, int))
    return [number for number in numbers if not 0 <= number < len(references)]
