"""How many people a draft needs, from its places and how many tasks one person may do.

Reads no records.
"""

from django.utils.translation import gettext, ngettext

from annotation.studies.drafts.kinds import Outline
from annotation.studies.drafts.schema import Document
from annotation.texts.number_formats import money


def people_needed(document: Document, outline: Outline) -> list[str]:
    """In sentences, with what the places cost; the first has the number."""
    most = document.recruitment.tasks_per_worker
    fewest, places = outline.people(tasks_per_worker=most)
    if not 0 < most < 10**6:  # it is a fault of its own
        return []
    taken = ngettext("{n} place", "{n} places", places).format(n=f"{places:,}")
    tasks_text = ngettext("{n} task per participant", "up to {n} tasks per participant", most)
    people = ngettext("{n} participant needed.", "{n} participants needed.", places)
    if fewest < places:
        people = gettext("{fewest} to {n} participants needed.")
    sentences = [
        gettext("{places}, {tasks}: {people}").format(
            places=taken,
            tasks=tasks_text.format(n=most),
            people=people.format(fewest=f"{fewest:,}", n=f"{places:,}"),
        )
    ]
    if outline.pay.is_finite() and 0 < outline.pay < 10**6:  # else it is a fault of its own
        paid = gettext("{places} × {pay} = {cost}.")
        if document.recruitment.has_fees:
            paid = gettext("{places} × {pay} = {cost}, without fees.")
        sentences.append(
            paid.format(
                places=taken,
                pay=money(outline.pay, outline.currency),
                cost=money(outline.cost, outline.currency),
            )
        )
    if most > 1 and outline.most_for_one:
        sentences.append(gettext("No one gets a topic twice."))
    return sentences
