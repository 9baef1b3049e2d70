"""A person follows a study's link: who they are, and the place they get."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from annotation.assigning import claim
from annotation.models import Assignment, Study, Worker
from annotation.pseudonyms import worker_for
from annotation.refusals import IncompleteLink, Refusal, StudyNotOpen
from annotation.turns import standing_of

ID_LENGTH = 100  # characters; platforms use 24


@dataclass(frozen=True)
class Arrival:
    """Who came, from which platform, for which submission of it."""

    platform: str
    external_id: str
    submission: str = ""
    pseudonym: str = ""  # drawn if not given


def study_for(slug: str) -> Study:
    """The newest launched version of a study. Raises StudyNotOpen."""
    study = Study.objects.launched().filter(slug=slug).order_by("-version").first()
    if study is None:
        raise StudyNotOpen
    return study


def prolific_arrival(parameters: Mapping[str, str]) -> Arrival:
    """Read Prolific's link parameters. Raises IncompleteLink."""
    person = parameters.get("PROLIFIC_PID", "").strip()
    submission = parameters.get("SESSION_ID", "").strip()
    for value in (person, submission):
        # An unfilled placeholder means that the link was set up wrongly.
        if not value or len(value) > ID_LENGTH or "\x00" in value or "{{" in value:
            raise IncompleteLink
    return Arrival("prolific", person, submission)


def worker_of(arrival: Arrival) -> Worker:
    return worker_for(
        platform=arrival.platform,
        external_id=arrival.external_id,
        pseudonym=arrival.pseudonym,
    )


def arrive(*, study: Study, arrival: Arrival, now: datetime) -> Assignment:
    """Give whoever arrives their place, or the one they have.

    Raises what `claim` raises, with what the worker did in the onboarding: they also come to read
    the feedback.
    """
    worker = worker_of(arrival)
    try:
        return claim(study=study, worker=worker, now=now, external_id=arrival.submission)
    except Refusal as refusal:
        refusal.standing = standing_of(study=study, worker=worker)
        raise
