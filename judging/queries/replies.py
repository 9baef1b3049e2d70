"""Queries that a model wrote, read strictly: one JSON object with a list of them, or nothing.

Structured answers are that object; in others the last line is. Pure: no Django.
"""

from annotation.texts.sentences import marked
from judging.calls.replies import UnreadableAnswer, object_or_line, object_schema

NAME = "queries"
LONGEST = 500  # characters of a query


def read(text: str, *, most: int, structured: bool, name: str = NAME) -> list[str]:
    """Return at most `most` distinct queries, each on one line. Raises UnreadableAnswer.

    `name` is the key of the list in the reply, such as `queries` or `nuggets`.
    """
    content, _ = object_or_line(text, structured=structured)
    if content is None:
        raise UnreadableAnswer("unparsed", marked("The last line isn't a JSON object."))
    listed = content.get(name)
    if not isinstance(listed, list):
        raise UnreadableAnswer("unparsed", f"The list “{name}” is missing.")
    if len(listed) > most:
        raise UnreadableAnswer(
            "unparsed", f"The reply has {len(listed):,} {name}; the limit is {most}."
        )
    return list({flat(query): query for query in map(_query, listed)}.values())


def _query(said: object) -> str:
    words = " ".join(said.split()) if isinstance(said, str) else ""
    if not any(sign.isalnum() for sign in words):
        raise UnreadableAnswer("unparsed", marked("A query is empty or isn't text."))
    if len(words) > LONGEST:
        raise UnreadableAnswer(
            "unparsed", f"One of the queries has more than {LONGEST} characters."
        )
    return words


def flat(query: str) -> str:
    """Return a query without its capitals, extra white space and signs at its ends."""
    return " ".join(query.casefold().split()).strip(" .,;:!?¿¡\"'“”„‘’")


def schema(name: str = NAME) -> dict[str, object]:
    """Return the schema of an answer. Not every server knows list lengths: `read` checks them."""
    return object_schema({name: {"type": "array", "items": {"type": "string"}}})
