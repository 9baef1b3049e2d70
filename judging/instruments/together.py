"""What a study of several instruments tells its workers: one text, one form. Pure."""

from collections.abc import Sequence

from annotation.studies.forms import FieldSpec
from judging.instruments.files import InstrumentFile


def instructions_of(files: Sequence[InstrumentFile]) -> str:
    """The instructions of one instrument as they are; those of several as numbered parts.

    The figures of a part are its own: how many items of its kind there are, how long it takes.
    """
    if len(files) == 1:
        return files[0].instructions
    return "\n\n".join(
        f"# Part {part} of {len(files)}: {file.title}\n\n{own_instructions(file)}"
        for part, file in enumerate(files, start=1)
    )


def own_instructions(file: InstrumentFile) -> str:
    """The instructions, with the figures of this instrument and not of the whole questionnaire."""
    return file.instructions.replace("{items}", f"{{items:{file.item_kind}}}").replace(
        "{minutes}", str(file.defaults.minutes)
    )


def consent_of(files: Sequence[InstrumentFile]) -> str:
    """What workers agree to: the text of each instrument, a text that several share once.

    Where there are several texts each stands below the titles of its instruments.
    """
    sharing: dict[str, list[str]] = {}
    for file in files:
        if file.consent.strip():
            sharing.setdefault(file.consent.strip(), []).append(file.title)
    if len(sharing) <= 1:
        return next((file.consent for file in files if file.consent.strip()), "")
    return "\n\n".join(f"## {'; '.join(titles)}\n\n{text}" for text, titles in sharing.items())


def exit_form_of(files: Sequence[InstrumentFile]) -> list[FieldSpec]:
    """The fields of all; of those with the same key the first. Where there are several
    instruments, what is typed comes at the end."""
    if len(files) == 1:
        return files[0].exit_form
    fields = {field.key: field for file in reversed(files) for field in file.exit_form}
    order = dict.fromkeys(field.key for file in files for field in file.exit_form)
    return [fields[key] for key in sorted(order, key=lambda key: fields[key].kind == "text")]
