"""The rows of the judgments and of what was found in them, as streams. Only reads.

ratings and grades have the schema of the Crowd RAG Corpus 2025; gold and votes keep
what that has no place for. Every column is described in docs/data-dictionary.md.
"""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from analysis.exports.encodings import Row
from analysis.exports.sources import Asked, Source
from analysis.inputs import judged
from analysis.inputs.judged import Judged, Vote
from analysis.inputs.pools import EVERYBODY, Pool
from analysis.runs.findings import tables

DIGITS = 10  # of probabilities, as published

FRESH_VOTES = ("next_vote", "same_label")
PER_VOTE = ("vote", "spam_probability")
PER_JUDGMENT = (
    "vote", "winner", "winner_system", "raw", "shown", "position", "milliseconds", "comment",
    "item_comment", "first_at", "answered_at", "changes", "counted",
)  # fmt: skip


def ratings(source: Source) -> Iterator[Row]:
    """One row an item that has counted votes of the pool that the run read, by item."""
    run = source.finished
    for item in judged.judged(
        study=source.study, step=source.step, batch=run.batch, pool=Pool(run.pool)
    ):
        votes = {asked.key: source.votes(item, asked) for asked in source.rated}
        counted = {key: some[: source.votes_per_item] for key, some in votes.items()}
        # Whoever left out one question stays in the row, with a gap there.
        present = {vote.place: vote for some in counted.values() for vote, _ in some}
        voters = [present[place] for place in sorted(present)]
        if not voters:
            continue
        row: Row = {"submission_id": voters[0].questionnaire} | source.item_columns(item)
        row["worker"] = [vote.worker for vote in voters]
        for asked in source.rated:
            row |= _votes(source, asked, voters, counted[asked.key])
            if asked.labels:
                row |= _gold(source, asked, item, len(votes[asked.key]))
        yield row


def _votes(source: Source, asked: Asked, voters: list[Vote], votes: list[tuple[Vote, str]]) -> Row:
    labels = {vote.place: asked.cell(label) for vote, label in votes}
    if source.as_published and asked.chosen:
        labels = {place: str(label).upper() for place, label in labels.items()}
    row: Row = {f"{asked.key}_vote": [labels.get(voter.place) for voter in voters]}
    if asked.labels:
        spam = source.findings[asked.key].spam
        chances = [rounded(spam.get(voter.worker)) for voter in voters]
        row[f"{asked.key}_spam_probability"] = chances
    return row


def _gold(source: Source, asked: Asked, item: Judged, votes: int) -> Row:
    gold = source.findings[asked.key].gold(item.key)
    if source.findings[asked.key].rows and gold.get("votes", 0) != votes:
        source.changed.add(item.key)
    row: Row = {f"{asked.key}_p_{label}": rounded(gold.get(f"p_{label}")) for label in asked.labels}
    row[f"{asked.key}_gold"] = asked.cell(gold["gold"]) if gold else None
    return row


def rounded(probability: float | None) -> float | None:
    return None if probability is None else round(float(probability), DIGITS)


def spread(row: Row) -> Iterator[Row]:
    """A row of ratings as one row a vote."""
    per_vote = [name for name, cell in row.items() if isinstance(cell, list)]
    for cells in zip(*(row[name] for name in per_vote), strict=True):
        yield row | dict(zip(per_vote, cells, strict=True))


def gold(source: Source) -> Iterator[Row]:
    """One row an item and question with a gold label, by item and question."""
    for chunk in judged.items(study=source.study, step=source.step):
        for item in chunk:
            for asked in source.chosen:
                if found := source.findings[asked.key].gold(item.key):
                    yield source.item_columns(item) | _gold_cells(source, asked, found)


def _gold_cells(source: Source, asked: Asked, found: Row) -> Row:
    row: Row = {"question": asked.key, "gold": asked.cell(found["gold"])}
    row |= dict.fromkeys(_probabilities(source))
    row |= {f"p_{label}": rounded(found[f"p_{label}"]) for label in asked.labels}
    row["majority"] = asked.cell(found["majority"])
    row |= {
        "tied": found["tied"],
        "entropy": rounded(found["entropy"]),
        "votes": found["votes"],
    }
    return row | {name: rounded(found.get(name)) for name in _certainties(source)}


def _certainties(source: Source) -> tuple[str, ...]:
    """What fresh votes would say, in runs that have computed it."""
    known = any("next_vote" in found.columns for found in source.findings.values())
    return FRESH_VOTES if known else ()


def _probabilities(source: Source) -> dict[str, None]:
    """p_a, p_n, p_b: of all questions together, in their order."""
    return {f"p_{label}": None for asked in source.chosen for label in asked.labels}


def grades(source: Source) -> Iterator[Row]:
    """Yield one row a graded response, by topic and key."""
    found = tables(source.finished, "grades", "grades")
    rows: dict[tuple[str, str], Row] = {}
    columns = dict.fromkeys(asked.key for asked in source.chosen)
    for topic, response, question, grade in zip(
        *(found[name].tolist() for name in ("topic", "response", "question", "grade")), strict=True
    ):
        row = rows.setdefault((topic, response), {"response": response} | columns)
        row[question] = float(grade)
    source.step(0, len(rows))
    yield from (rows[key] for key in sorted(rows))
    source.step(len(rows), len(rows))


def votes(source: Source) -> Iterator[Row]:
    """One row a judgment of people, by item, assignment and question; also uncounted ones."""
    questions = {asked.pk: asked for asked in source.questions}
    for item in judged.judged(study=source.study, step=source.step, details=True):
        counted = source.counted(item)
        for vote in item.votes:
            asked = questions[vote.question]
            at = (vote.assignment or 0, vote.instrument)
            position, remark = item.seen.get(at, (None, ""))
            row: Row = {"submission_id": vote.questionnaire} | source.item_columns(item)
            row |= source.system_cells(item)
            row["worker"] = vote.worker
            label = asked.label(vote, item.contents)
            if source.instruments:
                row["instrument"] = source.instruments[vote.instrument]
            row["question"] = asked.name
            if source.per_slot:
                row["slot"] = vote.slot
            yield row | {
                "vote": source.written(label),
                **source.winner_cells(item, asked, label),
                "raw": source.written(vote.raw),
                "shown": vote.shown,
                "position": position,
                "milliseconds": vote.milliseconds,
                "comment": vote.comment,
                "item_comment": remark,
                "first_at": iso(vote.first_at),
                "answered_at": iso(vote.answered_at),
                "changes": vote.changes,
                "counted": counted and (vote.assignment, vote.question, vote.slot) in counted,
            }


def labels(source: Source) -> Iterator[Row]:
    """One row an answer of any rater, as `import_labels` reads it: by item, then as in votes."""
    questions = {asked.pk: asked for asked in source.questions}
    rows = judged.judged(study=source.study, step=source.step, details=True, pool=EVERYBODY)
    for item in rows:
        for vote in item.votes:
            asked = questions[vote.question]
            row: Row = {"rater": vote.worker, "kind": vote.kind, "item": item.key}
            row |= source.item_columns(item) | {"question": asked.key}
            if source.per_slot:
                row["slot"] = vote.slot
            yield row | {"value": source.label_value(vote.value), "shown": vote.shown}


def iso(moment: datetime | None) -> Any:
    return moment and moment.isoformat(timespec="milliseconds")


# -- Columns of the CSV files ------------------------------------------------------------------


def rating_columns(source: Source) -> tuple[str, ...]:
    per_vote = [
        f"{asked.key}_{what}"
        for asked in source.rated
        for what in (PER_VOTE if asked.labels else PER_VOTE[:1])
    ]
    return ("submission_id", "query_id", *source.slot_columns, "worker", *per_vote)


def gold_columns(source: Source) -> tuple[str, ...]:
    return (
        *("query_id", *source.slot_columns, "question", "gold"),
        *(*_probabilities(source), "majority", "tied", "entropy", "votes"),
        *_certainties(source),
    )


def grade_columns(source: Source) -> tuple[str, ...]:
    return ("response", *(asked.key for asked in source.chosen))


def vote_columns(source: Source) -> tuple[str, ...]:
    slot = ("slot",) if source.per_slot else ()
    item = ("submission_id", "query_id", *source.slot_columns, *source.system_columns)
    instrument = ("instrument",) if source.instruments else ()
    return (*item, "worker", *instrument, "question", *slot, *PER_JUDGMENT)


def label_columns(source: Source) -> tuple[str, ...]:
    slot = ("slot",) if source.per_slot else ()
    item = ("item", "query_id", *source.slot_columns)
    return ("rater", "kind", *item, "question", *slot, "value", "shown")
