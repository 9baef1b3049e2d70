"""The platform's records, by theme: access, accounts, corpus, studies, drafts, work."""

from annotation.models.access import AuditEntry, Invitation, Membership, Role, Team
from annotation.models.accounts import (
    AccountSettings,
    Introduction,
    LoginSession,
    WorkNotice,
)
from annotation.models.arms import Arm
from annotation.models.arrivals import HeldUp, SetApart
from annotation.models.cache import Erasure, Kept
from annotation.models.contracts import Contract
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
from annotation.models.corpus_labels import CorpusLabels
from annotation.models.drafts import Draft, DraftRevision, DraftVisit, Foreseen
from annotation.models.images import CorpusImage
from annotation.models.keys import ApiKey
from annotation.models.money import LedgerEntry, Payment
from annotation.models.official_orders import OfficialOrder
from annotation.models.platforms import (
    OutcomeCode,
    PlatformMessage,
    PlatformStudy,
    PlatformSubmission,
    SpentToken,
    WebhookEvent,
    WebhookSecret,
)
from annotation.models.retention import Demographics, Keeping, KeptCode
from annotation.models.review import ReviewAct, SavedView
from annotation.models.screening import Qualification, Qualified, ScreeningResult
from annotation.models.service import ServiceMark
from annotation.models.studies import Batch, Study
from annotation.models.trials import Simulation, Tester, Trial
from annotation.models.uploads import CorpusUpload, UploadedFile
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
    "AccountSettings",
    "AddressPace",
    "ApiKey",
    "Arm",
    "Assignment",
    "AuditEntry",
    "Batch",
    "Citation",
    "Consent",
    "Contract",
    "Corpus",
    "CorpusImage",
    "CorpusLabels",
    "CorpusUpload",
    "Demographics",
    "Draft",
    "DraftRevision",
    "DraftVisit",
    "Erasure",
    "Exposure",
    "Foreseen",
    "HeldUp",
    "Introduction",
    "Invitation",
    "Keeping",
    "Kept",
    "KeptCode",
    "LedgerEntry",
    "LoginSession",
    "Membership",
    "OfficialOrder",
    "Origin",
    "OutcomeCode",
    "Passage",
    "Payment",
    "Place",
    "PlatformMessage",
    "PlatformStudy",
    "PlatformSubmission",
    "Qualification",
    "Qualified",
    "Ranking",
    "Response",
    "ReviewAct",
    "ReviewDecision",
    "Role",
    "SavedView",
    "ScreeningResult",
    "Segment",
    "ServiceMark",
    "SetApart",
    "Simulation",
    "SpentToken",
    "Study",
    "Style",
    "System",
    "Task",
    "TaskExposure",
    "Team",
    "Tester",
    "Topic",
    "Trial",
    "UploadedFile",
    "WebhookEvent",
    "WebhookSecret",
    "WorkNotice",
    "Worker",
    "new_token",
]
