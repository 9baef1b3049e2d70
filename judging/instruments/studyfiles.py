"""Study definitions in the format of Gienapp et al. (SIGIR 2025), read as instruments.

`{instructions, type: pairwise | response, questions: [{name, text, description, options
{code: label}, justification}]}`. Options A and B of a pairwise study choose the left or the right
text, N is a tie; the codes of a pointwise study are its scores.
"""

from pathlib import Path, PurePath

import msgspec
from django.utils.translation import gettext

from annotation.studies.instruments import decoded_from
from annotation.studies.translations import ORIGINAL
from judging.instruments.design_schema import DesignDefaults
from judging.instruments.files import BadInstrument, check, load, read
from judging.instruments.schema import (
    CriterionSpec,
    InstrumentFile,
    OptionSpec,
    QuestionSpec,
    ScaleSpec,
)

PAIRWISE = {"A": ("slot", "a"), "N": ("tie", None), "B": ("slot", "b")}
CONSENT = "The study file carries its consent text in the instructions."


class StudyQuestion(msgspec.Struct, frozen=True):
    name: str
    text: str
    description: str
    options: dict[str, str]
    justification: bool = False


class StudyFile(msgspec.Struct, frozen=True):
    instructions: str
    type: str
    questions: list[StudyQuestion]


def find(name: str, language: str = ORIGINAL) -> InstrumentFile:
    """Return an instrument by name, in a language, or from a file: ours, or a study file.

    Raises BadInstrument.
    """
    path = Path(name)
    if path.suffix != ".json":
        return load(name, language)
    if not path.is_file():
        raise BadInstrument("no_file", gettext("File {name} not found.").format(name=name))
    try:
        return read(path)
    except BadInstrument as own:
        try:
            return read_study_file(path)
        except BadInstrument as other:
            both = f"neither an instrument ({own}) nor a study file ({other})"
            raise BadInstrument("neither_instrument_nor_study", both) from own


def read_study_file(path: Path) -> InstrumentFile:
    """Read a study definition as an instrument. Raises BadInstrument."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise BadInstrument("unreadable", f"{path.name}: {error}") from error
    return instrument_of(content, file=path)


def instrument_of(content: bytes, *, file: PurePath) -> InstrumentFile:
    """Return the instrument of a study definition. Raises BadInstrument."""
    study = decoded_from(content, as_type=StudyFile, name=file.name)
    kinds = {"pairwise": "pair", "response": "response"}
    if study.type not in kinds:
        raise BadInstrument(
            "unknown_type",
            gettext("{name}: type {type!r} is neither pairwise nor response").format(
                name=file.name, type=study.type
            ),
        )
    instrument = InstrumentFile(
        name=file.stem,
        title=file.stem.replace("_", " "),
        source="Gienapp et al., The Viability of Crowdsourcing for RAG Evaluation, SIGIR 2025",
        item_kind=kinds[study.type],
        instructions=study.instructions,
        consent=CONSENT,
        criteria=[
            CriterionSpec(
                question.name, question.name.replace("_", " ").capitalize(), question.description
            )
            for question in study.questions
        ],
        scales=[
            _scale(question, pairwise=study.type == "pairwise") for question in study.questions
        ],
        questions=[
            QuestionSpec(
                question.name,
                question.name,
                question.name,
                question.text,
                justification=question.justification,
            )
            for question in study.questions
        ],
        defaults=DesignDefaults(minimum_seconds=600 if study.type == "pairwise" else 300),
    )
    check(instrument, name=file.name)
    return instrument


def _scale(question: StudyQuestion, *, pairwise: bool) -> ScaleSpec:
    options = [
        _preference(code, label) if pairwise else _score(code, label)
        for code, label in question.options.items()
    ]
    return ScaleSpec(key=question.name, kind="options", options=options)


def _preference(code: str, label: str) -> OptionSpec:
    if code not in PAIRWISE:
        raise BadInstrument(
            "unknown_option",
            gettext("Option {code!r} of a pairwise question isn't A, N or B.").format(code=code),
        )
    role, slot = PAIRWISE[code]
    return OptionSpec(code=code, label=label, role="slot" if role == "slot" else "tie", slot=slot)


def _score(code: str, label: str) -> OptionSpec:
    try:
        return OptionSpec(code=code, label=label, role="score", score=float(code))
    except ValueError as error:
        raise BadInstrument(
            "not_a_number",
            gettext("Option {code!r} of a pointwise question isn't a number.").format(code=code),
        ) from error
