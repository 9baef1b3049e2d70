"""The choice of topics: all of the corpus, a random sample, or a list. Only reads."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext

from annotation.models import Corpus, Draft
from annotation.studies.drafts.changes import DraftChange
from annotation.studies.drafts.editor_forms import EditorSection, Field
from annotation.studies.drafts.faults import CHOSEN_TOPICS
from annotation.studies.drafts.kinds import Outline, decoded
from annotation.studies.drafts.schema import Document
from annotation.studies.drafts.workload import outline_or_why

TOPICS = "design/topics"  # how many are drawn
ALL, DRAWN, CHOSEN = "all", "drawn", "chosen"
MOST_SHOWN = 100


@dataclass(frozen=True)
class TopicsShown:
    """The first of the topics that take part, and how many there are of how many in the corpus."""

    queries: tuple[str, ...]
    n: int
    of: int
    how: str

    @property
    def more(self) -> int:
        return self.n - len(self.queries)


def choice_of(design: Any) -> str:
    """Return the choice that a design makes."""
    if design["chosen_topics"] is not None:
        return CHOSEN
    return ALL if design["topics"] is None else DRAWN


def topics_choice(document: Document) -> Field:
    """Return the choice between all topics, some drawn by chance, and chosen ones."""
    design = document.design
    return Field(
        CHOSEN_TOPICS,
        gettext("Topics"),
        choice_of({"chosen_topics": design.chosen_topics, "topics": design.topics}),
        "choice",
        choices=_choices(),
        shapes=True,
    )


def _choices() -> tuple[tuple[str, str], ...]:
    return (
        (ALL, gettext("All")),
        (DRAWN, gettext("Random sample")),
        (CHOSEN, gettext("Selected topics")),
    )


def of_corpus(
    section: EditorSection, document: Document, corpus: Corpus | None, outline: Outline | None
) -> EditorSection:
    """Return the section with the first of the topics that take part."""
    if corpus is None:
        return section
    taken = _taken(document, corpus, outline)
    return replace(
        section,
        groups=tuple(
            replace(group, taken=taken) if any(map(_is_choice, group.fields)) else group
            for group in section.groups
        ),
    )


def as_frozen(section: EditorSection, document: Document, corpus: Corpus) -> EditorSection:
    """Return the section of a launched study with its topics as text."""

    def line(field: Field) -> Field:
        return replace(field, value=_line(document, corpus), control="line")

    return replace(
        section,
        groups=tuple(
            replace(group, fields=tuple(line(f) if _is_choice(f) else f for f in group.fields))
            for group in section.groups
        ),
    )


def _is_choice(field: Field) -> bool:
    return field.path == CHOSEN_TOPICS


def _line(document: Document, corpus: Corpus) -> str:
    chosen = document.design.chosen_topics
    if chosen is None:
        return dict(_choices())[ALL if document.design.topics is None else DRAWN]
    query_by_key = dict(corpus.topics.filter(key__in=chosen).values_list("key", "query"))
    return "\n".join(query_by_key.get(key, key) for key in chosen)


def _taken(document: Document, corpus: Corpus, outline: Outline | None) -> TopicsShown | None:
    """Which they are; None of all, and where nobody can say."""
    how = choice_of(
        {"chosen_topics": document.design.chosen_topics, "topics": document.design.topics}
    )
    if how == ALL or (how == DRAWN and outline is None):
        return None
    topics = corpus.topics.order_by("pk")
    if how == CHOSEN and not (document.design.topics and outline):
        rows = topics.filter(key__in=document.design.chosen_topics or ())
    else:
        rows = topics.filter(pk__in=outline.topics if outline else ())
    queries = tuple(rows.values_list("query", flat=True)[:MOST_SHOWN])
    return TopicsShown(queries, rows.count(), topics.count(), how)


def changes_of(typed: Mapping[str, str], *, seen: Any, draft: Draft) -> list[DraftChange]:
    """Return the changes that a new choice brings.

    Choosing begins with the topics that took part before.
    """
    how, was = typed.get(CHOSEN_TOPICS), choice_of(seen["design"])
    if how is None or how == was:
        return []
    if how == CHOSEN:
        return changes_to_choose(draft, topics_taking_part(draft))
    now = draft.document["design"]
    number = now["topics"] if how == DRAWN else None
    if how == DRAWN and number is None:
        number = max(1, len(topics_taking_part(draft)))
    return [DraftChange("set", CHOSEN_TOPICS, None), DraftChange("set", TOPICS, number)]


def changes_to_choose(draft: Draft, keys: list[str]) -> list[DraftChange]:
    """Return the changes that choose these topics."""
    return [DraftChange("set", CHOSEN_TOPICS, keys), DraftChange("set", TOPICS, None)]


def topics_taking_part(draft: Draft, outline: Outline | None = None) -> list[str]:
    """Return the keys of the topics that a launch would take, in the order of the corpus.

    `outline` is that of the draft, if the caller has it.
    """
    if draft.corpus is None:
        return []
    document = decoded(draft.document)
    chosen, rows = document.design.chosen_topics, draft.corpus.topics.order_by("pk")
    if chosen is not None:
        return chosen
    # Newcomers write about topics of their own, which were among those that took part.
    if not document.onboarding.topics:
        outline = outline or outline_or_why(document, draft.corpus)[0]
        if outline and outline.topics:
            taken = set(outline.topics)
            return [key for pk, key in rows.values_list("pk", "key") if pk in taken]
    return list(rows.values_list("key", flat=True))
