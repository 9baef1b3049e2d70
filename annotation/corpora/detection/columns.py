"""Fields of the columns of a file, by name, words in the name, and values."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from annotation.corpora.detection.column_words import ColumnRole, id_of, role_of, roles_of
from annotation.corpora.detection.profiles import Profile, profiles_of, text_share
from annotation.corpora.formats.file_format import FileSample
from annotation.corpora.recognised_columns import is_bare, proposed, proposed_for_answers
from annotation.corpora.schema import RowKind, fields_of

# What is no answer, question or passage, however long it is.
BESIDE = (ColumnRole.REFERENCE, ColumnRole.RATING, ColumnRole.NOTE)
# Of the name of a system any word may be a part: "ours, reranked".
MAY_NAME_SYSTEMS = (ColumnRole.SYSTEM, ColumnRole.RANK, ColumnRole.SCORE, ColumnRole.TEXT, None)
MANY_TIMES = 5  # as many words as a number has, before it is taken for a text


@dataclass(frozen=True)
class ColumnEvidence:
    """The first rows of a file by column."""

    sample: FileSample

    @property
    def names(self) -> Sequence[str]:
        return self.sample.names

    @cached_property
    def rows(self) -> list[dict[str, Any]]:
        return self.sample.objects()

    @cached_property
    def profiles(self) -> dict[str, Profile]:
        return profiles_of(self.rows, self.names)

    def profile(self, column: str) -> Profile:
        return self.profiles.get(column) or Profile(column)

    @cached_property
    def texts(self) -> list[str]:
        """Columns of sentences that may be a question, an answer or a passage."""
        return [
            name
            for name in self.names
            if self.profile(name).is_text and role_of(name) not in BESIDE
        ]

    @cached_property
    def repeated_ids(self) -> list[str]:
        """Columns "id" in which a value comes back."""
        return [name for name in filter(is_bare, self.names) if not self.profile(name).is_unique]

    def unread_share(self, columns: Iterable[str]) -> float:
        """Return the share of the text that is in none of these columns."""
        counted = {name: self.profiles[name] for name in self.texts}
        return 1 - text_share(counted, columns)

    def values(self, column: str) -> list[str]:
        return [str(row.get(column) or "").strip() for row in self.rows]

    def groups(self, by: str, of: str) -> dict[str, list[str]]:
        """Return the filled values of a column for each value of another one."""
        groups: dict[str, list[str]] = defaultdict(list)
        for key, value in zip(self.values(by), self.values(of), strict=True):
            if key and value:
                groups[key].append(value)
        return groups

    def differs_within(self, by: str, of: str) -> bool:
        """Return whether a value comes back with different values of the other column."""
        several = [group for group in self.groups(by, of).values() if len(group) > 1]
        differing = sum(len(set(group)) > 1 for group in several)
        return bool(several) and differing > len(several) / 2

    def is_same_within(self, by: str, of: str) -> bool:
        """Return whether each value has one value of the other column."""
        return all(len(set(group)) == 1 for group in self.groups(by, of).values())


def _is_id_of(*things: ColumnRole) -> Callable[[ColumnEvidence, str], bool]:
    return lambda seen, name: id_of(name) in things and not seen.profile(name).is_text


def _is(*roles: ColumnRole) -> Callable[[ColumnEvidence, str], bool]:
    return lambda seen, name: role_of(name) in roles


def _is_text(*roles: ColumnRole) -> Callable[[ColumnEvidence, str], bool]:
    return lambda seen, name: role_of(name) in roles and not seen.profile(name).is_number


def _is_ids(*roles: ColumnRole) -> Callable[[ColumnEvidence, str], bool]:
    return lambda seen, name: role_of(name) in roles and seen.profile(name).is_of_ids


def _is_system(seen: ColumnEvidence, name: str) -> bool:
    profile = seen.profile(name)
    is_run_of_query = profile.is_number and ColumnRole.QUESTION in roles_of(name)  # query_run: 1
    return role_of(name) is ColumnRole.SYSTEM and not profile.is_long and not is_run_of_query


# What a bare "id" is the id of.
OWN_IDS = {
    RowKind.TOPICS: "topic",
    RowKind.PASSAGES: "passage",
    RowKind.RESPONSES: "response",
    RowKind.SYSTEMS: "system",
}
NAMING_TOPICS = (RowKind.PASSAGES, RowKind.RESPONSES, RowKind.RANKINGS)
SYSTEM_IDS = (_is_id_of(ColumnRole.ID, ColumnRole.SYSTEM), _is_system)
QUESTIONS = (ColumnRole.QUESTION, ColumnRole.TOPIC)
# For each field the columns that it may be by the words of their names, the best first.
BY_WORDS: dict[str, tuple[Callable[[ColumnEvidence, str], bool], ...]] = {
    "topic": (_is_id_of(*QUESTIONS), _is(ColumnRole.TOPIC)),
    "question": (_is_text(ColumnRole.QUESTION), _is_text(ColumnRole.TOPIC)),
    "query": (_is_text(ColumnRole.QUESTION), _is_text(ColumnRole.TOPIC)),
    "answer": (_is_text(ColumnRole.ANSWER),),
    "system": (_is_system, _is_id_of(ColumnRole.SYSTEM)),
    "name": (_is_system,),
    "passage": (_is_id_of(ColumnRole.PASSAGE), _is_ids(ColumnRole.PASSAGE)),
    "response": (_is_id_of(ColumnRole.ANSWER),),
    "rank": (_is(ColumnRole.RANK),),
    "score": (_is(ColumnRole.SCORE),),
    "title": (_is(ColumnRole.TITLE),),
    "description": (_is(ColumnRole.DESCRIPTION),),
}
TEXT_OF = {
    RowKind.RESPONSES: ColumnRole.ANSWER,
    RowKind.PASSAGES: ColumnRole.PASSAGE,
    RowKind.PASSAGE_TABLE: ColumnRole.PASSAGE,
}


def allowed(seen: ColumnEvidence) -> list[str]:
    """Return the columns that may be read; what is beside an answer only under our own names."""
    return [name for name in seen.names if role_of(name) not in BESIDE]


def columns_of(seen: ColumnEvidence, kind: RowKind) -> dict[str, str]:
    """Return our fields of a kind -> their columns, by names and the words in them."""
    if kind is RowKind.TABLE:
        return table_columns(seen)
    fields = list(fields_of(kind))
    if kind is RowKind.PASSAGE_TABLE:
        columns = _answer_and_passage(seen)
    else:
        columns = proposed(list(seen.names), fields)
    left = [name for name in allowed(seen) if name not in columns.values()]
    for field in fields:
        if field not in columns and (column := _by_words(seen, field, kind, left)):
            columns[field] = column
            left.remove(column)
    return columns


def _answer_and_passage(seen: ColumnEvidence) -> dict[str, str]:
    """Return what is called a question, an answer and a passage; a text alone is a passage."""
    names = [name for name in seen.names if role_of(name) is not ColumnRole.TEXT]
    columns = proposed(names, ("question", "answer", "topic", "system"))
    left = [name for name in allowed(seen) if name not in columns.values()]
    return columns | proposed(left, ("passage", "text", "rank", "title", "origin"))


def _by_words(seen: ColumnEvidence, field: str, kind: RowKind, left: Collection[str]) -> str:
    tests = BY_WORDS.get(field, ())
    if field == OWN_IDS.get(kind):
        tests = (*tests, _is_id_of(ColumnRole.ID)) if kind is not RowKind.SYSTEMS else SYSTEM_IDS
    if field == "topic" and kind in NAMING_TOPICS:
        tests = (*tests, _is_ids(ColumnRole.QUESTION))
    if field == "text" and kind in TEXT_OF:
        tests = (_is_text(TEXT_OF[kind]), _is_text(ColumnRole.TEXT))
    if field == "topic" and kind in TEXT_OF and kind is not RowKind.PASSAGE_TABLE:
        tests = (*tests, _is_text(ColumnRole.QUESTION))
    return next((name for test in tests for name in left if test(seen, name)), "")


# -- A table of answers --------------------------------------------------------------------------
def table_columns(seen: ColumnEvidence) -> dict[str, str]:
    """Return our fields of a table of answers -> their columns."""
    columns = proposed_for_answers(list(seen.names), seen.repeated_ids)
    for field in ("question", "answer"):
        if field in columns and _is_no_text(seen, columns[field], columns.values()):
            del columns[field]
    left = [name for name in allowed(seen) if name not in columns.values()]
    for field in ("question", "answer", "system", "topic", "response"):
        if field in columns:
            continue
        column = _by_words(seen, field, RowKind.TABLE, left) or _by_values(
            seen, field, left, columns
        )
        if column:
            columns[field] = column
            left.remove(column)
    return _consistent(seen, columns)


def _is_no_text(seen: ColumnEvidence, column: str, taken: Collection[str]) -> bool:
    """Return whether a column has numbers or ids alone, and another one has the texts."""
    profile = seen.profile(column)
    if profile.is_text or not profile.filled or profile.asks:
        return False
    return any(
        seen.profile(name).words > MANY_TIMES * max(1, profile.words)
        for name in seen.texts
        if name not in taken
    )


def _by_values(
    seen: ColumnEvidence, field: str, left: Collection[str], columns: Mapping[str, str]
) -> str:
    texts = [name for name in left if name in seen.texts]
    match field:
        case "question":
            return _question(seen, texts)
        case "answer":
            return max(texts, key=lambda name: seen.profile(name).words, default="")
        case "system" if question := columns.get("question"):
            return next((name for name in left if _tells_apart(seen, name, question)), "")
    return ""


def _question(seen: ColumnEvidence, texts: list[str]) -> str:
    """Return the text that asks; else the one that comes back; else the shorter of two."""
    free = [name for name in texts if role_of(name) not in (ColumnRole.ANSWER, ColumnRole.PASSAGE)]
    asking = [name for name in free if seen.profile(name).asks]
    repeated = [name for name in free if seen.profile(name).is_repeated]
    if asking or repeated:
        return [*asking, *repeated][0]
    free = sorted(free, key=lambda name: seen.profile(name).words)
    return free[0] if len(texts) > 1 and free else ""


def _tells_apart(seen: ColumnEvidence, name: str, question: str) -> bool:
    """Return whether a column has few short names, another one for each text of a question."""
    profile = seen.profile(name)
    return (
        profile.is_of_names
        and not profile.is_sparse
        and role_of(name) in (None, ColumnRole.SYSTEM, ColumnRole.MODEL)
        and seen.differs_within(question, name)
    )


def _consistent(seen: ColumnEvidence, columns: dict[str, str]) -> dict[str, str]:
    """Return the columns without ids that contradict the questions or come back for answers."""
    if not seen.rows:
        return columns
    kept = dict(columns)
    topic, question, response = (columns.get(name) for name in ("topic", "question", "response"))
    if (
        topic
        and question
        and not (seen.is_same_within(topic, question) and seen.is_same_within(question, topic))
    ):
        del kept["topic"]
    if response and not seen.profile(response).is_unique:
        del kept["response"]
    return kept


# -- A wide table --------------------------------------------------------------------------------
def answers_of_systems(seen: ColumnEvidence, question: str) -> list[str]:
    """Return the columns of a wide table that have one system's answers each."""
    named = [
        name
        for name in allowed(seen)
        if name != question and id_of(name) is None and _is_answer_of_one(seen, name)
    ]
    if not seen.rows:
        return named
    return [name for name in named if seen.profile(name).is_text] if named else []


def _is_answer_of_one(seen: ColumnEvidence, name: str) -> bool:
    role = role_of(name)
    if role in (ColumnRole.ANSWER, ColumnRole.MODEL):
        return True
    is_long = seen.profile(name).is_text and seen.profile(name).words >= MANY_TIMES
    return role in MAY_NAME_SYSTEMS and is_long and not seen.profile(name).asks
