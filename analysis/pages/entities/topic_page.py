"""Page of one topic of a study: its texts, ranked by the newest run."""

from collections.abc import Sequence
from typing import Any

from django.shortcuts import get_object_or_404

from analysis.pages.entities.newest_results import Score
from analysis.pages.entities.responses import ListedResponse, responses_of
from analysis.pages.entities.responses import shown as texts_shown
from analysis.pages.entities.topics import shown, topics_of
from annotation.models import Study, Topic


def topic_of(study: Study, key: str) -> Topic:
    return get_object_or_404(topics_of(study), key=key)


def context(study: Study, topic: Topic) -> dict[str, Any]:
    (row,) = shown(study, [topic])
    texts = texts_shown(study, list(responses_of(study).filter(topic=topic)), every_score=True)
    texts.sort(key=lambda text: (text.score and text.score.place) or len(texts) + 1)
    ranking = next((text.score.title for text in texts if text.score), "")
    others = list(
        dict.fromkeys(
            score.title for text in texts for score in text.scores if score.title != ranking
        )
    )
    return {
        "topic": topic,
        "row": row,
        "texts": [(text, _cells(text, others)) for text in texts],
        "others": others,
        "ranked_by": ranking,
        "by_place": any(
            score.value is None and score.place for text in texts for score in text.scores
        ),
        "run": study.runs.newest_finished(),
    }


def _cells(text: ListedResponse, titles: Sequence[str]) -> list[Score | None]:
    score_by_title = {score.title: score for score in text.scores}
    return [score_by_title.get(title) for title in titles]
