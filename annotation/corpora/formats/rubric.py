"""The files of the Autograder Workbench (Rubric): banks of questions or nuggets, graded passages.

Dietz, A Workbench for Autograding Retrieve/Generate Systems (2024). The fields are those that its
public code reads, which asks for more than the paper's figures show: `test_collection` of a bank,
`llm_options` of grades, a list of passages in each line (a single passage is also read). Fields
that are None are not written. Pure.
"""

import hashlib
import re
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from annotation.corpora.formats.faults import FormatFault, Strict
from annotation.texts.sentences import Sentence

LEGACY = "flan-t5-large"  # who graded where a file does not say it, as its authors do
RATER_LENGTH = 100
JUDGES = "Judgments"  # the rater of the judgments of passages in a file
DIGEST = re.compile(r"/[0-9a-f]{32}\Z")

_OF_PARSER = re.compile(r"Expected|Object|Invalid|Integer|Number|Str|Array")


# -- Banks -------------------------------------------------------------------------------------
class RubricEntry(Strict):
    """An exam question, or a nugget."""

    query_id: str
    question_id: str | None = None
    question_text: str | None = None
    nugget_id: str | None = None
    nugget_text: str | None = None
    facet_id: str | None = None
    info: dict[str, Any] | None = None
    gold_answers: list[str] | None = None

    def __post_init__(self) -> None:
        question = (self.question_id, self.question_text)
        nugget = (self.nugget_id, self.nugget_text)
        if sorted(text is None for text in (*question, *nugget)) != [False, False, True, True] or (
            (question[0] is None) != (question[1] is None)
        ):
            raise ValueError(Sentence("an entry needs an ID and the text of a question or nugget"))

    @property
    def key(self) -> str:
        return self.question_id or self.nugget_id or ""

    @property
    def text(self) -> str:
        return self.question_text or self.nugget_text or ""


class RubricBank(Strict):
    """The entries of a query."""

    query_id: str
    query_text: str
    items: list[RubricEntry]
    test_collection: str | None = None
    hash: int | None = None
    facet_id: str | None = None
    facet_text: str | None = None
    info: dict[str, Any] | None = None


def entry_id(query: str, text: str, facet: str = "") -> str:
    """query[/facet]/md5 of the text without white space around it."""
    digest = hashlib.md5(text.strip().encode(), usedforsecurity=False).hexdigest()
    return "/".join(filter(None, (query, facet, digest)))


def has_digest(key: str) -> bool:
    """Return whether an id ends in an md5, as `entry_id` makes them."""
    return DIGEST.search(key) is not None


def own_id(key: str, text: str) -> str:
    """Return the id of a text: `key`, or with the right md5 where `key` has that of another text.

    An id without an md5 is a name, and stays.
    """
    if not has_digest(key):
        return key
    front, _, _ = key.rpartition("/")
    return entry_id(front, text)


def digest(text: str) -> int:
    """Return a number for a text that is equal on all machines, as `hash` of a bank."""
    return int.from_bytes(hashlib.md5(text.encode(), usedforsecurity=False).digest()[:7])


# -- Graded passages ---------------------------------------------------------------------------
class Relevance(Strict):
    """Relevance of the passage, as people judged it."""

    paragraphId: str  # noqa: N815 - as the files call it
    query: str
    relevance: int
    titleQuery: str  # noqa: N815


class PassageRank(Strict):
    """Rank that a system gives to the passage."""

    method: str
    paragraphId: str  # noqa: N815
    queryId: str  # noqa: N815
    rank: int
    score: float


class ParagraphData(Strict):
    judgments: list[Relevance]
    rankings: list[PassageRank]


class SelfRating(Strict):
    """Grade from 0 to 5 of how well the passage answers an entry."""

    self_rating: int
    question_id: str | None = None
    nugget_id: str | None = None

    @property
    def entry(self) -> str:
        return self.question_id or self.nugget_id or ""


class ResponseError(Strict):
    response: str
    prompt: str
    failure_reason: str | None = None
    caught_exception: str | None = None


class ExamGrades(Strict):
    """One grader's grades of the passage on the entries of a bank."""

    correctAnswered: list[str]  # noqa: N815
    wrongAnswered: list[str]  # noqa: N815
    answers: list[tuple[str, str]]
    llm: str | None
    exam_ratio: float
    llm_options: dict[str, Any] | None = None
    prompt_info: dict[str, Any] | None = None
    self_ratings: list[SelfRating] | None = None
    prompt_type: str | None = None
    relevance_label: int | None = None
    llm_response_errors: dict[str, ResponseError] | None = None


class Grades(Strict):
    """One grader's relevance of the passage. The paper calls `answer` answers."""

    correctAnswered: bool  # noqa: N815
    llm: str | None
    llm_options: dict[str, Any] | None = None
    answer: str | None = None
    answers: str | None = None
    self_ratings: int | None = None
    prompt_info: dict[str, Any] | None = None
    prompt_type: str | None = None
    relevance_label: int | None = None
    llm_response_error: ResponseError | None = None


class Paragraph(Strict):
    """FullParagraphData: a passage, where it was ranked, and how it was graded."""

    paragraph_id: str
    text: str
    paragraph: Any = None
    paragraph_data: ParagraphData | None = None
    exam_grades: list[ExamGrades] | None = None
    grades: list[Grades] | None = None


Query = tuple[str, list[Paragraph]]


def labels_of(passage: Paragraph) -> Iterator[dict[str, str]]:
    """Yield the judgments of a passage, and the first direct grade of each model and prompt.

    Grades of replies that could not be read are left out.
    """
    for judgment in passage.paragraph_data.judgments if passage.paragraph_data else ():
        yield {"rater": JUDGES, "value": str(judgment.relevance)}
    graders = set()
    for grade in passage.grades or ():
        prompt = str((grade.prompt_info or {}).get("prompt_class", ""))
        grader = f"{grade.llm or LEGACY} {prompt}".strip()[:RATER_LENGTH]
        if grader not in graders and grade.llm_response_error is None:
            graders.add(grader)
            value = int(grade.correctAnswered) if grade.self_ratings is None else grade.self_ratings
            yield {"rater": grader, "kind": "model", "value": str(value)}


def banks(lines: Iterable[str]) -> Iterator[tuple[int, RubricBank | FormatFault]]:
    """Yield the banks of a file, one a line."""
    decoder = msgspec.json.Decoder(RubricBank)
    for number, line in enumerate(lines, start=1):
        if line.strip():
            try:
                yield number, decoder.decode(line)
            except (msgspec.DecodeError, RecursionError) as error:
                yield number, fault_of(error)


def passages(lines: Iterable[str]) -> Iterator[tuple[int, Query | FormatFault]]:
    """Yield the queries of a file with their passages, one a line."""
    decoder = msgspec.json.Decoder(tuple[str, list[Paragraph] | Paragraph])
    for number, line in enumerate(lines, start=1):
        if line.strip():
            try:
                query, paragraphs = decoder.decode(line)
            except (msgspec.DecodeError, RecursionError) as error:
                yield number, fault_of(error)
            else:
                yield (
                    number,
                    (query, [paragraphs] if isinstance(paragraphs, Paragraph) else paragraphs),
                )


def fault_of(error: Exception) -> FormatFault:
    """Return the fault of a row that msgspec refused."""
    if isinstance(error, RecursionError):
        return FormatFault("", Sentence("is nested too deeply"))
    message, _, path = str(error).partition(" - at `$")
    if not isinstance(error, msgspec.ValidationError):
        return FormatFault("", Sentence("is not JSON"))
    if not _OF_PARSER.match(message):  # a check of ours
        return FormatFault(
            path.strip("`.")[:80], Sentence("is not a Rubric file: {message}", message=message)
        )
    named = re.match(r"Object (?:missing required|contains unknown) field `(.*)`", message)
    field = ".".join(filter(None, (path.strip("`."), named[1] if named else "")))
    reason = Sentence("is not a valid Rubric value: it is missing, unknown or has the wrong type")
    return FormatFault(field[:80], reason)


def written(rows: Iterable[RubricBank | Query]) -> Iterator[bytes]:
    """Yield the lines of a file of banks or passages."""
    for row in rows:
        yield msgspec.json.encode(row) + b"\n"
