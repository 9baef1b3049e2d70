"""What each act on a batch comes to, in sentences with counts and money: said before it is done."""

from annotation.studies.effects import Effect, Offer


def _money(offer: Offer) -> str:
    """What its places cost if all are taken."""
    cost, said = offer.cost, f"{offer.cost.total:,.2f} {offer.cost.currency}"
    return f"{said} with {cost.fees:,.2f} of fees" if cost.fees else said


def _counted(n: int, one: str, many: str = "") -> str:
    return f"{n:,} {one if n == 1 else many or one + 's'}"


def opens(effect: Effect) -> list[str]:
    offer = effect.after
    return [
        f"{_counted(offer.places, 'place')} on {_counted(offer.tasks, 'task')} are open from then "
        f"on: work for {offer.people} people, {offer.hours:,.1f} hours in all.",
        f"It costs {_money(offer)} if every place is taken. Nothing is paid for places that stay "
        "free: you can pause or close the batch at any time.",
    ]


def _at_work(offer: Offer) -> str:
    if not offer.at_work:
        return "Nobody is at work in it just now."
    who = _counted(offer.at_work, "person is", "people are")
    return f"{who} at work: they keep their places, may finish and are paid."


def pauses(effect: Effect) -> list[str]:
    free = _counted(effect.after.free, "free place waits", "free places wait")
    return [f"Nobody new begins; {free} until you let the batch go on.", _at_work(effect.after)]


def resumes(effect: Effect) -> list[str]:
    free = _counted(effect.after.free, "place")
    return [f"People can begin again: {free} for {_money_left(effect.after)}."]


def _money_left(offer: Offer) -> str:
    return f"{offer.left.total:,.2f} {offer.left.currency}"


def closes(effect: Effect) -> list[str]:
    free = effect.after.free
    stay = _counted(free, "place stays", "places stay")
    unspent = f" and {_money_left(effect.after)} unspent" if effect.after.pay else ""
    return [
        f"Nobody new begins; {stay} empty{unspent}." if free else "Nobody new begins.",
        _at_work(effect.after),
        "The analysis begins at once. A closed batch does not open again.",
    ]


def extends(effect: Effect) -> list[str]:
    more, now = effect.added, effect.after
    return [
        f"{_counted(more.places, 'further place')}: {_counted(now.votes, 'worker')} for each of "
        f"{_counted(now.tasks, 'task')}, {_counted(now.places, 'place')} in all. Work for at most "
        f"{_counted(more.places, 'further person', 'further people')}, {more.hours:,.1f} hours.",
        f"It costs {_money(more)} more if every place is taken; places that were added do not go "
        "again, but stay unpaid where nobody takes them.",
    ]


def sets(effect: Effect) -> list[str]:
    offer = effect.after
    wage = f", {offer.wage:,.2f} {offer.cost.currency} an hour" if offer.wage else ""
    return [
        f"A task pays {offer.pay:,.2f} {offer.cost.currency} for {offer.minutes} min{wage}.",
        f"{_counted(offer.tasks, 'task')} × {_counted(offer.votes, 'worker')} = "
        f"{_counted(offer.places, 'place')} for {_money(offer)}.",
        "Nobody is let in yet: the batch waits until you open it.",
    ]


def makes(effect: Effect) -> list[str]:
    offer = effect.after
    return [
        f"A further batch, “{offer.batch.name}”: {_counted(offer.tasks, 'task')} × "
        f"{_counted(offer.votes, 'worker')} = {_counted(offer.places, 'place')}, work for "
        f"{offer.people} people, {offer.hours:,.1f} hours.",
        f"It costs {_money(offer)} if every place is taken. Nobody is let in yet: the batch waits "
        "until you open it. Nobody meets in it what they have met before.",
    ]
