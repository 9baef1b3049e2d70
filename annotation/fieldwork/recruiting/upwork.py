"""Personal links, for people hired on Upwork and for people who were invited.

Upwork has no interface for tasks like ours: each writer gets a link that is bound to a contract,
and is paid there by what the statement says (annotation.fieldwork.paying.statements).
"""

from dataclasses import dataclass

from annotation.models import Study


@dataclass
class PersonalLinks:
    key: str
    name: str

    def code_for(self, study: Study, outcome: str) -> str:
        return study.completion_code if outcome == "done" else ""

    def return_address(self, study: Study, outcome: str) -> str:
        return ""


UPWORK = PersonalLinks("upwork", "Upwork")
INVITATION = PersonalLinks("invitation", "personal links")
