"""Documents of judging studies: their faults, and the instruments of an existing study."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import PurePath
from typing import TypeVar

import msgspec
from django.utils.translation import gettext

from annotation.models import Batch, Study
from annotation.studies.drafts.kinds import instruments_of
from annotation.studies.drafts.paths import joined, names
from annotation.studies.drafts.plain_data import BadBank, BadDocument
from annotation.studies.drafts.schema import Document
from annotation.studies.drafts.setting_faults import part_faults
from annotation.studies.forms import FieldSpec
from annotation.studies.instruments import BadInstrument, Fault, decoded_from
from annotation.texts.translation import translated_error
from judging.design.document_scores import score_faults
from judging.design.plans import designed
from judging.drafts.check_faults import check_faults
from judging.drafts.systems import system_faults
from judging.instruments.design_schema import DesignDefaults
from judging.instruments.entries import with_own_keys
from judging.instruments.files import check, faults_of
from judging.instruments.schema import (
    QUESTION_LENGTH,
    TOO_LONG,
    AttentionSpec,
    CriterionSpec,
    InstrumentFile,
    KnownSpec,
    OptionSpec,
    QuestionSpec,
    ScaleSpec,
    TotalSpec,
)
from judging.instruments.studyfiles import instrument_of
from judging.labels.rubric import instrument_of_bank
from judging.models import Instrument, ItemRole


def faults(document: Document) -> Iterator[Fault]:
    """Yield the faults of each instrument, and of all together."""
    instruments: list[InstrumentFile] = instruments_of(document)
    for name, instrument in zip(names(document.instruments), instruments, strict=True):
        for fault in (
            *faults_of(instrument),
            *_blanks(instrument),
            *part_faults(instrument.defaults, at="defaults/"),
            *check_faults(with_own_keys(instrument), document.corpus),
            *_same_entries(instrument),
            *score_faults(instrument, document.corpus),
        ):
            yield Fault(f"{joined('instruments', name)}/{fault.path}", _sentence(fault.sentence))
    keys = [instrument.name for instrument in instruments]
    if len(set(keys)) < len(keys):
        yield Fault("instruments", gettext("Use each method once per study."))
    quotas = sorted({instrument.defaults.quota for instrument in instruments})
    if len(quotas) > 1:
        numbers = " and ".join(map(str, quotas))
        where = joined("instruments", names(document.instruments)[-1], "defaults", "quota")
        yield Fault(
            where,
            gettext("Methods that share participants need the same quota: {said}.").format(
                said=numbers
            ),
        )
    yield from system_faults(document, instruments)
    if document.onboarding.topics:
        yield Fault("onboarding/topics", gettext("A judging study has no onboarding."))


def _same_entries(instrument: InstrumentFile) -> Iterator[Fault]:
    """Yield a fault if an edited entry has the text of another one."""
    before = Counter(criterion.key for criterion in instrument.criteria)
    after = Counter(criterion.key for criterion in with_own_keys(instrument).criteria)
    if any(n > 1 and before[key] < n for key, n in after.items()):
        yield Fault("criteria", gettext("two entries have the same text"))


def _sentence(fault: str) -> str:
    return f"{fault[:1].upper()}{fault[1:]}".rstrip(".") + "."


def _blanks(instrument: InstrumentFile) -> Iterable[Fault]:
    """Yield faults of empty texts, and of texts too long for their columns."""
    yield from part_faults(instrument)
    yield from _element_faults("criteria", instrument.criteria)
    for scale in instrument.scales:
        yield from _element_faults("scales", [scale])
        yield from _element_faults(joined("scales", scale.key, "options"), scale.options)
    yield from _element_faults("questions", instrument.questions)
    for field in instrument.exit_form:
        where = joined("exit_form", field.key)
        if not field.label.strip():
            yield Fault(f"{where}/label", gettext("enter the question"))
        elif len(field.label) > QUESTION_LENGTH:
            yield Fault(f"{where}/label", gettext(TOO_LONG).format(longest=QUESTION_LENGTH))
        if field.kind != "text" and len(field.options) < 2:
            yield Fault(f"{where}/options", gettext("this question has fewer than two options"))


def _element_faults(
    where: str, elements: Sequence[CriterionSpec | ScaleSpec | OptionSpec | QuestionSpec]
) -> Iterator[Fault]:
    for element in elements:
        name = element.code if isinstance(element, OptionSpec) else element.key
        yield from part_faults(element, at=f"{where}/{joined(name)}/")


def made_from(study: Study) -> list[msgspec.Struct]:
    """Return the instruments of a study; the first has the time and form of all."""
    instruments = list(
        study.instruments.select_related("bank").prefetch_related(
            "criteria__topic", "scales", "questions"
        )
    )
    main = study.batches.filter(onboarding=False).first()
    return [
        InstrumentFile(
            name=instrument.key,
            version=instrument.version,
            title=instrument.title,
            source="",
            item_kind=instrument.item_kind,
            instructions=study.instructions if len(instruments) == 1 else instrument.instructions,
            consent=study.consent if number == 0 else "",
            criteria=[
                CriterionSpec(c.key, c.name, c.definition, c.topic.key if c.topic else "")
                for c in sorted(instrument.criteria.all(), key=lambda c: c.pk)
            ],
            scales=[
                msgspec.convert(s.spec, ScaleSpec)
                for s in sorted(instrument.scales.all(), key=lambda s: s.pk)
            ],
            questions=_questions(instrument),
            exit_form=_exit_form(study, instrument, first=number == 0),
            designer=instrument.designer,
            item_order="fixed" if instrument.item_order == "fixed" else "drawn",
            totals=msgspec.convert(instrument.totals, list[TotalSpec]),
            defaults=_defaults(study, instrument, main, first=number == 0, of=len(instruments)),
            attention=_checks(instrument, ItemRole.ATTENTION, AttentionSpec),
            gold=_checks(instrument, ItemRole.GOLD, KnownSpec),
            training=_checks(instrument, ItemRole.TRAINING, KnownSpec),
            bank=instrument.bank.name if instrument.bank else "",
            bank_revision=instrument.bank_revision or 0,
        )
        for number, instrument in enumerate(instruments)
    ]


def _exit_form(study: Study, instrument: Instrument, *, first: bool) -> list[FieldSpec]:
    """Return the exit form fields of an instrument; without arms, the first has all fields."""
    fields = msgspec.convert(study.exit_form, list[FieldSpec])
    if study.arms == Study.Arms.ALL:
        return fields if first else []
    own = study.arm_rows.get(key=instrument.key).exit_fields
    return [field for field in fields if own is None or field.key in own]


C = TypeVar("C", AttentionSpec, KnownSpec)


def _checks(instrument: Instrument, role: ItemRole, as_type: type[C]) -> list[C]:
    rows = instrument.checks.filter(role=role).order_by("position")
    return [msgspec.convert(row.spec, as_type) for row in rows]


def _questions(instrument: Instrument) -> list[QuestionSpec]:
    rows = instrument.questions.select_related("criterion", "scale").order_by("position")
    return [
        msgspec.convert(
            {
                "key": row.key,
                "criterion": row.criterion.key,
                "scale": row.scale.key,
                "text": row.text,
                "arity": row.arity,
                "about": row.about,
                "justification": row.justification,
                "optional": row.optional,
            },
            QuestionSpec,
        )
        for row in rows
    ]


def _defaults(
    study: Study, instrument: Instrument, batch: Batch | None, *, first: bool, of: int
) -> DesignDefaults:
    figures = instrument.design | designed(batch, instrument.key)
    design_figures = {
        name: value for name, value in figures.items() if name in DesignDefaults.__struct_fields__
    }
    minutes, seconds = study.minutes // of, study.minimum_seconds // of
    if study.arms == Study.Arms.ONE:
        arm = study.arm_rows.get(key=instrument.key)
        minutes, seconds = arm.minutes, arm.minimum_seconds
    elif first:
        minutes, seconds = minutes + study.minutes % of, seconds + study.minimum_seconds % of
    checked = instrument.checked_with
    return DesignDefaults(
        **{
            **design_figures,
            "minutes": minutes,
            "minimum_seconds": seconds,
            "minimum_item_seconds": checked.get("item_seconds", 0),
            "gold_per_questionnaire": checked.get("gold", 1),
        }
    )


def topics_of(study: Study) -> int | None:
    """Return the number of topics in the design."""
    batch = study.batches.filter(onboarding=False).first()
    instrument = study.instruments.first()
    return designed(batch, instrument.key).get("topics") if instrument else None


def read(content: bytes, name: str) -> InstrumentFile:
    """Return an instrument from a file: ours, Gienapp et al.'s, or a bank of Rubric.

    Raises BadDocument.
    """
    file = PurePath(name)
    if name.lower().endswith((".jsonl", ".jsonl.gz")):
        try:
            return instrument_of_bank(content, name=file.name)
        except BadInstrument as error:
            raise BadBank("unreadable", translated_error(error)) from error
    try:
        instrument = decoded_from(content, as_type=InstrumentFile, name=file.name)
        check(instrument, name=file.name)
    except BadInstrument as own:
        try:
            return instrument_of(content, file=file)
        except BadInstrument as other:
            both = gettext("is neither a method ({own}) nor a study file ({other})").format(
                own=own, other=other
            )
            raise BadDocument("unknown_format", both) from own
    return instrument
