"""Kinds of rows, by words in the names of columns and by values."""

import pytest

from annotation.corpora.detection.column_words import ColumnRole, id_of, parted, role_of
from annotation.corpora.detection.kinds import detected
from annotation.corpora.formats.file_format import FileSample

QUESTIONS = [
    "Why is the sea salty?",
    "What makes bread rise?",
    "How do birds navigate?",
    "Who invented paper?",
]
LONG = "Because rivers carry {} salts into it, and the water evaporates while they remain."
PASSAGE = "Rivers carry salts {}. Water evaporates and leaves them behind in the sea."


def rows(*cells):
    """Return twelve rows, three of each question, from functions of question and number."""
    return [
        [cell(QUESTIONS[n // 3], n) if callable(cell) else cell for cell in cells]
        for n in range(12)
    ]


def question(one, _):
    return one


def answer(_, n):
    return LONG.format(n)


def passage(_, n):
    return PASSAGE.format(n)


def system(_, n):
    return f"m{n % 3}"


def topic(_, n):
    return f"q{n // 3}"


def key(_, n):
    return f"d{n}"


def rank(_, n):
    return n % 3 + 1


def first_answer(_, n):
    return LONG.format(n) if n % 3 == 0 else ""


@pytest.mark.parametrize(
    ("header", "cells", "kind", "fields"),
    [
        ("A|B|C", (question, system, answer), "table", "question=A system=B answer=C"),
        (
            "ID|User question|LLM|LLM answer (final)|Notes",
            (key, question, system, answer, "checked by Jörg, and by others after him"),
            "table",
            "response=ID question=User_question system=LLM answer=LLM_answer_(final)",
        ),
        (
            "Frage|Modell|Antwort des Modells|Bewertung",
            (question, system, answer, 3),
            "table",
            "question=Frage system=Modell answer=Antwort_des_Modells",
        ),
        (
            "问题|模型|回答",
            (question, system, answer),
            "table",
            "question=问题 system=模型 answer=回答",
        ),
        (
            "question|answer|LLM output",
            (question, 4, answer),
            "table",
            "question=question answer=LLM_output",
        ),
        (
            "topic|text|system",
            (topic, answer, system),
            "responses",
            "topic=topic text=text system=system",
        ),
        (
            "query|llm_text|run",
            (topic, answer, system),
            "responses",
            "topic=query text=llm_text system=run",
        ),
        (
            "qid|sysid|answer_text",
            (topic, system, answer),
            "responses",
            "topic=qid text=answer_text system=sysid",
        ),
        (
            "qid|docid|content|score",
            (topic, key, passage, rank),
            "passages",
            "topic=qid passage=docid text=content",
        ),
        (
            "question|rank|passage",
            (question, rank, passage),
            "passage_table",
            "question=question rank=rank text=passage",
        ),
        (
            "Question|Identifiant du document|Texte du document|Réponse du modèle",
            (question, key, passage, first_answer),
            "passage_table",
            "question=Question passage=Identifiant_du_document text=Texte_du_document "
            "answer=Réponse_du_modèle",
        ),
        (
            "query|run|doc|position",
            (topic, "bm25", key, rank),
            "rankings",
            "topic=query system=run passage=doc rank=position",
        ),
        ("text|label", (answer, "good"), "", ""),
    ],
)
def test_rows_are_what_their_names_and_values_say(header, cells, kind, fields):
    names = header.split("|")
    values = [dict(zip(names, map(str, row), strict=True)) for row in rows(*cells)]
    detection = detected(FileSample(rows=values, names=names, name="file.csv"))
    assert detection.kind == kind
    if kind:
        best = detection.ranking[0]
        found = {ours: theirs.replace(" ", "_") for ours, theirs in best.columns.items()}
        assert found == dict(pair.split("=") for pair in fields.split())
        assert best.reasons


@pytest.mark.parametrize(
    ("header", "systems"),
    [
        ("question|GPT-4o|Llama 3|Mistral", ["GPT-4o", "Llama 3", "Mistral"]),
        ("Frage|System A|System B|System C", ["A", "B", "C"]),
        ("question|model_output_gpt4|model_output_llama|gold_answer", ["gpt4", "llama"]),
        ("prompt|baseline|ours|ours+rerank", ["baseline", "ours", "ours+rerank"]),
        ("question|human_answer|model_answer|remarks", ["human", "model"]),
    ],
)
def test_a_column_for_each_system_is_asked_about(header, systems):
    names = header.split("|")
    texts = [LONG.format(word) for word in ("few", "some", "many")]
    values = [dict(zip(names, [one, *texts], strict=True)) for one in QUESTIONS]
    detection = detected(FileSample(rows=values, names=names))
    assert detection.is_unsure
    assert list(detection.ranking[0].systems.values()) == systems


def test_topics_that_leave_the_answers_unread_are_less_probable_than_answers():
    names = ["topic", "query", "LLM answer"]
    cells = rows(topic, question, answer)
    values = [dict(zip(names, map(str, row), strict=True)) for row in cells]
    scores = {one.kind: one.score for one in detected(FileSample(rows=values, names=names)).ranking}
    assert scores["table"] > 2 * scores.get("topics", 0)


@pytest.mark.parametrize(
    ("name", "role", "thing"),
    [
        ("Q-ID", ColumnRole.ID, ColumnRole.QUESTION),
        ("ID of question", ColumnRole.ID, ColumnRole.QUESTION),
        ("Frage-Nr.", ColumnRole.ID, ColumnRole.QUESTION),
        ("Dokument-ID", ColumnRole.ID, ColumnRole.PASSAGE),
        ("answer to question", ColumnRole.ANSWER, None),
        ("texte de la réponse", ColumnRole.ANSWER, None),
        ("answer_score", ColumnRole.RATING, None),
        ("reference answer", ColumnRole.REFERENCE, None),
        ("name of the model", ColumnRole.SYSTEM, None),
        ("because", None, None),
        ("Prompt #", ColumnRole.ID, ColumnRole.QUESTION),
    ],
)
def test_the_last_word_of_a_name_says_what_it_is_of(name, role, thing):
    assert (role_of(name), id_of(name)) == (role, thing)


def test_systems_are_called_by_what_differs_in_the_names_of_their_columns():
    assert parted(["Answer GPT-4", "Answer Llama 3"]) == ["GPT-4", "Llama 3"]
    assert parted(["gpt answer", "llama answer"]) == ["gpt", "llama"]
    assert parted(["same", "same_2"]) == ["same", "same_2"]
