"""Optional files of the Crowd RAG Corpus 2025 that single tables need.

Each may be absent or broken: then the cells that need it stay empty, and the reason (`AbsentFile`,
or `CannotCompute` with the file, the line and the field) is shown instead. Nothing else is lost.
"""

import gzip
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
import pandas as pd

from analysis.stats.errors import CannotCompute
from annotation.corpora.crowdrag import BadCorpus, rows
from annotation.texts.plurals import counted
from judging.crowdrag.rows import DIMENSIONS as COLUMNS
from judging.crowdrag.rows import LLM_RATINGS, LlmRow

RATINGS = "ratings.jsonl.gz"
EXPERTS = "expert-response.jsonl.gz"
POINTWISE = "study2_pointwise.jsonl.gz"

DIMENSIONS = tuple(COLUMNS.values())
ANNOTATORS = ("annot1", "annot2", "annot4")  # the ones the paper counts

# The options of the pointwise questions: whether a response is about the topic is yes or no.
SCALES = {name: (-1, 1) if name == "correctness_topical" else (-3, -1, 1, 3) for name in DIMENSIONS}

Preference = Literal["a", "n", "b", "A", "N", "B"]
Label = Literal["a", "n", "b"]
Share = Annotated[float, msgspec.Meta(ge=0, le=1)]


class AbsentFile(CannotCompute):
    """A file that a table needs is not there."""

    def __init__(self, name: str) -> None:
        super().__init__("absent_file", f"{name} is not in the folder of the corpus.")


def _struct(name: str, fields: Sequence[tuple[str, Any]]) -> type[msgspec.Struct]:
    return msgspec.defstruct(name, list(fields))


_PublishedRow = _struct(
    "PublishedRow",
    [
        ("query_id", str),
        ("response_a", str),
        ("response_b", str),
        ("worker", list[str]),
        *((f"{name}_vote", list[Preference]) for name in DIMENSIONS),
        *((f"{name}_spam_probability", list[Share]) for name in DIMENSIONS),
        *((f"{name}_gold", Label) for name in DIMENSIONS),
    ],
)
_PointwiseRow = _struct(
    "PointwiseRow",
    [
        ("submission_id", str),
        ("submitted_at", int | float | str),
        ("worker", str),
        ("query_id", str),
        ("response", str),
        *((name, float | None) for name in DIMENSIONS),
    ],
)


def _records(path: Path, kind: type[msgspec.Struct]) -> Iterator[dict[str, Any]]:
    """Yield the rows of a file as dictionaries. Raises AbsentFile, BadCorpus."""
    if not path.is_file():
        raise AbsentFile(path.name)
    for row in rows(path, kind):
        yield msgspec.structs.asdict(row)


def published_ratings(folder: Path) -> pd.DataFrame:
    """Return gold labels: query_id, response_a, response_b, a column a dimension (a, n, b).

    Raises AbsentFile, BadCorpus.
    """
    ratings = pd.DataFrame(_records(folder / RATINGS, _PublishedRow))
    gold = {f"{name}_gold": name for name in DIMENSIONS}
    return ratings.rename(columns=gold)[["query_id", "response_a", "response_b", *DIMENSIONS]]


def published_votes(folder: Path) -> pd.DataFrame:
    """Return one row a vote and dimension: item, worker, question, value, spam_probability.

    item is "<response a>|<response b>", value a, n or b. Raises AbsentFile, BadCorpus.
    """
    long = []
    for number, row in enumerate(_records(folder / RATINGS, _PublishedRow), start=1):
        item = f"{row['response_a']}|{row['response_b']}"
        for name in DIMENSIONS:
            votes, spam = row[f"{name}_vote"], row[f"{name}_spam_probability"]
            if not len(row["worker"]) == len(votes) == len(spam):
                raise BadCorpus(
                    "unequal_votes",
                    f"{RATINGS}:{number}: {name}: {counted(len(row['worker']), 'worker')}, "
                    f"{counted(len(votes), 'vote')} and "
                    f"{counted(len(spam), 'spam probability', 'spam probabilities')}; "
                    "they should be equally many",
                )
            for worker, vote, share in zip(row["worker"], votes, spam, strict=True):
                long.append((item, worker, name, vote.lower(), share))
    return pd.DataFrame(long, columns=["item", "worker", "question", "value", "spam_probability"])


def llm_ratings(folder: Path) -> pd.DataFrame:
    """Return ratings by the language model, oriented to the sorted pair; the first two of each.

    Columns inference, query_id, response_a < response_b, rater (0, 1), and a column a dimension
    (a, n, b or nothing), sorted by all of them. "First" is meant in the order of the file, of each
    inference and unordered pair. Raises AbsentFile, BadCorpus.
    """
    ratings = pd.DataFrame(
        [_oriented(row) for row in _records(folder / LLM_RATINGS, LlmRow)],
        columns=["query_id", "response_a", "response_b", "inference", *DIMENSIONS],
    )
    pair = ["inference", "query_id", "response_a", "response_b"]
    ratings = ratings.sort_values(pair, kind="stable", ignore_index=True)
    ratings.insert(4, "rater", ratings.groupby(pair).cumcount())
    return ratings[ratings["rater"] < 2].reset_index(drop=True)


OTHER = {"a": "b", "n": "n", "b": "a"}


def _oriented(row: dict[str, Any]) -> dict[str, Any]:
    """Return the row as if the response that sorts first had been shown first."""
    labels = {name: row[name] and row[name].lower() for name in DIMENSIONS}
    if row["response_a"] > row["response_b"]:
        row["response_a"], row["response_b"] = row["response_b"], row["response_a"]
        labels = {name: label and OTHER[label] for name, label in labels.items()}
    return row | labels


def expert_votes(folder: Path) -> pd.DataFrame:
    """Return votes of the three experts: query_id, response_a, response_b, worker, dimensions.

    The file is one JSON object, {column: {row: value}}. Raises AbsentFile, BadCorpus.
    """
    votes = pd.DataFrame(_expert_columns(folder / EXPERTS).filled())
    votes = votes[votes["prolific_pid"].isin(ANNOTATORS)]
    if votes.empty:
        raise BadCorpus("no_expert_votes", f"{EXPERTS}: no vote of {', '.join(ANNOTATORS)}")
    names = {"prolific_pid": "worker", **COLUMNS}
    votes = votes.rename(columns=names).reset_index(drop=True)
    return votes[["query_id", "response_a", "response_b", "worker", *DIMENSIONS]]


def _expert_columns(path: Path) -> "_Columns":
    """Return the object, on one line or several. Raises AbsentFile, BadCorpus."""
    if not path.is_file():
        raise AbsentFile(path.name)
    try:
        with gzip.open(path) as whole:
            return msgspec.json.decode(whole.read(), type=_Columns)
    except (msgspec.DecodeError, RecursionError) as error:
        raise BadCorpus("bad_row", f"{path.name}: {error}") from error
    except (OSError, EOFError, zlib.error) as error:
        raise BadCorpus("unreadable", f"{path.name}: cannot be read: {error}") from error


class _Columns(msgspec.Struct):
    """Columns of the experts' votes; all of them have the same rows."""

    submission_id: dict[str, str]
    prolific_pid: dict[str, str]
    query_id: dict[str, str]
    response_a: dict[str, str]
    response_b: dict[str, str]
    validity: dict[str, Preference | None]
    coherence_logical: dict[str, Preference | None]
    coherence_stylistic: dict[str, Preference | None]
    coverage_broad: dict[str, Preference | None]
    coverage_deep: dict[str, Preference | None]
    consistency_internal: dict[str, Preference | None]
    quality_overall: dict[str, Preference | None]

    def filled(self) -> dict[str, list[str | None]]:
        """Return column -> values in the order of the rows. Raises BadCorpus if one lacks a row."""
        columns: Mapping[str, dict[str, Any]] = msgspec.structs.asdict(self)
        every = list(self.submission_id)
        for name, column in columns.items():
            if odd := set(every) ^ set(column):
                raise BadCorpus("missing_row", f"{EXPERTS}: {name}: row {min(odd)} is missing")
        filled_columns = {name: [column[row] for row in every] for name, column in columns.items()}
        return filled_columns | {
            name: [vote and vote.lower() for vote in filled_columns[name]] for name in COLUMNS
        }


def pointwise_votes(folder: Path) -> pd.DataFrame:
    """Return votes on single responses: item, worker, and a column a dimension.

    The ids of the responses are different in every row and match nothing, so an item is
    "<questionnaire>:<topic>:<number>", 1 for the first response to the topic in a questionnaire.
    Some submissions contain a worker's pass twice: the first one counts (`first_pass`). In
    the published file that leaves 47 items and 235 votes. Raises AbsentFile, BadCorpus.
    """
    rows_read = _on_scale(_records(folder / POINTWISE, _PointwiseRow))
    votes = pd.DataFrame(rows_read, columns=[*_PointwiseRow.__struct_fields__])
    votes = pd.concat(
        [votes.iloc[:0]]
        + [_one_pass(str(name), part) for name, part in votes.groupby("submission_id", sort=False)],
        ignore_index=True,
    )
    number = votes.groupby(["submission_id", "worker", "query_id"]).cumcount() + 1
    votes["item"] = votes["submission_id"] + ":" + votes["query_id"] + ":" + number.astype(str)
    return votes[["item", "worker", *DIMENSIONS]]


def _one_pass(questionnaire: str, part: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of each worker's first pass through a questionnaire. Raises BadCorpus."""
    by_worker = [rows for _, rows in part.groupby("worker", sort=False)]
    by_worker = [rows.sort_values("submitted_at", kind="stable") for rows in by_worker]
    lengths = first_pass(
        [list(zip(rows["submitted_at"], rows["query_id"], strict=True)) for rows in by_worker]
    )
    first_passes = [rows.iloc[:length] for rows, length in zip(by_worker, lengths, strict=True)]
    orders = {tuple(rows["query_id"]) for rows in first_passes}
    if len(orders) > 1 and any(rows["query_id"].duplicated().any() for rows in first_passes):
        raise BadCorpus(
            "unmatched_responses",
            f"{POINTWISE}: {questionnaire}: its workers have several responses to one topic",
        )
    return pd.concat(first_passes)


def _on_scale(records: Iterator[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield the rows, if all of their answers are points of the scale. Raises BadCorpus."""
    for number, row in enumerate(records, start=1):
        for name, scale in SCALES.items():
            if row[name] is not None and row[name] not in scale:
                raise BadCorpus(
                    "off_scale",
                    f"{POINTWISE}:{number}: {name}: {row[name]:g} is none of "
                    f"{', '.join(map(str, scale))}",
                )
        yield row


PassRow = tuple[Any, str]  # when it was submitted, and the topic


def first_pass(workers: Sequence[Sequence[PassRow]]) -> list[int]:
    """Return the number of rows of each worker's first pass; rows are in the order of time.

    The length of a pass is that of the shortest list that explains all longer ones as the same
    topics again, the last time perhaps not to the end; workers with fewer rows did not finish.
    Where all lists are equally long, all may contain the pass twice: they do if the rows that were
    submitted together are such a pass.
    """
    lengths = sorted(len(rows) for rows in workers)
    length = next(n for n in lengths if all(_repeats(rows, n) for rows in workers))
    together = {sum(time == rows[0][0] for time, _ in rows) for rows in workers}
    if lengths[0] == lengths[-1] and len(together) == 1:
        sent = together.pop()
        if sent > 1 and all(_repeats(rows, sent) for rows in workers):
            length = sent
    return [min(length, len(rows)) for rows in workers]


def _repeats(rows: Sequence[PassRow], length: int) -> bool:
    """Return whether these are the same topics again and again, `length` at a time."""
    topics = [topic for _, topic in rows]
    passes = [Counter(topics[start : start + length]) for start in range(0, len(topics), length)]
    return all(again <= passes[0] for again in passes[1:]) and all(
        again == passes[0] for again in passes[1:-1]
    )
