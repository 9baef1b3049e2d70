"""Rows of votes and labels, and of the ratings, gold labels and grades of a run.

ratings and grades have the schema of the Crowd RAG Corpus 2025; gold and votes keep the rest.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from operator import attrgetter

from analysis.exports.cells import rounded
from analysis.exports.encodings import Row
from analysis.exports.export_column import (
    ANSWER,
    BOOLEAN,
    COMMENT,
    FIRST_AT,
    INSTRUMENT,
    MILLISECONDS,
    MOMENT,
    NUMBER,
    PROBABILITY,
    QUERY,
    QUESTION,
    QUESTIONNAIRE,
    RAW,
    SHOWN,
    SLOT,
    TASK_KEY,
    TEXT,
    WORKER,
    ExportColumn,
    never,
    nothing,
    slot_columns,
    system_columns,
)
from analysis.exports.source import ExportQuestion, ExportSource
from analysis.inputs import judged_items
from analysis.inputs.judged_items import JudgedItem, Vote
from analysis.runs.findings import tables
from judging.raters.pools import EVERYBODY, Pool

FRESH_VOTES = ("next_vote", "same_label")


def _names_per_vote(source: ExportSource) -> Iterator[str]:
    for question in source.rated:
        yield f"{question.key}_vote"
        if question.labels:
            yield f"{question.key}_spam_probability"


RATINGS = (
    ExportColumn(
        "submission_id", TEXT, TASK_KEY,
        "key of the questionnaire with the item's first counted vote",
    ),
    QUERY,
    *slot_columns(
        (
            "02693406-15df-33d5-b424-219ac8ab2054",
            "3c5e25b6-2d4d-3d84-b01c-0264c3a5ba50",
            "f82f5277-3cc7-37f0-bf59-8d960eceb6ae",
        ),
        (
            "key of the response in slot a; pairs only",
            "key of the response in slot b; pairs only",
            "key of the response; single responses only",
        ),
    ),
    ExportColumn(
        "worker", "list of texts", '["w-0c4f5e2a9b1d", ...]',
        f"{WORKER.meaning} of each counted vote, in the order in which the work was claimed",
        guide="pseudonyms of the workers",
    ),
    ExportColumn(
        "{question}_vote", "list of texts or numbers", '["a", "b", "n", "a", "n"]',
        "vote of each worker: preferred slot (a or b, on whichever side it was shown) or code "
        "of the answer; a number if all codes are numbers; empty if skipped. Capitals only if "
        "the run follows the published pipeline (compat)",
        guide="votes of these workers: a slot or the code of the answer; null for a skipped answer",
        names=_names_per_vote,  # question by question, with those of the next column
    ),
    ExportColumn(
        "{question}_spam_probability", "list of numbers, 0-1", "[0.9025955710, ...]",
        "MACE: the weight of answering this question from habit instead of knowledge, 0-1; "
        "close to, but not exactly, 1 - competence",
        guide=(
            "MACE: the weight of answering this question from habit instead of knowledge; close "
            "to, but not exactly, 1 - competence; null for workers not in the run"
        ),
        names=nothing,
    ),
    ExportColumn(
        "{question}_p_{answer}", PROBABILITY, "0.2645018383",
        "MACE: probability that this is the answer, 0-1. JSONL only; in gold.csv p_{answer}",
        guide="MACE: probability that this is the answer; JSONL only, see gold.csv", when=never,
    ),
    ExportColumn(
        "{question}_gold", ANSWER, "n",
        "MACE: the most probable answer. JSONL only; in gold.csv gold",
        guide="MACE: the most probable answer; JSONL only, see gold.csv", when=never,
    ),
)  # fmt: skip
GOLD = (
    QUERY,
    *slot_columns(),
    QUESTION,
    ExportColumn("gold", ANSWER, "n", "MACE: the most probable answer"),
    ExportColumn(
        "p_{answer}", PROBABILITY, "0.9563200496",
        "MACE: probability that this is the answer, 0-1; empty if the question does not offer it",
        guide="MACE: probability that this is the answer; empty if the question does not offer "
        "it", names=lambda source: _probabilities(source),
    ),
    ExportColumn("majority", ANSWER, "n", "most frequent answer"),
    ExportColumn("tied", BOOLEAN, "False", "whether several answers are equally probable"),
    ExportColumn(
        "entropy", "number, nats", "0.1981260000",
        "MACE: uncertainty of the answer, in nats; 0 is certain",
        guide="MACE: uncertainty of the answer; 0 is certain",
    ),
    ExportColumn(
        "votes", NUMBER, "5",
        "number of votes that MACE read, including votes beyond the counted ones",
    ),
    ExportColumn(
        "next_vote", PROBABILITY, "0.6120000000",
        "probability that one more vote is for the gold label, 0-1",
        guide=(
            "probability that one more vote is for the gold label; well calibrated on held-out "
            "votes, unlike `p_{answer}`, which is overconfident"
        ),
        names=lambda source: _certainties(source)[:1],
    ),
    ExportColumn(
        "same_label", PROBABILITY, "0.7340000000",
        "probability that most of five new votes are for the gold label, 0-1",
        guide=(
            "probability that most of five new votes are for the gold label; empty if the question "
            "has too many options to compute it"
        ),
        names=lambda source: _certainties(source)[1:],
    ),
)  # fmt: skip
GRADES = (
    ExportColumn("response", TEXT, "f82f5277-3cc7-37f0-bf59-8d960eceb6ae", "key of the response"),
    ExportColumn(
        "{question}", "number with a decimal point, 1 to the number of responses of the topic",
        "4.0",
        "rank of the response within its topic, 1 for the worst; ties share their mean rank "
        "(Bradley-Terry on votes or labels, as set by the parameter `ranking`)",
        guide=(
            "rank of the response by Bradley-Terry strengths of the gold labels, 1 for the worst; "
            "ties share their mean rank"
        ),
        names=lambda source: [asked.key for asked in source.chosen],
    ),
)  # fmt: skip
ANSWERED_AT = ExportColumn(
    "answered_at", MOMENT, "2026-03-02T09:01:30.250+00:00",
    "time of the last answer; ISO 8601, UTC", guide="time of the last answer",
)  # fmt: skip
VOTES = (
    QUESTIONNAIRE,
    QUERY,
    *slot_columns(),
    *system_columns(),
    WORKER,
    INSTRUMENT,
    QUESTION,
    SLOT,
    ExportColumn(
        "vote", ANSWER, "b",
        "answer: a slot name, the code of an option, a number or a text; numbers only if all "
        "answers of the study are numbers",
        guide="answer: a slot name, the code of an option, a number or a text",
    ),
    ExportColumn(
        "winner", TEXT, "3c5e25b6-2d4d-3d84-b01c-0264c3a5ba50",
        "key of the preferred response of a comparison; else empty",
    ),
    ExportColumn(
        "winner_system", TEXT, "gpt-4o",
        "key of the system that wrote it; empty if none",
    ),
    RAW,
    SHOWN,
    ExportColumn(
        "position", "number, from 1", "3",
        "position of the item for this worker, from 1",
        guide="position of the item for this worker",
    ),
    ExportColumn(
        "question_position", "number, from 1", "2",
        "position of the question among the questions of its method on the page, from 1; with "
        "a random order it differs between workers",
    ),
    MILLISECONDS,
    COMMENT,
    ExportColumn(
        "item_comment", TEXT, "Both texts are hard to read.",
        "comment of the worker on the page of the item; repeated for each answer on the page, "
        "of all its methods",
    ),
    FIRST_AT,
    ANSWERED_AT,
    ExportColumn("changes", NUMBER, "0", "number of changes to the answer"),
    ExportColumn(
        "counted", "true, false", "true",
        "whether the newest finished analysis counts the vote: submitted before the analysis "
        "began, and among the first votes_per_item of its item; empty without an analysis",
        guide="whether the newest finished analysis counts the vote: submitted before the "
        "analysis began, the worker's first answer to this question on the item, not by a "
        "duplicate account (`copies`), and among the first remaining `votes_per_item` of its item; "
        "empty without an analysis. The published pipeline (`compat`) also counts repeats",
    ),
)  # fmt: skip
LABELS = (
    ExportColumn(
        "rater", TEXT, "expert-5e0c91aa",
        "pseudonym of the rater: a worker, an expert or a model",
    ),
    ExportColumn(
        "kind", TEXT, "expert",
        "crowd, expert or model", guide="`crowd`, `expert` or `model`",
    ),
    ExportColumn(
        "item", TEXT, "02693406-15df-33d5-b424-219ac8ab2054\\|f82f5277-3cc7-37f0-bf59-8d960eceb6ae",
        "key of the item",
    ),
    QUERY,
    *slot_columns(),
    QUESTION,
    SLOT,
    ExportColumn(
        "value", ANSWER, "n",
        "key of the chosen text, code of the option, or a number",
    ),
    replace(SHOWN, meaning="slot names from left to right; empty if unknown"),
    replace(COMMENT, meaning="reason that the rater gave with the answer"),
    FIRST_AT,
    ANSWERED_AT,
)  # fmt: skip


def ratings(source: ExportSource) -> Iterator[Row]:
    """Yield one row per item with counted votes of the pool of the run, by item."""
    run, rated, most = source.finished, source.rated, source.votes_per_item
    for item in source.judged(batch=run.batch, pool=Pool(run.pool)):
        votes = {question.key: source.votes(item, question) for question in rated}
        counted = {key: some[:most] for key, some in votes.items()}
        # Whoever left out one question stays in the row, with a gap there.
        present = {
            (vote.assignment, vote.worker): vote for some in counted.values() for vote, _ in some
        }
        voters = sorted(present.values(), key=attrgetter("place"))
        if not voters:
            continue
        row: Row = {"submission_id": voters[0].questionnaire} | source.item_columns(item)
        row["worker"] = [vote.worker for vote in voters]
        for question in rated:
            row |= _votes(source, question, voters, counted[question.key])
            if question.labels:
                row |= _gold(source, question, item, len(votes[question.key]))
        yield row


def _votes(
    source: ExportSource, asked: ExportQuestion, voters: list[Vote], votes: list[tuple[Vote, str]]
) -> Row:
    labels = {(vote.assignment, vote.worker): asked.cell(label) for vote, label in votes}
    if source.as_published and asked.chosen:
        labels = {voter: str(label).upper() for voter, label in labels.items()}
    row: Row = {f"{asked.key}_vote": [labels.get((one.assignment, one.worker)) for one in voters]}
    if asked.labels:
        spam = source.findings[asked.key].spam
        row[f"{asked.key}_spam_probability"] = [spam.get(voter.worker) for voter in voters]
    return row


def _gold(source: ExportSource, asked: ExportQuestion, item: JudgedItem, votes: int) -> Row:
    found = source.findings[asked.key]
    gold = found.gold(item.key)
    if found.rows and gold.get("votes", 0) != votes:
        source.changed.add(item.key)
    row: Row = {f"{asked.key}_p_{label}": rounded(gold.get(f"p_{label}")) for label in asked.labels}
    row[f"{asked.key}_gold"] = asked.cell(gold["gold"]) if gold else None
    return row


def spread(row: Row) -> Iterator[Row]:
    """Yield one row per vote from a row of ratings."""
    per_vote = [name for name, cell in row.items() if isinstance(cell, list)]
    for cells in zip(*(row[name] for name in per_vote), strict=True):
        yield row | dict(zip(per_vote, cells, strict=True))


def gold(source: ExportSource) -> Iterator[Row]:
    """Yield one row per item and question with a gold label."""
    chosen, certainties = source.chosen, _certainties(source)
    probabilities = _probabilities(source)
    for chunk in judged_items.items(study=source.study, step=source.step):
        for item in chunk:
            cells = source.item_columns(item)
            for question in chosen:
                if label := source.findings[question.key].gold(item.key):
                    row = cells | {"question": question.key, "gold": None, **probabilities}
                    yield row | _gold_cells(question, label, certainties)


def _gold_cells(asked: ExportQuestion, found: Row, certainties: Sequence[str]) -> Row:
    return {
        "gold": asked.cell(found["gold"]),
        **{f"p_{label}": rounded(found[f"p_{label}"]) for label in asked.labels},
        "majority": asked.cell(found["majority"]),
        "tied": found["tied"],
        "entropy": rounded(found["entropy"]),
        "votes": found["votes"],
        **{name: rounded(found.get(name)) for name in certainties},
    }


def _certainties(source: ExportSource) -> tuple[str, ...]:
    """Return the columns about fresh votes, in runs that have computed them."""
    has_certainties = any("next_vote" in finding.columns for finding in source.findings.values())
    return FRESH_VOTES if has_certainties else ()


def _probabilities(source: ExportSource) -> dict[str, None]:
    """Return p_a, p_n, p_b for the answers of all questions, in their order."""
    return {f"p_{label}": None for question in source.chosen for label in question.labels}


def grades(source: ExportSource) -> Iterator[Row]:
    """Yield one row per graded response, by topic and key."""
    grades_table = tables(source.finished, "grades", "grades")
    rows: dict[tuple[str, str], Row] = {}
    columns = dict.fromkeys(measure.key for measure in source.chosen)
    for topic, response, question, grade in zip(
        *(grades_table[name].tolist() for name in ("topic", "response", "question", "grade")),
        strict=True,
    ):
        row = rows.setdefault((topic, response), {"response": response} | columns)
        row[question] = float(grade)
    source.step(0, len(rows))
    yield from (rows[key] for key in sorted(rows))
    source.step(len(rows), len(rows))


def votes(source: ExportSource) -> Iterator[Row]:
    """Yield one row per judgment of people, by item, assignment and question."""
    questions = {exported.pk: exported for exported in source.questions}
    designed = {key: _positions(order) for key, order in _designed_orders(source.questions).items()}
    for item in source.judged(details=True):
        counted = source.counted(item)
        shown = source.item_columns(item) | source.system_cells(item)
        answers: dict[tuple[int, str, str, str], Row] = {}
        pages: dict[tuple[int, int], tuple[int | None, str, Mapping[str, int]]] = {}
        for vote in item.votes:
            question = questions[vote.question]
            at = (vote.assignment or 0, vote.instrument)
            if at not in pages:
                drawn = item.orders.get(at)
                positions = _positions(drawn) if drawn else designed[question.instrument]
                pages[at] = (*item.seen.get(at, (None, "")), positions)
            position, remark, positions = pages[at]
            answer = (vote.question, vote.slot, vote.value, vote.raw)
            if answer not in answers:  # few are given often
                answers[answer] = _answer_cells(source, item, question, vote)
            yield {
                "submission_id": vote.questionnaire,
                **shown,
                "worker": vote.worker,
                **answers[answer],
                "shown": vote.shown,
                "position": position,
                "question_position": positions.get(question.name),
                "milliseconds": vote.milliseconds,
                "comment": vote.comment,
                "item_comment": remark,
                "first_at": vote.first_at,
                "answered_at": vote.answered_at,
                "changes": vote.changes,
                "counted": (
                    None
                    if counted is None
                    else (vote.assignment, vote.question, vote.slot) in counted
                ),
            }


def _answer_cells(
    source: ExportSource, item: JudgedItem, question: ExportQuestion, vote: Vote
) -> Row:
    label = question.label(vote, item.contents)
    row: Row = {}
    if source.instruments:
        row["instrument"] = source.instruments[vote.instrument]
    row["question"] = question.name
    if source.per_slot:
        row["slot"] = vote.slot
    return row | {
        "vote": source.written(label),
        **source.winner_cells(item, question, label),
        "raw": source.written(vote.raw),
    }


def _designed_orders(questions: Iterable[ExportQuestion]) -> Mapping[str, list[str]]:
    """Return the keys of the questions of each method, in its order."""
    orders: dict[str, list[str]] = defaultdict(list)
    for question in questions:
        orders[question.instrument].append(question.name)
    return orders


def _positions(order: Sequence[str]) -> Mapping[str, int]:
    """Return the position of each question of a page, from 1."""
    return {name: position for position, name in enumerate(order, start=1)}


def labels(source: ExportSource) -> Iterator[Row]:
    """Yield one row per answer of any rater, in the form of `import_labels`."""
    questions = {exported.pk: exported for exported in source.questions}
    rows = source.judged(details=True, pool=EVERYBODY)
    for item in rows:
        for vote in item.votes:
            question = questions[vote.question]
            row: Row = {"rater": vote.worker, "kind": vote.kind, "item": item.key}
            row |= source.item_columns(item) | {"question": question.key}
            if source.per_slot:
                row["slot"] = vote.slot
            yield row | {
                "value": source.label_value(vote.value),
                "shown": vote.shown,
                "comment": vote.comment,
                "first_at": vote.first_at,
                "answered_at": vote.answered_at,
            }
