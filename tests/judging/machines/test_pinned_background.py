"""LLM judges read the background that people read beside the texts."""

import pytest

from judging.machines.previews import preview
from judging.machines.prompt_variables import READY
from judging.models import Prompt
from tests.cast import draft_study, open_study, small_corpus

pytestmark = [pytest.mark.django_db, pytest.mark.storage]
WORDS = "A lamp gives light: {braces} mean nothing."
PLAIN = READY["plain"].user


@pytest.mark.parametrize(
    ("background", "user", "times"),
    [
        ("folded", PLAIN, 0),
        ("pinned", PLAIN, 1),
        ("pinned", f"{PLAIN}\n\n{{description}}", 1),
        ("folded", f"{PLAIN}\n\n{{description}}", 1),
    ],
)
def test_a_pinned_background_is_in_the_prompt_once(background, user, times):
    corpus = small_corpus()
    corpus.topics.update(description=WORDS)
    study = open_study(draft_study(corpus=corpus, background=background))
    shown = preview(
        study=study, prompt=Prompt(study=study, user=user), at_once=True, structured=False
    )
    assert "".join(message["content"] for message in shown.messages).count(WORDS) == times


def test_a_topic_without_a_background_is_asked_as_before():
    told = [
        preview(
            study=open_study(draft_study(slug=way, corpus=small_corpus(slug=way), background=way)),
            prompt=Prompt(user=PLAIN),
            at_once=True,
            structured=False,
        ).messages
        for way in ("folded", "pinned")
    ]
    assert told[0] == told[1]
