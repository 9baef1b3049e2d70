"""Instructions, consent and form of a study with several instruments."""

from collections.abc import Sequence

from django.utils import translation
from django.utils.translation import gettext

from annotation.studies.forms import FieldSpec
from annotation.studies.translations import ORIGINAL
from annotation.texts.task_times import time_sentence
from judging.instruments.schema import InstrumentFile


def instructions_of(
    files: Sequence[InstrumentFile], language: str = ORIGINAL, *, numbered: bool = True
) -> str:
    """Return the instructions, of several instruments as parts, numbered unless on one page.

    The figures of a part are its own: its number of items, and its time.
    """
    if len(files) == 1:
        return files[0].instructions
    with translation.override(language):
        heads = [
            gettext("Part {part} of {parts}: {title}").format(
                part=part, parts=len(files), title=file.title
            )
            if numbered
            else file.title
            for part, file in enumerate(files, start=1)
        ]
    return "\n\n".join(
        f"# {head}\n\n{own_instructions(file, language=language)}"
        for head, file in zip(heads, files, strict=True)
    )


def own_instructions(file: InstrumentFile, *, language: str) -> str:
    """Return the instructions with the figures of this instrument, not of the questionnaire."""
    own = file.instructions.replace("{items}", f"{{items:{file.item_kind}}}")
    minutes = file.defaults.minutes
    return own.replace("{time}", time_sentence(minutes, None, language=language)).replace(
        "{minutes}", str(minutes)
    )


def consent_of(files: Sequence[InstrumentFile]) -> str:
    """Return the consent text of all instruments, a shared text once.

    Several texts are below the titles of their instruments.
    """
    sharing: dict[str, list[str]] = {}
    for file in files:
        if file.consent.strip():
            sharing.setdefault(file.consent.strip(), []).append(file.title)
    if len(sharing) <= 1:
        return next((file.consent for file in files if file.consent.strip()), "")
    return "\n\n".join(f"## {'; '.join(titles)}\n\n{text}" for text, titles in sharing.items())


def exit_form_of(files: Sequence[InstrumentFile]) -> list[FieldSpec]:
    """Return the fields of all instruments, the first of those with the same key.

    With several instruments, text fields come last.
    """
    if len(files) == 1:
        return files[0].exit_form
    fields = {field.key: field for file in reversed(files) for field in file.exit_form}
    order = dict.fromkeys(field.key for file in files for field in file.exit_form)
    return [fields[key] for key in sorted(order, key=lambda key: fields[key].kind == "text")]
