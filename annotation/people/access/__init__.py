"""Access: roles on studies and corpora, the check that every page makes, the audit log.

Door: this file. A page begins with `study_for` or `corpus_for`: what somebody may not see does
not exist for them (404), what they see and may not do is refused with a sentence (403).
"""

from annotation.people.access.auditing import record, record_secret, wants_secret
from annotation.people.access.lookup import (
    Person,
    corpus_for,
    one_for,
    seen_by,
    shared_by,
    study_for,
    team_for,
    teams_where,
    user_of,
    visible_corpora,
    visible_studies,
)
from annotation.people.access.roles import Act, may

__all__ = [
    "Act",
    "Person",
    "corpus_for",
    "may",
    "one_for",
    "record",
    "record_secret",
    "seen_by",
    "shared_by",
    "study_for",
    "team_for",
    "teams_where",
    "user_of",
    "visible_corpora",
    "visible_studies",
    "wants_secret",
]
