"""Models of judging: instruments, questions, items, raters and judgments, by theme.

An item is a kind and named slots; a question is criterion x scale x arity. A new way of judging
is new data in these tables, not a new table.
"""

from judging.models.authors import AuthorCall, AuthorPrompt, AuthorRound
from judging.models.banks import Bank, BankEntry, BankIsFinal, EntryDecision
from judging.models.checks import Check, Role
from judging.models.coders import CoderCall, CoderPrompt, CoderRound
from judging.models.coding import (
    AddedCode,
    Code,
    Codebook,
    CodebookIsFinal,
    CodebookVersion,
    Coder,
    Coding,
    CodingUnit,
    UnitCodes,
    UnitDecision,
)
from judging.models.document_scores import DocumentReason, DocumentScore
from judging.models.entry_rounds import EntryCall, EntryPrompt, EntryRound
from judging.models.instruments import Criterion, Instrument, Question, Scale
from judging.models.items import Item, ItemSlot, Presentation, TaskItem
from judging.models.judgments import AnswersBefore, Examination, Judgment
from judging.models.label_uploads import LabelUpload
from judging.models.machines import MachineCall, MachineJudge, Prompt
from judging.models.passage_files import PassageFile
from judging.models.queries import ProposedQuery, QueryCall, QueryPrompt, QueryRound
from judging.models.raters import POOLS, Rater, new_rater, rater_of
from judging.models.sessions import (
    InterviewGuide,
    ModeratedSession,
    Recording,
    RecordingChunk,
    SessionNote,
    Utterance,
)

__all__ = [
    "POOLS",
    "AddedCode",
    "AnswersBefore",
    "AuthorCall",
    "AuthorPrompt",
    "AuthorRound",
    "Bank",
    "BankEntry",
    "BankIsFinal",
    "Check",
    "Code",
    "Codebook",
    "CodebookIsFinal",
    "CodebookVersion",
    "Coder",
    "CoderCall",
    "CoderPrompt",
    "CoderRound",
    "Coding",
    "CodingUnit",
    "Criterion",
    "DocumentReason",
    "DocumentScore",
    "EntryCall",
    "EntryDecision",
    "EntryPrompt",
    "EntryRound",
    "Examination",
    "Instrument",
    "InterviewGuide",
    "Item",
    "ItemSlot",
    "Judgment",
    "LabelUpload",
    "MachineCall",
    "MachineJudge",
    "ModeratedSession",
    "PassageFile",
    "Presentation",
    "Prompt",
    "ProposedQuery",
    "QueryCall",
    "QueryPrompt",
    "QueryRound",
    "Question",
    "Rater",
    "Recording",
    "RecordingChunk",
    "Role",
    "Scale",
    "SessionNote",
    "TaskItem",
    "UnitCodes",
    "UnitDecision",
    "Utterance",
    "new_rater",
    "rater_of",
]
