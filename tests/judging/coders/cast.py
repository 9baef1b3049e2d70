"""An LLM coder of a coding."""

from typing import Any

from judging.coders import setting_up
from judging.coders.setting_up import Manner
from judging.models import CoderRound, Coding
from tests.judging.asked_rounds import AWAY, run, set_up_round

__all__ = ["AWAY", "llm_coder", "run"]


def llm_coder(
    coding: Coding,
    url: str = AWAY,
    *,
    name: str = "cold",
    key: str = "",
    user: str = "",
    terms: dict[str, Any] | None = None,
    **manner: Any,
) -> CoderRound:
    """Return an LLM coder that is set up and has not begun."""
    return set_up_round(
        setting_up,
        Manner,
        url,
        name=name,
        key=key,
        words={"key": "coder", "system": "", "user": user},
        prompt_of={"study": coding.study},
        terms=terms,
        manner=manner,
        coding=coding,
    )
