"""Agreement of LLM coders with each person and with the reconciled codes. Only reads."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from analysis.pages.coding.tables import agreement_on
from analysis.stats.agreement.code_agreement import CodeMeasure
from annotation.clock import database_now
from judging.calls.progress import CallProgress, progress_of
from judging.coders.given import codes_of, llm_coders
from judging.coding.coding_units import codebook_of
from judging.coding.reconciling import codes_by_coder, final_codes, finished_coders
from judging.models import Code, CoderRound, Coding

NONE_SHARED = CodeMeasure(None, None, None, "Not compared because no comment has both codings.")
Codes = Mapping[int, frozenset[str]]  # unit -> keys


@dataclass(frozen=True)
class ComparedWith:
    """A coder (None for the reconciled codes) and the units that the LLM coder coded as well."""

    coder: str | None
    units: int


@dataclass(frozen=True)
class LlmCodeRow:
    """A code with its uses by the LLM coder and kappa with each of `compared`."""

    code: Code
    given: int
    compared: Sequence[ComparedWith]
    kappas: Sequence[CodeMeasure]

    @property
    def cells(self) -> list[tuple[ComparedWith, CodeMeasure]]:
        return list(zip(self.compared, self.kappas, strict=True))


@dataclass(frozen=True)
class LlmAgreement:
    compared: Sequence[ComparedWith]
    rows: Sequence[LlmCodeRow]


@dataclass(frozen=True)
class LlmCoderSummary:
    """An LLM coder with its progress; the agreement only of a closed coding."""

    round: CoderRound
    progress: CallProgress
    agreement: LlmAgreement | None


def llm_summaries(coding: Coding) -> list[LlmCoderSummary]:
    """Return the LLM coders of a coding; their codes stay hidden until it is closed."""
    now, is_closed = database_now(), coding.closed_at is not None
    return [
        LlmCoderSummary(one, progress_of(one, now=now), _agreement(one) if is_closed else None)
        for one in llm_coders(coding)
    ]


def _agreement(one: CoderRound) -> LlmAgreement | None:
    """Return the agreement over the units that both have coded, None without a coded unit."""
    own, coding = codes_of(one), one.coding
    if not own:
        return None
    given = codes_by_coder(coding)
    others: list[tuple[str | None, Codes]] = [
        (str(coder), {unit: codes[coder.number] for unit, codes in given.items()})
        for coder in finished_coders(coding)
    ]
    others.append((None, final_codes(coding)))
    shared = [(name, codes, sorted(own.keys() & codes.keys())) for name, codes in others]
    compared = [ComparedWith(name, len(units)) for name, _, units in shared]
    rows = []
    for code in codebook_of(coding):
        used = any(code.key in keys for _, codes, _ in shared for keys in codes.values())
        n = sum(code.key in keys for keys in own.values())
        if used or n:
            kappas = [_kappa(code.key, own, codes, units, one.pk) for _, codes, units in shared]
            rows.append(LlmCodeRow(code, n, compared, kappas))
    return LlmAgreement(compared, rows)


def _kappa(key: str, own: Codes, other: Codes, units: Sequence[int], seed: int) -> CodeMeasure:
    if not units:
        return NONE_SHARED
    table = [[key in codes[unit] for unit in units] for codes in (own, other)]
    return agreement_on(table, seed=seed).kappa
