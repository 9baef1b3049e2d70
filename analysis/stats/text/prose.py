"""Written responses split into statements, citations and passages, for measures."""

from collections.abc import Callable
from dataclasses import dataclass

import pandas as pd

from analysis.stats.errors import BadSetting, CannotCompute, missing_columns
from annotation.texts.citations import Marks
from annotation.texts.statements import statements, without_citations
from annotation.texts.words import count_words

RESPONSES = ("response", "topic", "style", "origin", "text")
PASSAGES = ("topic", "rank", "text")
LEAST_WORDS = 50  # Gienapp et al. 2025: what is shorter is no response


@dataclass(frozen=True, eq=False, kw_only=True)
class Prose:
    """Responses split into statements and citations; groups of measures are columns of `responses`.

    responses: response, topic, style, origin, text (without its citations), words.
    statements: response, statement (1 for the first), text, words, citations (their number),
        position (of the statement's end, from 0 to 1 of its response's characters).
    citations: response, statement, rank (1 for the best passage of the topic), in the order of
        the text, repeated where the text repeats them.
    passages: topic, rank, text; rank counts from 1 without a gap.
    non_responses: texts left out because they have fewer than least_words words.
    unknown_citations: numbers left out because they point to no passage.
    """

    responses: pd.DataFrame
    statements: pd.DataFrame
    citations: pd.DataFrame
    passages: pd.DataFrame
    non_responses: int
    unknown_citations: int
    least_words: int

    def cited(self) -> pd.DataFrame:
        """Return the passages that each response cites, once: response, rank, position.

        position orders them by their first citation, 1 for the first.
        """
        once = self.citations.drop_duplicates(["response", "rank"])[["response", "rank"]]
        return once.assign(position=once.groupby("response").cumcount() + 1)


def read_prose(
    responses: pd.DataFrame,
    passages: pd.DataFrame,
    *,
    least_words: int = LEAST_WORDS,
    count: Callable[[str, Marks | None], int] = count_words,
) -> Prose:
    """Split responses into statements and citations.

    responses: one row a text, columns response, topic, style, origin, text; bracketed numbers in
    the text count from 0 over the passages of its topic, unless a column marks has those of
    annotation.texts.citations.Marks. passages: topic, rank, text. `count`
    returns the number of words of a text: as every page counts, or as a paper did.

    Raises CannotCompute (missing_columns, no_responses), BadSetting.
    """
    _check("responses", responses, RESPONSES)
    _check("passages", passages, PASSAGES)
    if least_words < 0:
        raise BadSetting("least_words", least_words, "0 or more")
    texts = responses[list(RESPONSES)].reset_index(drop=True)
    texts["marks"] = pd.Series(_marks(responses), index=texts.index, dtype=object)
    texts["text"] = texts["text"].fillna("").astype(str)
    texts["words"] = [
        count(text, marks) for text, marks in zip(texts["text"], texts["marks"], strict=True)
    ]
    long_texts = texts[texts["words"] >= least_words]
    if long_texts.empty:
        non_responses = len(responses)
        texts_phrase = (
            "the only text" if non_responses == 1 else f"each of the {non_responses} texts"
        )
        reason = (
            f"{texts_phrase} has fewer than {least_words} words"
            if non_responses
            else "there are no texts"
        )
        raise CannotCompute("no_responses", f"Responses cannot be measured because {reason}.")
    ranked = passages[list(PASSAGES)].sort_values(["topic", "rank"], ignore_index=True)
    ranked["rank"] = ranked.groupby("topic").cumcount() + 1
    statement_rows, cited, unknown = _apart(long_texts, ranked.groupby("topic").size().to_dict())
    return Prose(
        responses=long_texts.assign(text=_without_citations(long_texts))
        .drop(columns="marks")
        .reset_index(drop=True),
        statements=statement_rows,
        citations=cited,
        passages=ranked,
        non_responses=len(responses) - len(long_texts),
        unknown_citations=unknown,
        least_words=least_words,
    )


def _marks(responses: pd.DataFrame) -> list[Marks | None]:
    if "marks" not in responses.columns:
        return [None] * len(responses)
    return [marks if isinstance(marks, list) else None for marks in responses["marks"]]


def _without_citations(texts: pd.DataFrame) -> list[str]:
    return [
        without_citations(text, marks)
        for text, marks in zip(texts["text"], texts["marks"], strict=True)
    ]


def _apart(
    responses: pd.DataFrame, passages: dict[object, int]
) -> tuple[pd.DataFrame, pd.DataFrame, int]:
    """Return the frames of statements and citations, and the number of unknown citations."""
    statement_rows: list[tuple[object, ...]] = []
    cited: list[tuple[object, ...]] = []
    unknown = 0
    columns = (responses[name] for name in ("response", "topic", "text", "marks"))
    for response, topic, text, marks in zip(*columns, strict=True):
        passage_count = passages.get(topic, 0)
        for number, statement in enumerate(statements(text, marks), start=1):
            ranks = [place + 1 for place in statement.cited if place < passage_count]
            unknown += len(statement.cited) - len(ranks)
            words, position = len(statement.text.split()), statement.end / len(text)
            statement_rows.append((response, number, statement.text, words, len(ranks), position))
            cited.extend((response, number, rank) for rank in ranks)
    names = ["response", "statement", "text", "words", "citations", "position"]
    links = pd.DataFrame(cited, columns=["response", "statement", "rank"])
    return pd.DataFrame(statement_rows, columns=names), links, unknown


def _check(what: str, frame: pd.DataFrame, columns: tuple[str, ...]) -> None:
    missing = [name for name in columns if name not in frame.columns]
    if missing:
        raise missing_columns(missing, frame=what)
