"""Proposed queries with their origin, as rows of a file."""

import json
from collections.abc import Iterator
from typing import Any

from django.db.models import QuerySet

from annotation.models import Corpus
from annotation.texts.spreadsheets import Csv
from judging.models import ProposedQuery
from judging.queries.proposals import listed

COLUMNS = (
    *("proposal", "state", "query", "written", "edited", "topic"),
    *("passage", "passage_topic", "round", "model", "endpoint", "protocol", "settings"),
    *("prompt", "prompt_digest", "examples", "passages_sought", "passages_drawn", "passages_seed"),
    "passages_joined",
    *("answered_at", "position", "tokens_in", "tokens_out", "cost", "currency"),
    *("decided_by", "decided_at"),
)
Row = dict[str, Any]


def proposals(corpus: Corpus, *, state: str = "") -> "QuerySet[ProposedQuery]":
    """Return the proposals of a state, or all, in the order in which they were proposed."""
    queries = listed(corpus)
    if state:
        queries = queries.filter(state=state)
    related = ("call__round__prompt", "call__passage__topic", "decided_by", "topic")
    return queries.select_related(*related).defer("call__request", "call__raw").order_by("pk")


def rows(corpus: Corpus, *, state: str = "") -> Iterator[Row]:
    for proposal in proposals(corpus, state=state).iterator(chunk_size=500):
        yield row(proposal)


def row(each: ProposedQuery) -> Row:
    """Return the row of a proposal.

    Tokens and cost are those of the call, which may have given several queries; a copied answer
    cost nothing.
    """
    call, query_round = each.call, each.call.round
    return {
        "proposal": each.pk,
        "state": each.state,
        "query": each.words,
        "written": each.text,
        "edited": bool(each.edited),
        "topic": each.topic.key if each.topic else None,
        "passage": call.passage.key,
        "passage_topic": call.passage.topic.key,
        "round": query_round.name,
        "model": query_round.model,
        "endpoint": query_round.base_url,
        "protocol": query_round.protocol,
        "settings": query_round.settings
        | {"structured": query_round.structured, "number": query_round.number},
        "prompt": str(query_round.prompt),
        "prompt_digest": query_round.prompt.digest,
        "examples": query_round.examples,
        "passages_sought": query_round.sought or None,
        "passages_drawn": query_round.drawn,
        "passages_seed": query_round.seed if query_round.drawn is not None else None,
        "passages_joined": query_round.joined,
        "answered_at": call.answered_at.isoformat() if call.answered_at else None,
        "position": each.position,
        "tokens_in": call.tokens_in,
        "tokens_out": call.tokens_out,
        "cost": None if call.cost_micro is None else call.cost_micro / 1_000_000,
        "currency": query_round.currency,
        "decided_by": each.decided_by.get_username() if each.decided_by else None,
        "decided_at": each.decided_at.isoformat() if each.decided_at else None,
    }


def as_jsonl(found: Iterator[Row]) -> Iterator[str]:
    for proposal_row in found:
        yield json.dumps(proposal_row, ensure_ascii=False) + "\n"


def as_csv(found: Iterator[Row], *, excel: bool = False) -> Iterator[str]:
    """Yield a header and a line for each row: lists and objects as JSON, true and false as such."""
    table = Csv(excel=excel)
    yield table.lines([COLUMNS])
    for proposal_row in found:
        yield table.lines([[_cell(proposal_row[name]) for name in COLUMNS]])


def _cell(value: Any) -> Any:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, bool | list | dict) else value
