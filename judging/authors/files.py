"""Texts of LLM authors with their origin, as rows; and figures about an author."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.db.models import Avg, Count, Q, QuerySet

from annotation.models import Response, Study
from annotation.studies.briefs import WritingBrief
from judging.calls.costs import MICRO
from judging.calls.progress import round_row
from judging.models import AuthorCall, AuthorRound

Row = dict[str, Any]


@dataclass(frozen=True)
class AuthorSummary:
    """Number of published texts and their mean length in words."""

    texts: int
    words: float | None


def written_texts(study: Study) -> "QuerySet[Response]":
    """Return the texts of a study by authors that are not deleted."""
    rounds = AuthorRound.objects.filter(study=study).exclude(state=AuthorRound.State.WITHDRAWN)
    return Response.objects.filter(author_call__round__in=rounds)


def summary_of(one: AuthorRound) -> AuthorSummary:
    texts = Response.objects.filter(author_call__round=one)
    figures = texts.aggregate(n=Count("pk"), mean=Avg("words"))
    return AuthorSummary(figures["n"], figures["mean"])


@dataclass(frozen=True)
class StyleFigures:
    """Published texts of a style: number, mean words, and how many keep to the study's length."""

    name: str
    texts: int
    words: float
    in_range: int

    @property
    def share(self) -> float:
        """Percent of the texts within the length."""
        return 100 * self.in_range / self.texts


def style_figures(one: AuthorRound, brief: WritingBrief) -> list[StyleFigures]:
    """Return the figures of each style with texts, in the order of the study."""
    fits = Q(words__gte=brief.low_words, words__lte=brief.high_words)
    rows = {
        style: (texts, words, in_range)
        for style, texts, words, in_range in Response.objects.filter(author_call__round=one)
        .order_by()
        .values_list("style")
        .annotate(n=Count("pk"), mean=Avg("words"), fits=Count("pk", fits))
    }
    return [
        StyleFigures(style.name, *rows[style.key]) for style in brief.styles if style.key in rows
    ]


def author_row(one: AuthorRound) -> Row:
    """Return an author with its progress, for the API."""
    return round_row(one) | {"styles": one.styles, "texts": summary_of(one).texts}


def rows_of(study: Study) -> Iterator[Row]:
    """Yield a row for each call of a study's authors: the text, or how the call failed."""
    calls = AuthorCall.objects.filter(round__study=study).exclude(
        round__state=AuthorRound.State.WITHDRAWN
    )
    related = ("round__prompt", "topic", "response")
    for call in calls.select_related(*related).defer("request", "raw").order_by("pk").iterator():
        author = call.round
        yield {
            "response": call.response.key if call.response else None,
            "topic": call.topic.key,
            "style": call.style,
            "author": author.name,
            "model": author.model,
            "endpoint": author.base_url,
            "prompt": str(author.prompt),
            "prompt_digest": author.prompt.digest,
            "settings": author.settings,
            "state": call.state,
            "error": call.error,
            "copied": call.copied,
            "words": call.response.words if call.response else None,
            "tokens_in": call.tokens_in,
            "tokens_out": call.tokens_out,
            "cost": None if call.cost_micro is None else call.cost_micro / MICRO,
            "seconds": call.seconds,
            "answered_at": call.answered_at.isoformat() if call.answered_at else None,
        }
