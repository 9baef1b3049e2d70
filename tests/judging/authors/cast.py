"""An LLM author of a writing study."""

from typing import Any

from annotation.models import Study
from judging.authors import setting_up
from judging.authors.setting_up import AuthorSettings
from judging.models import AuthorRound
from tests.judging.asked_rounds import AWAY, run, set_up_round

__all__ = ["AWAY", "author", "run"]


def author(
    study: Study,
    url: str = AWAY,
    *,
    name: str = "cold",
    key: str = "",
    user: str = "",
    terms: dict[str, Any] | None = None,
    **manner: Any,
) -> AuthorRound:
    """Return an author that is set up and has not begun."""
    return set_up_round(
        setting_up,
        AuthorSettings,
        url,
        name=name,
        key=key,
        words={"key": "author", "system": "", "user": user},
        prompt_of={"study": study},
        terms=terms,
        manner=manner,
        study=study,
    )
