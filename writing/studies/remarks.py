"""Warnings about a writing study that can be launched. Only reads."""

from collections.abc import Iterable

from django.utils.translation import gettext

from annotation.studies.drafts.kinds import Outline, instruments_of
from annotation.studies.drafts.paths import joined, names
from annotation.studies.drafts.schema import Document
from annotation.studies.instruments import Fault

# Words a minute of a whole task, reading included: the writers of the CrowdRAG study had 25 minutes
# for 250 words (SIGIR 2025). Half and double of it are still plausible.
PACE = 10
SLOWEST, FASTEST = PACE / 2, PACE * 2


def remarks(document: Document, outline: Outline | None) -> Iterable[Fault]:
    instruments = instruments_of(document)
    for name, instrument in zip(names(document.instruments), instruments, strict=True):
        words, minutes = instrument.target_words, instrument.defaults.minutes
        if minutes < 1 or SLOWEST <= words / minutes <= FASTEST:
            continue
        careful = outline.careful_minutes if outline else 0
        fitting = max(1, round(max(words / PACE, careful)))
        # Much to read is a reason to have much time for few words.
        if words / minutes < SLOWEST and minutes <= 2 * fitting:
            continue
        yield Fault(
            joined("instruments", name, "defaults", "minutes"),
            gettext(
                "{minutes} min is unusual for {words} words. At CrowdRAG's {pace} words a minute, "
                "it takes {fitting} min."
            ).format(minutes=minutes, words=words, pace=PACE, fitting=fitting),
        )
