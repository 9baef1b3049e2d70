"""The platform's records, by theme: corpus, studies, work."""

from annotation.models.corpus import (
    Citation,
    Corpus,
    Origin,
    Passage,
    Response,
    Segment,
    Style,
    System,
    Topic,
)
from annotation.models.studies import Batch, Study, StudyFrozen
from annotation.models.work import (
    AddressPace,
    Assignment,
    Consent,
    MetUnit,
    Place,
    ReviewDecision,
    Task,
    TaskUnit,
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
    "MetUnit",
    "Origin",
    "Passage",
    "Place",
    "Response",
    "ReviewDecision",
    "Segment",
    "Study",
    "StudyFrozen",
    "Style",
    "System",
    "Task",
    "TaskUnit",
    "Topic",
    "Worker",
    "new_token",
]
