"""What Prolific is told about the end of somebody's work: a code for each outcome.

The codes of completion and of no consent are fields of the study; the others are rows, made at its
launch, or when somebody first needs one in a study that was launched before there were any.
"""

from urllib.parse import urlencode

from django.conf import settings

from annotation.models import OutcomeCode, Study
from annotation.studies.completion_codes import random_code

COMPLETE = "/submissions/complete"  # of Prolific's site
FIELDS = {"done": "completion_code", "no_consent": "no_consent_code"}
DRAWN = ("screened_out", "failed_check")  # outcomes whose codes are rows


class Prolific:
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


PLATFORM = Prolific()
