"""Classes of problem in the rows of an upload, and the remedies that each offers. Pure.

A class is declared once, here: pages, API and command line list what `PROBLEMS` has. A choice is
stored with the upload as JSON, and applied by the code that both checks and imports.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from annotation.texts.sentences import Sentence, marked

MOST_VALUES = 1_000  # that a choice maps
MOST_CHARACTERS = 1_000  # of a value


class Remedy(StrEnum):
    """Remedy of a class of problem."""

    ASK = "ask"  # nothing is imported until somebody chooses
    SKIP = "skip"  # the row is not imported
    KEEP_EMPTY = "keep_empty"
    REPLACE = "replace"  # with one value
    MAP = "map"  # each value to another one
    RENAME = "rename"  # give a duplicate an id of its own
    MERGE = "merge"  # take both as one
    SEPARATE = "separate"  # take both as different
    DROP = "drop"  # the part that is wrong; the rest of the row is imported
    CUT = "cut"  # the rest of the file is not imported


class Problem(StrEnum):
    """Code of a class of problem."""

    EMPTY_ANSWER = "empty_answer"
    ERASED_TEXT = "erased_text"
    SIMILAR_QUESTION = "similar_question"
    DUPLICATE_ROW = "duplicate_row"
    DUPLICATE_ANSWER = "duplicate_answer"
    DUPLICATE_ID = "duplicate_id"
    UNKNOWN_CITATION = "unknown_citation"
    MISSING_TOPIC = "missing_topic"
    MISSING_SYSTEM = "missing_system"
    MISSING_PASSAGE = "missing_passage"
    UNKNOWN_VALUE = "unknown_value"
    BLANK_FIELD = "blank_field"
    BLANK_SYSTEM = "blank_system"
    MISSING_ORIGIN = "missing_origin"
    UNREAD_LIST = "unread_list"
    UNREADABLE_ROW = "unreadable_row"
    BROKEN_REST = "broken_rest"
    CONTRADICTION = "contradiction"
    OTHER = "other"


@dataclass(frozen=True)
class ProblemClass:
    """A class of problem: its title for one and for more rows, its remedies, and the usual one."""

    title: str
    titles: str
    remedies: tuple[Remedy, ...]
    default: Remedy = Remedy.ASK
    accepted: tuple[str, ...] = ()  # values of a replacement; (): any

    def titled(self, count: int) -> Sentence:
        return Sentence(self.title, self.titles, count, n=count)


ORIGINS = ("human", "llm")  # values of annotation.models.Origin

PROBLEMS: dict[Problem, ProblemClass] = {
    Problem.EMPTY_ANSWER: ProblemClass(
        "{n:,} empty answer",
        "{n:,} empty answers",
        (Remedy.KEEP_EMPTY, Remedy.SKIP, Remedy.REPLACE),
        Remedy.KEEP_EMPTY,
    ),
    Problem.ERASED_TEXT: ProblemClass(
        "{n:,} withdrawn text",
        "{n:,} withdrawn texts",
        (Remedy.SKIP,),
        Remedy.SKIP,
    ),
    Problem.SIMILAR_QUESTION: ProblemClass(
        "{n:,} question repeats another with different case or spacing",
        "{n:,} questions repeat others with different case or spacing",
        (Remedy.MERGE, Remedy.SEPARATE, Remedy.SKIP),
    ),
    Problem.DUPLICATE_ROW: ProblemClass(
        "{n:,} duplicate row",
        "{n:,} duplicate rows",
        (Remedy.SKIP, Remedy.RENAME),
        Remedy.SKIP,
    ),
    Problem.DUPLICATE_ANSWER: ProblemClass(
        "{n:,} answer ID is a duplicate",
        "{n:,} answer IDs are duplicates",
        (Remedy.RENAME, Remedy.SKIP),
    ),
    Problem.DUPLICATE_ID: ProblemClass(
        "{n:,} ID or rank is a duplicate",
        "{n:,} IDs or ranks are duplicates",
        (Remedy.SKIP,),
    ),
    Problem.UNKNOWN_CITATION: ProblemClass(
        "{n:,} answer cites an unknown passage",
        "{n:,} answers cite unknown passages",
        (Remedy.DROP, Remedy.SKIP),
    ),
    Problem.MISSING_TOPIC: ProblemClass(
        "{n:,} row has an unknown topic",
        "{n:,} rows have unknown topics",
        (Remedy.MAP, Remedy.SKIP),
    ),
    Problem.MISSING_SYSTEM: ProblemClass(
        "{n:,} row has an unknown system",
        "{n:,} rows have unknown systems",
        (Remedy.MAP, Remedy.SKIP),
    ),
    Problem.MISSING_PASSAGE: ProblemClass(
        "{n:,} row has an unknown passage",
        "{n:,} rows have unknown passages",
        (Remedy.SKIP, Remedy.MAP),
    ),
    Problem.UNKNOWN_VALUE: ProblemClass(
        "{n:,} invalid value",
        "{n:,} invalid values",
        (Remedy.MAP, Remedy.REPLACE, Remedy.SKIP),
    ),
    Problem.BLANK_FIELD: ProblemClass(
        "{n:,} required value is missing",
        "{n:,} required values are missing",
        (Remedy.SKIP, Remedy.REPLACE),
    ),
    Problem.BLANK_SYSTEM: ProblemClass(
        "{n:,} answer has no system",
        "{n:,} answers have no system",
        (Remedy.DROP, Remedy.REPLACE, Remedy.SKIP),
        Remedy.DROP,
    ),
    Problem.MISSING_ORIGIN: ProblemClass(
        "{n:,} answer has no origin",
        "{n:,} answers have no origin",
        (Remedy.MAP, Remedy.REPLACE, Remedy.SKIP),
        accepted=ORIGINS,
    ),
    Problem.UNREAD_LIST: ProblemClass(
        "{n:,} unreadable list",
        "{n:,} unreadable lists",
        (Remedy.DROP, Remedy.SKIP),
    ),
    Problem.UNREADABLE_ROW: ProblemClass(
        "{n:,} unreadable row",
        "{n:,} unreadable rows",
        (Remedy.SKIP,),
    ),
    Problem.BROKEN_REST: ProblemClass(
        "{n:,} file is damaged",
        "{n:,} files are damaged",
        (Remedy.CUT,),
    ),
    Problem.CONTRADICTION: ProblemClass(
        "{n:,} row contradicts the corpus",
        "{n:,} rows contradict the corpus",
        (Remedy.SKIP,),
    ),
    Problem.OTHER: ProblemClass(
        "{n:,} row can't be imported",
        "{n:,} rows can't be imported",
        (Remedy.SKIP,),
    ),
}

LABELS: dict[Remedy, str] = {
    Remedy.ASK: marked("Decide later"),
    Remedy.SKIP: marked("Skip the row"),
    Remedy.KEEP_EMPTY: marked("Keep empty"),
    Remedy.REPLACE: marked("Replace with"),
    Remedy.MAP: marked("Replace each value"),
    Remedy.RENAME: marked("Keep both with separate IDs"),
    Remedy.MERGE: marked("One topic (first wording)"),
    Remedy.SEPARATE: marked("Different topics"),
    Remedy.DROP: marked("Import without it"),
    Remedy.CUT: marked("Import only the rows above it"),
}


class BadChoice(ValueError):
    """A choice that no class of problem offers; the message is a Sentence."""


@dataclass(frozen=True)
class RemedyChoice:
    """A remedy, with the value or values that it needs."""

    remedy: Remedy
    value: str = ""
    values: Mapping[str, str] = field(default_factory=dict)


class RemedyChoices(Mapping[Problem, RemedyChoice]):
    """The choice for each class of problem: as made, or the usual one."""

    def __init__(self, chosen: Mapping[Problem, RemedyChoice] | None = None) -> None:
        self._chosen = dict(chosen or {})

    def __getitem__(self, problem: Problem) -> RemedyChoice:
        return self._chosen.get(problem) or RemedyChoice(PROBLEMS[problem].default)

    def __iter__(self) -> Iterator[Problem]:
        return iter(PROBLEMS)

    def __len__(self) -> int:
        return len(PROBLEMS)

    def __hash__(self) -> int:
        return hash(tuple(self._chosen))

    def of(self, code: str) -> RemedyChoice:
        """Return the choice for a code; rows without a code have to be mended in the file."""
        return self[Problem(code)] if code else RemedyChoice(Remedy.ASK)

    def skips(self, code: str, value: str = "") -> bool:
        """Return whether a row of this class is left out; a value mapped to nothing is, too."""
        choice = self.of(code)
        is_mapped_away = choice.remedy is Remedy.MAP and choice.values.get(value) == ""
        return choice.remedy in (Remedy.SKIP, Remedy.CUT) or is_mapped_away

    def replacement(self, code: str, value: str) -> str | None:
        """Return what a value of a row of this class becomes, or None."""
        choice = self.of(code)
        if choice.remedy is Remedy.REPLACE:
            return choice.value
        return choice.values.get(value) if choice.remedy is Remedy.MAP else None

    @classmethod
    def from_json(cls, data: Any) -> "RemedyChoices":
        """Return the choices of {code: {"remedy": ..., "value": ..., "values": {...}}}.

        "ask" is the usual choice again. Raises BadChoice.
        """
        if not isinstance(data, dict):
            raise BadChoice(Sentence("Choose a remedy for each problem."))
        chosen = {}
        for code, choice in data.items():
            problem, read = _choice(code, choice)
            if read.remedy is not Remedy.ASK:
                chosen[problem] = read
        return cls(chosen)

    def as_json(self) -> dict[str, Any]:
        """Return what was chosen; the usual choices are not in it."""
        return {
            problem.value: {"remedy": choice.remedy.value}
            | ({"value": choice.value} if choice.value else {})
            | ({"values": dict(choice.values)} if choice.values else {})
            for problem, choice in self._chosen.items()
        }


USUAL = RemedyChoices()


def _choice(code: Any, data: Any) -> tuple[Problem, RemedyChoice]:
    if code not in list(Problem):
        codes = ", ".join(Problem)
        raise BadChoice(
            Sentence("Problem “{code}” not found. Available: {codes}.", code=code, codes=codes)
        )
    problem = Problem(code)
    data = {"remedy": data} if isinstance(data, str) else data
    remedy = data.get("remedy") if isinstance(data, dict) else None
    offered = PROBLEMS[problem].remedies
    if remedy not in (Remedy.ASK, *offered):
        remedies = ", ".join(offered)
        raise BadChoice(Sentence("Remedies for {code}: {remedies}.", code=code, remedies=remedies))
    value, values = data.get("value", ""), data.get("values", {})
    if not isinstance(values, dict) or len(values) > MOST_VALUES:
        raise BadChoice(Sentence("Values of {code} must be pairs of texts.", code=code))
    if not all(map(_is_value, (value, *values, *values.values()))):
        raise BadChoice(Sentence("Values of {code} must be short texts.", code=code))
    if remedy == Remedy.REPLACE and not value.strip():
        raise BadChoice(Sentence("Enter the new value."))
    if accepted := PROBLEMS[problem].accepted:
        chosen = {value, *values.values()} - {""}
        if chosen - set(accepted):
            listed = ", ".join(accepted)
            raise BadChoice(Sentence("Values of {code}: {listed}.", code=code, listed=listed))
    return problem, RemedyChoice(Remedy(remedy), value, values)


def _is_value(value: Any) -> bool:
    """Return whether a database keeps it: no NUL, no half of a character."""
    if not isinstance(value, str) or len(value) > MOST_CHARACTERS or "\0" in value:
        return False
    return not any("\ud800" <= letter <= "\udfff" for letter in value)
