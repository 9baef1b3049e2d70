"""The plain link: no platform is told anything, and a code is the worker's alone (`codes`)."""

from annotation.models import Study


class PlainLink:
    key = "link"
    name = "plain link"

    def code_for(self, study: Study, outcome: str) -> str:
        """The code that is the same for everybody, where a study has one."""
        return study.completion_code if outcome == "done" else ""

    def return_address(self, study: Study, outcome: str) -> str:
        return ""


PLATFORM = PlainLink()
