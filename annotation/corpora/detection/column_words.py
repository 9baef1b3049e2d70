"""Words in the names of columns, in many languages. Pure."""

import re
from enum import StrEnum
from functools import cache
from itertools import pairwise


class ColumnRole(StrEnum):
    """Use of a column."""

    QUESTION = "question"
    ANSWER = "answer"
    SYSTEM = "system"
    PASSAGE = "passage"
    TOPIC = "topic"
    ID = "id"
    RANK = "rank"
    SCORE = "score"
    TITLE = "title"
    DESCRIPTION = "description"
    ORIGIN = "origin"
    REFERENCE = "reference"  # an answer that is right, and of no system
    RATING = "rating"  # of an answer, by people or models
    NOTE = "note"
    MODEL = "model"  # the name of a model, such as gpt
    TEXT = "text"
    OTHER = "other"


R = ColumnRole
VOCABULARY: dict[ColumnRole, str] = {
    R.QUESTION: "question query prompt instruction input ask frage anfrage fragestellung eingabe "
    "pregunta consulta domanda pergunta vraag requete requête interrogation вопрос запрос soru "
    "sorgu pytanie zapytanie fråga fraga spørgsmål spørsmål otázka kysymys kérdés întrebare "
    "ερώτηση سؤال שאלה प्रश्न pertanyaan питання",
    R.ANSWER: "answer response reply output completion generation generated prediction predicted "
    "summary antwort ausgabe erwiderung zusammenfassung réponse reponse sortie résumé resume "
    "respuesta salida resumen risposta riassunto resposta antwoord ответ вывод cevap yanıt "
    "odpowiedź odpowiedz svar odpověď vastaus válasz răspuns απάντηση جواب إجابة תשובה उत्तर "
    "jawaban відповідь result resultat ergebnis resultado",
    R.SYSTEM: "system sys model engine llm agent bot pipeline run runtag method generator "
    "assistant tool provider modell maschine suchmaschine verfahren variante modelo modèle modele "
    "sistema système "
    "systeme modello systeem модель система sistem systém järjestelmä malli rendszer μοντέλο نموذج "
    "मॉडल configuration config variant condition approach ki",
    R.PASSAGE: "passage document doc chunk paragraph segment context snippet excerpt evidence "
    "dokument abschnitt absatz textstelle kontext beleg quelle documento pasaje contexto fragmento "
    "párrafo contexte extrait documenti contesto документ абзац контекст фрагмент belge bağlam "
    "asiakirja kontekst dokumenty",
    R.TOPIC: "topic thema tema thème theme item task aufgabe",
    R.ID: "id ids key nr no num number nummer index idx uuid guid docno code kennung schlüssel "
    "numero número numéro номер identifier ident",
    R.RANK: "rank ranking position rang platz place pos rango rango",
    R.SCORE: "score similarity relevance sim rsv distance ähnlichkeit relevanz",
    R.TITLE: "title headline heading titel überschrift titre título titolo заголовок",
    R.DESCRIPTION: "description desc narrative background beschreibung hintergrund",
    R.ORIGIN: "origin",
    R.REFERENCE: "reference gold golden truth expected ideal target groundtruth gt oracle "
    "referenz musterlösung musterantwort erwartet erwartete sollantwort référence referencia "
    "correct korrekt korrekte richtig richtige",
    R.RATING: "rating rated label vote winner grade judgment judgement verdict preference quality "
    "helpfulness helpful fluency faithfulness groundedness correctness accuracy likert points "
    "bewertung urteil qualität stimme sieger punkte evaluation eval metric feedback judge "
    "annotator rater bewerter bleu rouge bertscore",
    R.NOTE: "note notes comment comments remark remarks kommentar kommentare bemerkung bemerkungen "
    "anmerkung anmerkungen notiz notizen commentaire comentario explanation rationale reason "
    "begründung erklärung hint hinweis todo status",
    R.MODEL: "gpt chatgpt llama mistral mixtral claude gemini gemma qwen deepseek phi falcon bard "
    "bing copilot cohere grok palm vicuna alpaca bloom bm25 colbert baseline perplexity mistralai "
    "openai anthropic aya olmo granite nemotron",
    R.TEXT: "text content body message full final inhalt texto texte testo текст metin tekst",
    R.OTHER: "date datum time zeit timestamp created updated language lang sprache author autor "
    "email category kategorie domain type typ tag tags url link source dataset split tokens "
    "latency cost price length duration dauer temperature seed",
}
# Without white space between their words.
INSIDE: dict[ColumnRole, tuple[str, ...]] = {
    R.QUESTION: ("问题", "提问", "問題", "質問", "질문", "คำถาม"),
    R.ANSWER: ("回答", "答案", "答复", "応答", "응답", "답변", "대답", "คำตอบ", "输出", "出力"),
    R.SYSTEM: ("模型", "系统", "システム", "モデル", "시스템", "모델"),
    R.PASSAGE: ("文档", "段落", "上下文", "文書", "문서", "문맥"),
    R.ID: ("编号", "番号", "번호"),
}
# Behind these a name says of what the thing before them is.
OF = frozenset(
    (
        *("of", "to", "for", "by", "from", "in", "on", "with", "per"),
        *("von", "zu", "zur", "zum", "für", "an", "der", "des", "nach"),
        *("de", "du", "pour", "del", "della", "di", "da", "do", "la", "le"),
    )
)
OF_NAMES = frozenset(("name", "names", "version"))  # after "answer model": which one it is
MIN_STEM = 4  # letters of a word that is recognised inside of a compound
WORDS: dict[str, ColumnRole] = {
    word: role for role, words in VOCABULARY.items() for word in words.split()
}
STEMS = sorted((word for word in WORDS if len(word) >= MIN_STEM), key=len, reverse=True)
TOKEN = re.compile(r"[^\W\d_]+|\d+")
CAMEL = re.compile(r"(?<=[a-zà-ÿ])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
BRACKETS = re.compile(r"\([^()]*\)|\[[^\[\]]*\]|\{[^{}]*\}")
SHORT_IDS = frozenset(("q", "t", "p", "d", "a", "r"))  # before an id: q-id, qid
NUMBER_SIGNS = ("#", "№")  # at the end of a name: "Prompt #"
NEUTRAL = frozenset((R.TEXT, R.ID, R.OTHER))  # of which what follows is the thing
QUALIFIERS = (R.MODEL, R.TEXT, R.OTHER)


@cache
def roles_of(name: str) -> tuple[ColumnRole, ...]:
    """Return the roles that the words of a name speak of, in their order."""
    plain = BRACKETS.sub(" ", name)
    roles: list[ColumnRole] = []
    for token in _tokens(plain if plain.strip() else name):
        if token in OF and not set(roles) <= NEUTRAL:
            break
        roles += _of_token(token)
    roles += [role for role, words in INSIDE.items() if any(word in name for word in words)]
    if name.rstrip().endswith(NUMBER_SIGNS):
        roles.append(R.ID)
    return tuple(roles)


def _tokens(name: str) -> list[str]:
    return [token.casefold() for token in TOKEN.findall(CAMEL.sub(" ", name))]


def _of_token(token: str) -> list[ColumnRole]:
    for word in (token, token.removesuffix("s"), token.removesuffix("n"), token.removesuffix("es")):
        if word in WORDS:
            return [WORDS[word]]
    if token.endswith("id") and token[:-2] in SHORT_IDS | WORDS.keys():
        return [*_of_token(token[:-2]), R.ID]
    inside: list[tuple[int, ColumnRole]] = []
    covered: set[int] = set()
    for stem in STEMS:
        start = token.find(stem)
        if start < 0 or covered & set(range(start, start + len(stem))):
            continue
        # Only at an end of the word: "cause" is inside of "because".
        if start == 0 or start + len(stem) == len(token) or inside:
            covered |= set(range(start, start + len(stem)))
            inside.append((start, WORDS[stem]))
    return [role for _, role in sorted(inside)]


def role_of(name: str) -> ColumnRole | None:
    """Return what a column is for by its name, or None.

    The last word counts, as in "model answer"; an id of something is an id. What is right, rated
    or remarked about an answer is no answer.
    """
    roles = roles_of(name)
    for role in (R.NOTE, R.RATING, R.REFERENCE):
        if role in roles:
            return role
    if R.SCORE in roles and R.ANSWER in roles:
        return R.RATING
    if R.ID in roles:
        return R.ID
    heads = [role for role in roles if role not in QUALIFIERS]
    if not heads:
        return roles[-1] if roles else None
    if heads[-1] is R.SYSTEM and (R.TEXT in roles or (R.ANSWER in heads and _ends_in_a_name(name))):
        return R.ANSWER  # the text of a model
    return heads[-1]


def _ends_in_a_name(name: str) -> bool:
    """Return whether the last word says nothing else, as in "answer of model Alpha"."""
    last = _tokens(name)[-1]
    return last not in OF_NAMES and not roles_of(last)


def id_of(name: str) -> ColumnRole | None:
    """Return what a column is an id of by its name, such as a question; ID if it does not say."""
    roles = roles_of(name)
    if R.ID not in roles:
        return None
    others = [role for role in roles if role not in (R.ID, *QUALIFIERS)]
    if not others and _tokens(name)[:1] in (["q"], ["t"]):
        return R.QUESTION
    return others[-1] if others else R.ID


def parted(names: list[str]) -> list[str]:
    """Return names without the words that all of them begin or end with: those of systems."""
    tokens = [re.split(r"(?<=[\s_\-:/|.()])", name) for name in names]
    begun = _common(tokens)
    ended = _common([list(reversed(words[begun:])) for words in tokens])
    parts = ["".join(words[begun : len(words) - ended]).strip(" _-:/|.()[]") for words in tokens]
    return parts if all(parts) and len(set(parts)) == len(parts) else names


def _common(tokens: list[list[str]]) -> int:
    if len(tokens) < 2:
        return 0
    count = 0
    for words in zip(*tokens, strict=False):
        if any(one != other for one, other in pairwise(words)):
            break
        count += 1
    return min(count, *(len(words) - 1 for words in tokens))
