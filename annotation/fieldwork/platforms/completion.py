"""Codes and return addresses by which platforms learn how work ended.

An empty string means that a platform has no code, or no way back, for an outcome.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol
from urllib.parse import urlencode

from django.conf import settings

from annotation.models import OutcomeCode, Study
from annotation.studies.completion_codes import random_code

COMPLETE = "/submissions/complete"  # of Prolific's site
FIELDS = {"done": "completion_code", "no_consent": "no_consent_code"}
DRAWN = ("screened_out", "failed_check")  # outcomes whose codes are rows


class Platform(Protocol):
    """The codes and addresses of one platform."""

    key: str
    name: str

    def code_for(self, study: Study, outcome: str) -> str: ...

    def return_address(self, study: Study, outcome: str) -> str: ...


@dataclass
class Link:
    """A plain or personal link, whose study may have one completion code for everybody."""

    key: str
    name: str

    def code_for(self, study: Study, outcome: str) -> str:
        return study.completion_code if outcome == "done" else ""

    def return_address(self, study: Study, outcome: str) -> str:
        return ""


class Prolific:
    """Prolific's codes, which are fields of the study (completion, no consent) or rows.

    Rows are made at the launch, or when somebody first needs one in an older study.
    """

    key = "prolific"
    name = "Prolific"

    def code_for(self, study: Study, outcome: str) -> str:
        if field := FIELDS.get(outcome):
            return str(getattr(study, field))
        if outcome not in DRAWN:
            return ""  # who returns a submission, or whose time is over, does it at Prolific
        row, _ = OutcomeCode.objects.get_or_create(
            study=study, outcome=outcome, defaults={"code": random_code()}
        )
        return row.code

    def return_address(self, study: Study, outcome: str) -> str:
        code = self.code_for(study, outcome)
        address = f"{settings.PROLIFIC_SITE}{COMPLETE}?{urlencode({'cc': code})}"
        return address if code else ""


PLATFORMS: Mapping[str, Platform] = {
    platform.key: platform
    for platform in (
        Link("link", "plain link"),
        Prolific(),
        Link("upwork", "Upwork"),
        Link("invitation", "personal links"),
    )
}
