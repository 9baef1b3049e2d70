"""Prolific: codes and the way back, signed links, a study there, and what it says of submissions.

Door: `PLATFORM`; `admitting.came` reads a link, `publishing` makes and moves a study there,
`reconciling` and `hearing` take over what it says, `standing` is what pages show. `client` talks to
it, `fake` is a small Prolific for trials.
"""

from annotation.fieldwork.recruiting.prolific.outcomes import PLATFORM

__all__ = ["PLATFORM"]
