"""Making an author's calls before they are sent: one for each topic and style of the study."""

from collections.abc import Callable
from typing import Any

from django.db import transaction

from annotation.models import Passage, Study, Topic
from annotation.studies.briefs import StyleBrief, WritingBrief
from annotation.studies.drafts.kinds import kind_of
from judging.authors import wording
from judging.calls import requests
from judging.calls.prompts import messages
from judging.models import AuthorCall, AuthorRound

AT_ONCE = 50  # topics whose passages are in memory
Text = tuple[int, str]  # id of the topic, key of the style


def brief_of(study: Study) -> WritingBrief:
    """Return the brief of a writing study."""
    brief = kind_of(study.kind).brief(study)
    assert brief is not None  # the pages and the API take writing studies alone
    return brief


def wanted(round: AuthorRound, brief: WritingBrief) -> list[Text]:
    """Return the texts of the study in the styles of a round."""
    return [text for text in brief.texts if text[1] in round.styles]


def missing(round: AuthorRound, brief: WritingBrief | None = None) -> list[Text]:
    """Return the texts without a call, also those of topics that came later."""
    called = set(round.calls.order_by().values_list("topic", "style"))
    return [text for text in wanted(round, brief or brief_of(round.study)) if text not in called]


def prepare(*, round: AuthorRound, go_on: Callable[[], bool] = lambda: True) -> int:
    """Make the missing calls and return their number; safe to repeat and to run twice at once."""
    brief = brief_of(round.study)
    texts, made = missing(round, brief), 0
    for start in range(0, len(texts), AT_ONCE):
        if not go_on():
            break
        some = texts[start : start + AT_ONCE]
        topics = Topic.objects.in_bulk({topic for topic, _ in some})
        with transaction.atomic():
            calls = [_call_of(round, brief, topics[topic], style) for topic, style in some]
            AuthorCall.objects.bulk_create(calls, batch_size=500, ignore_conflicts=True)
        made += len(calls)
    return made


def _call_of(round: AuthorRound, brief: WritingBrief, topic: Topic, style: str) -> AuthorCall:
    call = AuthorCall(round=round, team_id=round.study.team_id, topic=topic, style=style)
    requests.fill(
        call,
        round,
        lambda: _request_of(round, brief, topic, style),
    )
    return call


def _request_of(
    round: AuthorRound, brief: WritingBrief, topic: Topic, style: str
) -> dict[str, Any]:
    told = messages_of(round, brief, topic, style)
    return requests.body_of(round, messages=told, schema=None)


def messages_of(
    round: AuthorRound, brief: WritingBrief, topic: Topic, style: str
) -> list[dict[str, str]]:
    """Return the messages that ask for a text. Raises BadPrompt."""
    of_style = style_of(brief, style)
    passages = [(passage.title, passage.text) for passage in passages_of(brief, topic)]
    return messages(
        system=round.prompt.system,
        user=round.prompt.user,
        values={
            "instructions": brief.instructions,
            "style": of_style.name,
            "style_instructions": of_style.instructions,
            "query": topic.query,
            "description": topic.description,
            "passages": wording.numbered(passages),
            "words": str(brief.target_words),
            "low": str(brief.low_words),
            "high": str(brief.high_words),
        },
    )


def passages_of(brief: WritingBrief, topic: Topic) -> list[Passage]:
    """Return the passages that authors read, in the order of their numbers."""
    return list(topic.passages.order_by("rank")[: brief.passages])


def style_of(brief: WritingBrief, key: str) -> StyleBrief:
    return next(style for style in brief.styles if style.key == key)
