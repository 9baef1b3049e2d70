"""Instruments: ready-made methods of judging, one data file each (instruments/README.md)."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec
from django.utils import translation
from django.utils.translation import gettext

from annotation.studies import instruments
from annotation.studies.drafts.paths import joined
from annotation.studies.instruments import BadInstrument as BadInstrument  # for its readers
from annotation.studies.instruments import Fault
from annotation.studies.translations import ORIGINAL, in_language
from annotation.texts.sentences import marked
from annotation.texts.translation import translated_error
from judging.designers.designs import shows_documents, unfit
from judging.instruments.design_schema import DesignDefaults
from judging.instruments.schema import (
    TITLE_LENGTH,
    CriterionSpec,
    InstrumentFile,
    OptionSpec,
    QuestionSpec,
    ScaleSpec,
)
from judging.items.kinds import Holds, ItemKind, item_kind

FOLDER = Path(__file__).parent
OWN = marked(
    "### What you will do\n\nYou see a **search query** and **two texts** that answer it. Read "
    "both. Then answer the questions about them.\n\n- Number of pages: **{items}**. {time}\n"
    "- Your honest opinion counts.\n- You can stop at any time."
)


def available() -> list[str]:
    """Return the names of the instruments that come with Crowdwright."""
    return instruments.names_in(FOLDER)


def load(name: str, language: str = ORIGINAL) -> InstrumentFile:
    """Return the instrument of this name, in a language. Raises BadInstrument."""
    path = instruments.path_of(name, folder=FOLDER)
    return in_language(read(path), path=path, language=language)


def blank(language: str = ORIGINAL) -> InstrumentFile:
    """Return an instrument to start from: two texts, one question, and the usual consent text."""
    model = load("crowdrag-pairwise", language)
    with translation.override(language):
        title, instructions = gettext("Your own questions"), gettext(OWN)
    options = [scale for scale in model.scales if scale.key == "preference"]
    return InstrumentFile(
        name="own-questions",
        title=title,
        source="",
        item_kind="pair",
        instructions=instructions,
        consent=model.consent,
        criteria=[CriterionSpec("question-1", "")],
        scales=options,
        questions=[QuestionSpec("question-1", "question-1", "preference", "")],
    )


def read(path: Path) -> InstrumentFile:
    """Read and check an instrument file. Raises BadInstrument."""
    instrument = instruments.decoded(path, as_type=InstrumentFile)
    check(instrument, name=path.name)
    return instrument


def check(instrument: InstrumentFile, *, name: str) -> None:
    """Check what the types cannot express. Raises BadInstrument with all faults."""
    instruments.refuse(faults_of(instrument), name=name)


def faults_of(instrument: InstrumentFile) -> Iterable[Fault]:
    """Yield the faults that the types cannot express (annotation.studies.drafts.paths)."""
    try:
        kind = item_kind(instrument.item_kind)
    except LookupError as error:
        yield Fault("item_kind", translated_error(error))
        return
    if fault := unfit(designer=instrument.designer or kind.designer, kind=kind):
        yield Fault("designer", fault)
    yield from _repeated(
        "criteria", "criterion", [criterion.key for criterion in instrument.criteria]
    )
    yield from _repeated("scales", "scale", [scale.key for scale in instrument.scales])
    yield from _repeated("totals", "total", [total.key for total in instrument.totals])
    yield from _repeated(
        "questions", "question", [question.key for question in instrument.questions]
    )
    yield from _repeated(
        "exit_form", "exit form field", [form_field.key for form_field in instrument.exit_form]
    )
    if len(instrument.title) > TITLE_LENGTH:
        yield Fault(
            "title",
            gettext("the title has more than {title_length} characters").format(
                title_length=TITLE_LENGTH
            ),
        )
    yield from _question_faults(instrument)
    for scale in instrument.scales:
        yield from _scale_faults(scale, kind)
    asked_about = {question.criterion for question in instrument.questions}
    shown = [criterion.key for criterion in instrument.criteria if criterion.key not in asked_about]
    if any(slot.holds == Holds.CRITERION for slot in kind.slots) and not shown:
        yield Fault(
            "criteria",
            gettext("no criterion is left for the items, because each has its own question"),
        )
    yield from _document_faults(instrument.defaults, kind)


def _document_faults(figures: DesignDefaults, kind: ItemKind) -> Iterable[Fault]:
    where = "defaults/documents_scored_at_least"
    if figures.documents_scored_at_least is None:
        if figures.documents_annotations == "shown":
            yield Fault(
                where,
                gettext("set the lowest document score, or hide others' ratings"),
            )
    elif not shows_documents(kind):
        yield Fault(
            where,
            gettext("only comparisons of two texts can choose documents by score"),
        )


def _question_faults(instrument: InstrumentFile) -> Iterable[Fault]:
    if not instrument.questions:
        yield Fault("questions", gettext("add a question"))
    elif all(question.optional for question in instrument.questions):
        yield Fault("questions", gettext("make at least one question required"))
    criteria = {criterion.key for criterion in instrument.criteria}
    scales = {scale.key for scale in instrument.scales}
    for question in instrument.questions:
        where, name = joined("questions", question.key), f"question {question.key}"
        if question.criterion not in criteria:
            unknown = f"asks about an unknown criterion {question.criterion!r}"
            yield Fault(f"{where}/criterion", f"{name} {unknown}")
        if question.about and question.arity != "slot":
            yield Fault(
                f"{where}/about",
                gettext("only questions asked per text can be limited to some of the texts"),
            )
        if question.scale not in scales:
            yield Fault(
                f"{where}/scale",
                gettext("{name} uses an unknown scale {scale!r}").format(
                    name=name, scale=question.scale
                ),
            )


def _scale_faults(scale: ScaleSpec, kind: ItemKind) -> Iterable[Fault]:
    where = joined("scales", scale.key)
    if scale.kind == "range" and (
        scale.min is None or scale.max is None or not scale.min < scale.max or scale.step <= 0
    ):
        yield Fault(
            f"{where}/min",
            gettext("scale {key} needs min < max and a step above 0").format(key=scale.key),
        )
    if scale.kind != "options":
        return
    options = f"{where}/options"
    if len(scale.options) < 2:
        yield Fault(
            options, gettext("scale {key} has fewer than two options").format(key=scale.key)
        )
    yield from _repeated(
        options, f"option of scale {scale.key}", [option.code for option in scale.options]
    )
    for option in scale.options:
        name = f"option {option.code} of scale {scale.key}"
        for field, sentence in _option_faults(option, kind):
            yield Fault(f"{options}/{joined(option.code)}/{field}", f"{name} {sentence}")
    unscored = [o for o in scale.options if o.score is None and o.role != "abstain"]
    if scale.level == "interval" and unscored:
        yield Fault(
            f"{where}/level",
            gettext("scale {key} is an interval scale, so each option needs a score").format(
                key=scale.key
            ),
        )


def _option_faults(option: OptionSpec, kind: ItemKind) -> Iterable[tuple[str, str]]:
    """Yield the field and its fault."""
    if option.role == "slot" and not kind.slot(option.slot or ""):
        yield "slot", "isn't a slot of this item kind"
    if option.role == "score" and option.score is None:
        yield "score", "has no score"
    if option.polarity in ("best", "worst") and option.role != "slot":
        yield "polarity", "has a polarity, but doesn't choose a slot"
    if option.polarity == "positive" and option.role != "label":
        yield "polarity", "is positive, but isn't a label"


def _repeated(path: str, what: str, keys: list[str]) -> Iterable[Fault]:
    for key in sorted({key for key in keys if keys.count(key) > 1}):
        yield Fault(path, gettext("{what} {key!r} is listed twice").format(what=what, key=key))


def as_json(spec: Any) -> Any:
    """Return a specification as it is stored with a study."""
    return msgspec.to_builtins(spec)
