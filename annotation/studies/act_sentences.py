"""Effects of an act on a batch in sentences with counts and money, for confirmation."""

from django.utils.translation import gettext, ngettext

from annotation.models import Study
from annotation.studies.act_effects import ActEffect, BatchTerms


def _money(offer: BatchTerms) -> str:
    cost, amount = offer.cost, f"{offer.cost.total:,.2f} {offer.cost.currency}"
    if not cost.fees:
        return amount
    return gettext("{cost} including {fees:,.2f} in fees").format(cost=amount, fees=cost.fees)


def _places(n: int) -> str:
    return ngettext("{n:,} place", "{n:,} places", n).format(n=n)


def _tasks(n: int) -> str:
    return ngettext("{n:,} task", "{n:,} tasks", n).format(n=n)


def _workers(n: int) -> str:
    return ngettext("{n:,} participant", "{n:,} participants", n).format(n=n)


def opens(effect: ActEffect) -> list[str]:
    offer = effect.after
    return [
        gettext("Opens {places} for {tasks}: {hours:,.1f} hours, {people} participants.").format(
            places=_places(offer.places),
            tasks=_tasks(offer.tasks),
            people=offer.people,
            hours=offer.hours,
        ),
        gettext(
            "Costs {money} if all places are taken. You can pause or close at any time."
        ).format(money=_money(offer)),
    ]


def _at_work(offer: BatchTerms) -> str:
    if not offer.at_work:
        return gettext("No one is working in this batch.")
    return ngettext(
        "{n:,} participant still working can finish and is paid.",
        "{n:,} participants still working can finish and are paid.",
        offer.at_work,
    ).format(n=offer.at_work)


def _on_platform(offer: BatchTerms, sentence: str) -> list[str]:
    """Return what happens with the study at its platform, where it is there."""
    on_prolific = offer.study.recruitment == Study.Recruitment.PROLIFIC
    return [sentence] if on_prolific and offer.study.platform_studies.all() else []


def pauses(effect: ActEffect) -> list[str]:
    free = effect.after.free
    on_platform = _on_platform(
        effect.after,
        gettext("Pauses the study on Prolific unless another batch at this pay is open."),
    )
    if not free:
        return [
            gettext("No new participants can join this batch."),
            _at_work(effect.after),
            *on_platform,
        ]
    nobody = ngettext(
        "No new participants can join this batch. {n:,} open place remains.",
        "No new participants can join this batch. {n:,} open places remain.",
        free,
    )
    return [nobody.format(n=free), _at_work(effect.after), *on_platform]


def resumes(effect: ActEffect) -> list[str]:
    return [
        gettext("New participants can join again ({places}, {money}).").format(
            places=_places(effect.after.free), money=_money_left(effect.after)
        ),
        *_on_platform(
            effect.after, gettext("Resumes the study on Prolific if it is paused there.")
        ),
    ]


def _money_left(offer: BatchTerms) -> str:
    return f"{offer.left.total:,.2f} {offer.left.currency}"


def closes(effect: ActEffect) -> list[str]:
    return [
        _stay_empty(effect.after),
        _at_work(effect.after),
        gettext("The analysis starts immediately. You can't reopen a closed batch."),
        *_on_platform(
            effect.after,
            gettext("Also stops the study on Prolific if no other batch at this pay is left."),
        ),
    ]


def _stay_empty(offer: BatchTerms) -> str:
    if not offer.free:
        return gettext("No new participants can join this batch.")
    if offer.pay:
        sentence = ngettext(
            "No new participants can join this batch. {n:,} place stays empty "
            "and {money} is not spent.",
            "No new participants can join this batch. {n:,} places stay empty "
            "and {money} is not spent.",
            offer.free,
        )
    else:
        sentence = ngettext(
            "No new participants can join this batch. {n:,} place stays empty.",
            "No new participants can join this batch. {n:,} places stay empty.",
            offer.free,
        )
    return sentence.format(n=offer.free, money=_money_left(offer))


def extends(effect: ActEffect) -> list[str]:
    more, now = effect.added, effect.after
    further = ngettext("{n:,} more place", "{n:,} more places", more.places)
    people = ngettext("{n:,} more participant", "{n:,} more participants", more.places)
    return [
        gettext(
            "{further}: {tasks} × {workers}, {places} in total. {hours:,.1f} hours for up to "
            "{people}."
        ).format(
            further=further.format(n=more.places),
            workers=_workers(now.votes),
            tasks=_tasks(now.tasks),
            places=_places(now.places),
            people=people.format(n=more.places),
            hours=more.hours,
        ),
        gettext("Costs up to {money} more. You can't remove places later.").format(
            money=_money(more)
        ),
    ]


def sets(effect: ActEffect) -> list[str]:
    offer = effect.after
    return [
        _pays(offer),
        gettext("{tasks} × {workers} = {places} for {money}.").format(
            tasks=_tasks(offer.tasks),
            workers=_workers(offer.votes),
            places=_places(offer.places),
            money=_money(offer),
        ),
        gettext("Participants can start once you open the batch."),
    ]


def _pays(offer: BatchTerms) -> str:
    expected = offer.expected
    pays = gettext("{pay:,.2f} {currency} for {minutes} min.")
    if expected.measured and expected.wage:
        pays = gettext(
            "{pay:,.2f} {currency} for {minutes} min. Measured {measured} min: {wage:,.2f} "
            "{currency} an hour."
        )
    elif expected.is_longer and expected.wage:
        pays = gettext(
            "{pay:,.2f} {currency} for {minutes} min. Estimated {careful} min: {wage:,.2f} "
            "{currency} an hour."
        )
    elif expected.wage:
        pays = gettext("{pay:,.2f} {currency} for {minutes} min, {wage:,.2f} {currency} an hour.")
    sentence = pays.format(
        pay=offer.pay,
        currency=offer.cost.currency,
        minutes=offer.minutes,
        careful=expected.careful,
        measured=round(expected.honest),
        wage=expected.wage,
    )
    if expected.wage and expected.is_below:
        sentence += " " + gettext("The target is {target:,.2f} {currency}.").format(
            target=expected.target, currency=offer.cost.currency
        )
    return sentence


def makes(effect: ActEffect) -> list[str]:
    offer = effect.after
    return [
        gettext(
            "New batch “{batch}”: {tasks} × {workers} = {places}, {hours:,.1f} hours for "
            "{people} participants."
        ).format(
            batch=offer.batch.name,
            tasks=_tasks(offer.tasks),
            workers=_workers(offer.votes),
            places=_places(offer.places),
            people=offer.people,
            hours=offer.hours,
        ),
        gettext("Costs up to {money}. Participants can start once you open the batch.").format(
            money=_money(offer)
        ),
    ]


def asks_undecided(effect: ActEffect) -> list[str]:
    items = ngettext(
        "{items:,} of {n:,} undecided item.",
        "{items:,} of {n:,} undecided items.",
        effect.undecided,
    )
    rule = gettext(
        "An item is undecided if fewer than 5 in 7 of its questions have an answer with at "
        "least 60% of the votes."
    )
    bias = gettext(
        "These votes bias agreement. In the analysis, set “Votes per item” to this batch's number."
    )
    drawn = items.format(items=effect.items, n=effect.undecided)
    return [f"{drawn} {rule}", bias, *makes(effect)]


def asks_cells(effect: ActEffect) -> list[str]:
    cells = ngettext(
        "{n:,} entry-text pair not yet graded by a person.",
        "{n:,} entry-text pairs not yet graded by a person.",
        effect.cells,
    )
    return [cells.format(n=effect.cells), *makes(effect)]
