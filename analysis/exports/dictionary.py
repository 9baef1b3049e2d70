"""What the columns of the exported files mean: DATA.md of a bundle.

The same columns stand in docs/data-dictionary.md, with examples; a test compares them.
"""

from collections.abc import Iterator, Mapping, Sequence

from analysis.exports.catalogue import TABLES
from analysis.exports.sources import Asked, Source, slot_column
from judging.items.kinds import KINDS, Holds
from writing.process.meanings import MEANINGS

ITEM = {
    "query_id": "key of the topic",
    "response_a": "key of the response in slot a",
    "response_b": "key of the response in slot b",
    "response": "key of the response",
}
SYSTEMS = {
    "system_a": "key of the system that wrote the response in slot a; empty if none did",
    "system_b": "key of the system that wrote the response in slot b; empty if none did",
    "system": "key of the system that wrote the response; empty if none did",
}
SYSTEM_OF = "key of the system that wrote the response in slot"
WORKER = "pseudonym of the worker"
WORK = {
    "assignment": "number of the assignment, as in the address of its page",
    "submission_id": "key of the task: the questionnaire, or the text to write",
    "worker": WORKER,
    "state": "active, submitted, accepted, rejected, returned or expired",
    "finished": "whether the work is submitted: submitted, accepted or rejected",
}
MONEY = {
    "currency": "of all amounts",
    "owed": "amount owed for submitted work or screening",
    "approved": "amount approved",
    "paid": "amount paid, without bonuses",
    "bonus": "bonuses paid",
}
# Table -> column -> meaning. {question} stands for the key of each question, {answer} for each of
# its answers (a, n, b; or the code of an option).
COLUMNS: dict[str, dict[str, str]] = {
    "responses": {
        "response": ITEM["response"],
        "topic": ITEM["query_id"],
        "style": "bullet, essay, news or free",
        "text": "the text as it was shown; Markdown",
        "kind": "who wrote it, as published: human or llm; the same as origin",
        "origin": "human, llm or other",
        "system": "key of the system that wrote it; empty if none did",
        "query": "the search question of the topic",
        "references_ids": "keys of the topic's passages, the best first. JSONL only",
        "references_texts": "their texts. JSONL only",
        "raw_text": "the same as text. JSONL only",
        "cleaned_text": "the text without its citations",
        "statements": (
            "the text in pieces that end with citations: text, and citations, the keys of the "
            "passages. JSONL only"
        ),
    },
    "tasks": {
        "response": ITEM["response"],
        "worker": "pseudonym of the writer",
        "topic": ITEM["query_id"],
        "style": "bullet, essay, news or free",
        "{question}": "the answer to each question of the forms before and after the writing",
    },
    "processes": {
        "text": "key of the text; that of its response once it is accepted",
        "worker": "pseudonym of the writer",
        "topic": ITEM["query_id"],
        "style": "bullet, essay, news or free",
        "state": "submitted or accepted",
        "verdict": "whether the log rebuilds the text: equal, differs or incomplete",
        "measures": (
            "version of the measures; before 3, compositions counted as deleted and typed again"
        ),
        "fault": "why the log could not be measured; empty if it was",
        "flags": (
            "what passed a limit; evidence to look at, never a verdict. JSONL: kind, value, unit, "
            "limit and points (event and ms); CSV: kind=value, separated by semicolons"
        ),
        **MEANINGS,
        "viewed": (
            "seconds that each passage was visible, by its number from 0. JSONL: an object; CSV: "
            "passage=seconds, separated by semicolons"
        ),
    },
    "ratings": {
        "submission_id": "key of the questionnaire of the item's first counted vote",
        **ITEM,
        "worker": f"{WORKER} of each counted vote, in the order in which the work was claimed",
        "{question}_vote": (
            "vote of each worker: a or b for the slot that was preferred, whatever side it was "
            "shown on, or the code of the answer; a number where all codes are numbers; empty if "
            "left out. Capitals only if the run follows the published pipeline (compat)"
        ),
        "{question}_spam_probability": (
            "MACE: the weight of answering this question from habit instead of knowledge, 0-1; "
            "close to, but not exactly, 1 - competence"
        ),
        "{question}_p_{answer}": (
            "MACE: probability that this is the answer, 0-1. JSONL only; in gold.csv p_{answer}"
        ),
        "{question}_gold": "MACE: the most probable answer. JSONL only; in gold.csv gold",
    },
    "gold": {
        **ITEM,
        "question": "key of the question",
        "gold": "MACE: the most probable answer",
        "p_{answer}": "MACE: probability that this is the answer, 0-1; empty if it is not offered",
        "majority": "the most frequent answer",
        "tied": "whether several answers are equally probable",
        "entropy": "MACE: uncertainty of the answer, in nats; 0 is certain",
        "votes": "number of votes that MACE read, also those beyond the counted ones",
        "next_vote": "probability that one more vote is for the gold label, 0-1",
        "same_label": "probability that most of five fresh votes are for the gold label, 0-1",
    },
    "grades": {
        "response": ITEM["response"],
        "{question}": (
            "rank of the response within its topic, 1 for the worst; equals share the mean of "
            "their ranks (Bradley-Terry on what the parameter `ranking` names: votes, or labels)"
        ),
    },
    "votes": {
        "submission_id": "key of the questionnaire",
        **ITEM,
        **SYSTEMS,
        "worker": WORKER,
        "question": "key of the question",
        "slot": "the slot that was judged; only in studies that ask for each slot",
        "vote": (
            "the answer: a slot name, the code of the option, a number or a text; numbers only if "
            "all answers of the study are numbers"
        ),
        "winner": "key of the response that a comparison prefers; empty for all other answers",
        "winner_system": "key of the system that wrote it; empty if none did",
        "raw": "what was chosen on the screen: for a preference the side, a is left",
        "shown": "slot names from left to right",
        "position": "place of the item in the worker's order, 1 for the first",
        "milliseconds": "from the appearance of the item to this answer, ms",
        "comment": "reason that the worker gave with the answer",
        "item_comment": (
            "remark of the worker on the page of the item; repeated with each answer given there, "
            "of all methods on it"
        ),
        "first_at": "when it was first answered; ISO 8601, UTC",
        "answered_at": "when it was last answered; ISO 8601, UTC",
        "changes": "how often the answer was changed",
        "counted": (
            "whether the newest finished analysis counts it: it was in when that began, and among "
            "the first votes_per_item of its item; empty without an analysis"
        ),
    },
    "votes_before_redo": {
        "submission_id": "key of the questionnaire",
        **ITEM,
        "worker": WORKER,
        "instrument": "key of the instrument that asks the question; only where there are several",
        "question": "key of the question",
        "slot": "the slot that was judged; only in studies that ask for each slot",
        "vote": "the answer as it was handed in: as in votes",
        "raw": "what was chosen on the screen: for a preference the side, a is left",
        "shown": "slot names from left to right",
        "milliseconds": "from the appearance of the item to this answer, ms",
        "comment": "reason that the worker gave with the answer",
        "first_at": "when it was first answered; ISO 8601, UTC",
        "answered_at": "when it was last answered before that; ISO 8601, UTC",
        "changes": "how often the answer had been changed",
        "handed_in_at": "when the questionnaire was handed in so; ISO 8601, UTC",
        "asked_at": "when a reviewer asked for a redo; ISO 8601, UTC",
        "reason": "what the reviewer told the worker",
    },
    "other_answers": {
        **WORK,
        "check": "attention, gold or training if the page was a check; else empty",
        "query_id": ITEM["query_id"],
        "response_a": ITEM["response_a"],
        "response_b": ITEM["response_b"],
        "response": ITEM["response"],
        "instrument": "key of the instrument that asks the question; only where there are several",
        "question": "key of the question",
        "slot": "the slot that was judged; only in studies that ask for each slot",
        "vote": "the answer: as in votes",
        "raw": "what was chosen on the screen: for a preference the side, a is left",
        "shown": "slot names from left to right",
        "position": "number of the page in the worker's order, 1 for the first",
        "milliseconds": "from the appearance of the item to this answer, ms",
        "comment": "reason that the worker gave with the answer",
        "first_at": "when it was first answered; ISO 8601, UTC",
        "answered_at": "when it was last answered; ISO 8601, UTC",
        "changes": "how often the answer was changed",
    },
    "comments": {
        **WORK,
        "check": "attention, gold or training if the page was a check; else empty",
        "query_id": ITEM["query_id"],
        "response_a": ITEM["response_a"],
        "response_b": ITEM["response_b"],
        "response": ITEM["response"],
        "instrument": "key of the instrument of the page; only where there are several",
        "position": "number of the page in the worker's order, 1 for the first",
        "comment": "what the worker wrote on the page",
    },
    "written_texts": {
        **WORK,
        "topic": ITEM["query_id"],
        "style": "bullet, essay, news or free",
        "words": "words of the text, without citations",
        "text": "the text; of unfinished work as far as it had arrived",
    },
    "participants": {
        "worker": WORKER,
        "platform": "where the participant came from: prolific, link, upwork or invitation",
        "arrived_at": "first arrival; ISO 8601, UTC",
        "agreed_at": "first consent; ISO 8601, UTC",
        "consent_version": "version of the consent text that the participant agreed to last",
        "assignments": "number of assignments that were begun",
        "submitted": "number of them that are submitted, whatever was decided",
        "accepted": "number of them that are approved",
        "rejected": "number of them that are rejected",
        "unfinished": "number of them that are not submitted",
        "active_seconds": "active time of all assignments, s; empty if it is not known",
        **MONEY,
        "screened_at": "when the screening questions were answered; ISO 8601, UTC",
        "screening_passed": "whether the participant passed; only in studies with screening",
        "screening_attempts": "number of attempts",
        "screening_right": "number of right answers in the last attempt",
        "screening_asked": "number of screening questions",
        "screening_{question}": "code of the answer to each screening question, last attempt",
        "screening_first_right": (
            "number of right answers in the first of two attempts; empty if that was passed"
        ),
        "screening_first_{question}": "code of each answer in the first of two attempts",
    },
    "assignments": {
        "assignment": WORK["assignment"],
        "submission_id": WORK["submission_id"],
        "worker": WORKER,
        "batch": "number of the batch",
        "onboarding": "whether it is an onboarding batch",
        "state": WORK["state"],
        "finished": WORK["finished"],
        "outcome": "screened_out or failed_check if that ended the work; else empty",
        "arrived_at": "when the participant arrived; ISO 8601, UTC",
        "agreed_at": "when the participant agreed; ISO 8601, UTC",
        "first_work_at": "first sign of work; ISO 8601, UTC",
        "submitted_at": "when the work was submitted; ISO 8601, UTC",
        "ended_at": "when it was approved, rejected or returned, or expired; ISO 8601, UTC",
        "active_seconds": "active time, s; empty if it is not known",
        "pages": "number of pages that were drawn; judging studies",
        "answered_pages": "number of pages with an answer; judging studies",
        "topic": "key of the topic; writing studies",
        "style": "bullet, essay, news or free; writing studies",
        "words": "words of the submitted text; writing studies",
        "decision": (
            "last review decision: accept, reject, reject_but_pay, redo, reopen or lapsed; empty "
            "if there is none"
        ),
        "decided_at": "when that was decided; ISO 8601, UTC",
        "reason": "the reason that the reviewer gave",
        "currency": MONEY["currency"],
        "pay": "pay for one task of the batch",
        **{name: MONEY[name] for name in ("owed", "approved", "paid", "bonus")},
        "completion_code": "code that the participant was shown at the end, of whatever outcome",
        "entered_code": "code that the participant entered at Prolific",
        "entry_{question}": "answer to each question of the form before the work",
        "exit_{question}": "answer to each question of the form after the work",
    },
    "labels": {
        "rater": "pseudonym of the rater: a worker, an expert or a model",
        "kind": "crowd, expert or model",
        "item": "key of the item",
        **ITEM,
        "question": "key of the question",
        "slot": "the slot that was judged; only in studies that ask for each slot",
        "value": "the answer: the key of the chosen text, the code of the option, or a number",
        "shown": "slot names from left to right; empty where it is not known",
    },
    "ragelo_queries": {"qid": ITEM["query_id"], "query": "the search question"},
    "ragelo_documents": {
        "qid": ITEM["query_id"],
        "did": "key of the passage",
        "document": "its text; passages stand by rank, and answers cite them by it, from 0",
    },
    "ragelo_answers": {
        "qid": ITEM["query_id"],
        "agent": "key of the system",
        "answer": "the text of its response",
    },
    "pairwise_answers_evaluations": {
        "qid": "key of the topic",
        "agent_a": "key of the system in slot a",
        "agent_b": "key of the system in slot b",
        "answer": "A or B for the better one, C for neither",
        "question": "key of the question: the overall one about pairs, or else the first",
        "rater": "pseudonym of who said so",
    },
    "rubric_bank": {
        "query_id": "key of the topic",
        "items": "the points: nugget_id (the topic and the md5 of the text) and nugget_text",
    },
    "rubric_passages": {
        "(line)": (
            "key of the topic and its graded passages; exam_grades holds the grades of each rater "
            "(llm is the pseudonym), paragraph_data the rankings"
        ),
    },
    "summaries": {
        "summary": "key of the response",
        "topic": ITEM["query_id"],
        "overview": "text and citations (keys of passages)",
        "sections": "heading and statements, each with text and citations",
        "copy_of": "of a degraded copy the key of its original; `without` says what it lacks",
    },
    "qrels": {"(line)": "topic, 0, passage, the mean grade of its raters, halves up"},
    "qrels_maximum": {"(line)": "topic, 0, passage, its highest grade"},
    "qrels_count": {"(line)": "topic, 0, passage, the number of points with grade 1 or more"},
    "qrels_threshold": {"(line)": "topic, 0, passage, 1 if a point has grade 4 or more, else 0"},
    "runs": {"(line)": "topic, Q0, passage, rank, score (strictly decreasing), system"},
}
KEY_OF = {
    Holds.RESPONSE: "key of the response",
    Holds.PASSAGE: "key of the passage",
    Holds.SEGMENT: "key of the response and line of its part, such as r1:3,",
    Holds.CRITERION: "key of the criterion",
}
INTRODUCTION = """\
Exported from Crowdwright; manifest.json says from what and when, with checksums.

- `.jsonl.gz` files hold one JSON object a line, compressed with gzip. `.csv` files are UTF-8
  with a header and without a byte order mark, and have every text as it is. For Excel, download
  the files that the page *Export* offers *for Excel*.
- A column has one type in the whole file: whole numbers, numbers or text. It may be empty in many
  rows: with polars, give `infer_schema_length=None`, so that all rows are read for the types.
- ratings.csv has one row for each vote: the lists of ratings.jsonl.gz side by side.
- tables/ holds every table of the analysis as CSV with all digits, and as LaTeX (package booktabs)
  as it is read; the first line of a .tex file names the run and the digest of what it read.
- Workers are known by a pseudonym alone. Everybody who withdrew is left out.
- Rejected, returned and unfinished work is only in assignments, participants, other_answers,
  comments and written_texts; the columns `state` and `finished` mark it.
"""


def describe(source: Source, files: Mapping[str, Sequence[str]]) -> str:
    """Return the data dictionary of a bundle, in Markdown; `files` are those of each table."""
    study = source.study
    lines = [f"# {_line(study.title)} ({study.slug}, version {study.version})", "", INTRODUCTION]
    for table in TABLES.values():
        if names := files.get(table.name):
            lines += [f"## {table.title}", "", f"{', '.join(names)}", ""]
            lines += ["| column | meaning |", "|---|---|", *_columns(source, table.name), ""]
    lines += ["## Questions", "", *map(_question, source.questions), ""]
    return "\n".join(lines)


def _columns(source: Source, table: str) -> Iterator[str]:
    slots = {*source.slot_columns}
    for column, meaning in COLUMNS[table].items():
        absent = column in ITEM and column != "query_id" and column not in slots
        absent |= column in SYSTEMS and column not in source.system_columns
        if table in ("responses", "tasks", "grades"):
            absent = False
        if not absent and (column != "slot" or source.per_slot):
            yield f"| {column} | {meaning} |"
        if column == "response" and "response_a" in COLUMNS[table]:  # the last of ITEM
            for slot in source.slots:
                if (name := slot_column(slot)) not in ITEM:
                    yield f"| {name} | {_content(source, slot)} |"
        if table == "votes" and column == "system":  # the last of SYSTEMS
            for name in source.system_columns:
                if name not in SYSTEMS:
                    yield f"| {name} | {SYSTEM_OF} {name.removeprefix('system_')} |"


def _content(source: Source, slot: str) -> str:
    """What stands in a slot that is not one of those that most studies have."""
    kinds = {KINDS[asked.item_kind] for asked in source.questions}
    known = (found for kind in kinds if (found := kind.slot(slot)) is not None)
    held = next((found for found in known), None)
    what = KEY_OF.get(held.holds, "") if held else ""
    return f"{what or 'key of what stands'} in slot {slot}; empty in items without it"


def _question(asked: Asked) -> str:
    answers = ", ".join(f"{asked.cell(label)}" for label in asked.labels) or asked.kind
    return f"- `{asked.key}`: {_line(asked.text)} ({answers})"


def _line(text: str) -> str:
    return " ".join(text.split())
