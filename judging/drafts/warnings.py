"""Warnings on a judging study that do not prevent its launch."""

from collections.abc import Iterable

from django.utils.translation import gettext, ngettext

from annotation.studies.drafts.kinds import Outline, instruments_of
from annotation.studies.drafts.paths import joined, names
from annotation.studies.drafts.schema import Document
from annotation.studies.instruments import Fault
from judging.instruments.copying import figures_of
from judging.instruments.entries import edited_in
from judging.instruments.schema import InstrumentFile
from judging.items.kinds import KINDS, Holds

LEAST_QUOTA = 3  # with two votes nobody knows who is right
MOST_SCREENS = 2
# What a phone 360 px wide and 740 high shows of a page, measured on pages of five methods: the
# estimate lies within a tenth of each.
WORDS_A_SCREEN = 120
QUESTIONS_A_SCREEN = 4.6
AROUND = 0.4  # a screen's worth of what stands around them


def remarks(document: Document, outline: Outline | None) -> Iterable[Fault]:
    for path, file in _with_paths(document):
        quota = file.defaults.quota
        if 0 < quota < LEAST_QUOTA:
            votes = (
                gettext("One vote") if quota == 1 else gettext("{quota} votes").format(quota=quota)
            )
            yield Fault(
                f"{path}/defaults/quota",
                gettext("{votes} per item can't resolve disagreements. Use three or more.").format(
                    votes=votes
                ),
            )
        if edited := len(edited_in(file)):
            yield Fault(
                f"{path}/criteria",
                ngettext(
                    "{n} edited entry becomes a new one without earlier grades.",
                    "{n} edited entries become new ones without earlier grades.",
                    edited,
                ).format(n=edited),
            )
    yield from _long_pages(document, outline)


def compares(document: Document) -> bool:
    """Return whether a method compares two texts, so that power can be computed."""
    kinds = [KINDS.get(instrument["item_kind"]) for instrument in document.instruments]
    return any(kind is not None and kind.compares_texts for kind in kinds)


def needs(file: InstrumentFile) -> frozenset[str]:
    """Return the parts of a corpus that items of this kind need."""
    slots = [slot for slot in KINDS[file.item_kind].slots if not slot.optional]
    parts = {str(slot.part or slot.holds) for slot in slots if slot.holds != Holds.CRITERION}
    if any(slot.holds == Holds.SEGMENT for slot in slots):
        parts.add(str(Holds.RESPONSE))  # that it is a part of
    return frozenset(parts)


def _long_pages(document: Document, outline: Outline | None) -> Iterable[Fault]:
    if outline is None or not outline.words_a_page:
        return
    files = list(_with_paths(document))
    for path, file in files:
        questions = sum(
            len(shown_file.questions)
            for at, shown_file in files
            if at == path or (document.design.one_page and made_alike(shown_file, file))
        )
        screens = screens_of(words=outline.words_a_page, questions=questions)
        if screens > MOST_SCREENS:
            sentence = gettext(
                "A page fills about {screens:.0f} phone screens "
                "({words_a_page:.0f} words, {questions})."
            )
            if len(files) > 1:
                sentence = gettext(
                    "A page of “{title}” fills about {screens:.0f} phone screens "
                    "({words_a_page:.0f} words, {questions})."
                )
            yield Fault(
                f"{path}/questions",
                sentence.format(
                    title=file.title,
                    screens=screens,
                    words_a_page=outline.words_a_page,
                    questions=_questions(questions),
                ),
            )


def made_alike(one: InstrumentFile, other: InstrumentFile) -> bool:
    """Return whether two instruments are asked of the same items."""
    return one.item_kind == other.item_kind and figures_of(one) == figures_of(other)


def _questions(number: int) -> str:
    return ngettext("{number} question", "{number} questions", number).format(number=number)


def screens_of(*, words: float, questions: int) -> float:
    """Return the approximate number of phone screens of a page."""
    return AROUND + words / WORDS_A_SCREEN + questions / QUESTIONS_A_SCREEN


def _with_paths(document: Document) -> Iterable[tuple[str, InstrumentFile]]:
    paths = (joined("instruments", name) for name in names(document.instruments))
    return zip(paths, instruments_of(document), strict=True)
