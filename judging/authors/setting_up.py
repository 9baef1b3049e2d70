"""Setup of rounds in which a model writes the texts of a study."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from annotation.models import Study
from annotation.people import access
from judging.authors import wording
from judging.authors.preparing import brief_of, wanted
from judging.authors.wording import READY
from judging.calls import asking
from judging.calls.asking import BadAsker, ModelSettings, Terms, called
from judging.calls.running_rounds import require_free_name
from judging.models import AuthorPrompt, AuthorRound

save_prompt = partial(asking.save_prompt, AuthorPrompt, check=wording.check, ready=READY)


@dataclass(frozen=True)
class AuthorSettings(ModelSettings):
    """Settings of the model, and the styles to write in; none for all of the study."""

    structured: bool = False
    max_tokens: int = 1000
    styles: tuple[str, ...] = ()


def styles_of(study: Study, chosen: Collection[str]) -> list[str]:
    """Return the chosen styles in the order of the study, all of it by default.

    Raises BadAsker.
    """
    known = [style.key for style in brief_of(study).styles]
    if unknown := sorted(set(chosen) - set(known)):
        raise BadAsker(
            "unknown_style",
            _("Style %(style)s not found. Available: %(known)s.")
            % {"style": unknown[0], "known": ", ".join(known)},
        )
    return [key for key in known if not chosen or key in chosen]


@transaction.atomic
def set_up(
    *,
    study: Study,
    name: str,
    prompt: AuthorPrompt,
    manner: AuthorSettings,
    terms: Terms,
    key: str,
    by: User | None,
    now: datetime,
) -> AuthorRound:
    """Create an author; no call is made yet. Raises BadAsker."""
    terms, name = asking.checked(terms), name.strip()
    styles = styles_of(study, manner.styles)
    Study.every.select_for_update(no_key=True).get(pk=study.pk)
    require_free_name(AuthorRound.objects.filter(study=study), name)
    made = AuthorRound(
        study=study,
        styles=styles,
        **asking.new_columns(name=name, prompt=prompt, manner=manner, terms=terms, key=key, now=now)
        | {"structured": False},
    )
    if not wanted(made, brief_of(study)):
        raise BadAsker("no_tasks", _("No tasks in these styles."))
    made.save()
    access.record(user=by, act="set up a round of texts", what=called(made), of=study)
    return made
