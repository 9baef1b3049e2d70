"""The platform's records, by theme: corpus, studies, drafts, work."""

from annotation.models.corpus import (
    Citation,
    Corpus,
    Origin,
    Passage,
    Ranking,
    Response,
    Segment,
    Style,
    System,
    Topic,
)
from annotation.models.drafts import Draft, DraftRevision
from annotation.models.studies import Batch, Study, StudyFrozen
from annotation.models.work import (
    AddressPace,
    Assignment,
    Consent,
    Exposure,
    Place,
    ReviewDecision,
    Task,
    TaskExposure,
    Worker,
    new_token,
)

__all__ = [
    "AddressPace",
    "Assignment",
    "Batch",
    "Citation",
    "Consent",
    "Corpus",
    "Draft",
    "DraftRevision",
    "Exposure",
    "Origin",
    "Passage",
    "Place",
    "Ranking",
    "Response",
    "ReviewDecision",
    "Segment",
    "Study",
    "StudyFrozen",
    "Style",
    "System",
    "Task",
    "TaskExposure",
    "Topic",
    "Worker",
    "new_token",
]
