"""Server time of the pages of a bank: `python -m benchmarks.banks`.

A bank of the size of TREC DL 2020: 54 topics of 10 entries and 11,386 passages, each graded by a
model on the entries of its topic and a tenth of them by a person; 59 systems that rank 100 passages
a topic; 12 entries edited since. And a bank of one topic, of 1,000 passages and 100 entries: a grid
of 100,000 cells. Seconds are those that the server and its connection to the database compute.
Each page is measured again and after a new grade (the middle one of three tries), and once on its
first look.
Promised: 150 ms and 300 kB.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from statistics import median
from typing import Any

from benchmarks.bank_study import NOW, BankSize, build
from benchmarks.installation import installation
from benchmarks.measuring import in_child
from benchmarks.reporting import Row, load_now, report

SIZES = {"dl20": BankSize(54, 10, 11_386), "wide": BankSize(1, 100, 1_000)}
MOST_SECONDS, MOST_KILOBYTES = 0.15, 300
HEADS = ("page", "ms again", "first", "after a grade", "queries again", "first", "kB", "holds")


@dataclass(frozen=True)
class Cost:
    """Cost of a page: seconds and queries again and on the first look, seconds after a grade."""

    name: str
    again: float
    first: float
    graded: float
    queries: int
    first_queries: int
    kilobytes: float

    @property
    def holds(self) -> bool:
        slowest = max(self.again, self.first, self.graded)
        return slowest <= MOST_SECONDS and self.kilobytes <= MOST_KILOBYTES


def main() -> None:
    load = load_now()
    (costs, foreseen), _ = in_child(_measured)
    n = "54 topics x 10 entries, 11,386 passages, 125,000 grades; a grid of 100,000 cells"
    rows = []
    for what, of in (
        ("slowest page of a bank", lambda cost: cost.again),
        ("slowest page of a bank, on its first look", lambda cost: cost.first),
        ("slowest page of a bank after a new grade", lambda cost: cost.graded),
    ):
        slowest = max(costs, key=of)
        rows.append(Row(what=what, n=n, ours=of(slowest), most=MOST_SECONDS, remark=slowest.name))
    largest = max(costs, key=lambda cost: cost.kilobytes)
    rows += [
        Row(what="largest page of a bank, as it is sent", n=n, ours=largest.kilobytes, unit="kB",
            most=MOST_KILOBYTES, remark=largest.name),
        Row(what="counting the cells and the cost of the next round", n=n, ours=foreseen),
    ]  # fmt: skip
    report("banks", rows, load=load, notes=(table_of(costs),))


def table_of(costs: list[Cost]) -> str:
    lines = [HEADS, tuple("---" for _ in HEADS)]
    for cost in sorted(costs, key=lambda cost: -max(cost.again, cost.first, cost.graded)):
        seconds = (cost.again, cost.first, cost.graded)
        cells = (
            cost.name, *(f"{1000 * s:.0f}" for s in seconds), str(cost.queries),
            str(cost.first_queries), f"{cost.kilobytes:.1f}", "yes" if cost.holds else "**no**",
        )  # fmt: skip
        lines.append(cells)
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)


def _measured() -> tuple[list[Cost], float]:
    with installation():
        banks = {slug: build(slug, size) for slug, size in SIZES.items()}
        return list(costs_of(**banks)), foreseen_seconds(banks["dl20"])


def costs_of(dl20: Any, wide: Any, only: str = "") -> Iterator[Cost]:
    """Yield the cost of each page whose name contains `only`."""
    from django.contrib.auth.models import User
    from django.db import connection
    from django.test import Client
    from django.test.utils import CaptureQueriesContext

    from annotation.models import Kept
    from config import wsgi
    from tests.services.pages import computed, cost_of

    assert wsgi.application
    owner, _ = User.objects.get_or_create(username="rita", is_staff=True, is_superuser=True)
    client = Client(HTTP_HOST="localhost")
    client.force_login(owner)

    def forget() -> None:
        Kept.objects.filter(cache_key__contains="bank-board").delete()

    for name, path, bank in pages_of(dl20, wide):
        if only not in name:
            continue

        def ask(path: str = path) -> Any:
            answer = client.get(path)
            assert answer.status_code == 200, (path, answer.status_code)
            return answer

        ask()
        forget()
        began = computed()
        with CaptureQueriesContext(connection) as captured:
            ask()
        first = computed() - began
        again = cost_of(ask, of=median)
        graded = cost_of(ask, before=regrading(bank), of=median)
        yield Cost(
            name, again.seconds, first, graded.seconds, again.queries, len(captured),
            again.sent / 1000,
        )  # fmt: skip


def regrading(bank: Any) -> Callable[[], None]:
    """Return a function that changes one more grade of the bank."""
    from judging.models import Judgment

    judgments = Judgment.objects.filter(question__instrument__bank=bank, rater__kind="expert")
    pks = iter(list(judgments.order_by("pk").values_list("pk", flat=True)[:100]))

    def regrade() -> None:
        regrade.number += 1
        at = NOW + timedelta(minutes=regrade.number)
        Judgment.objects.filter(pk=next(pks)).update(score=5, value="5", raw="5", answered_at=at)

    regrade.number = NUMBERS.setdefault("last", 0) + 100
    NUMBERS["last"] = regrade.number
    return regrade


NUMBERS: dict[str, int] = {}


def pages_of(dl20: Any, wide: Any) -> Iterator[tuple[str, str, Any]]:
    """Yield name, path and bank of each page."""
    from django.urls import reverse

    from judging.pages.banks import OVERSIGHT

    def path(name: str, *more: int, of: Any = dl20) -> str:
        return reverse(name, args=[of.corpus.slug, of.pk, *more])

    entry = dl20.entries.order_by("-pk").last().pk
    topic, edited = dl20.entries.order_by("pk").first().topic_id, dl20.entries.order_by("pk").last()
    yield "banks", reverse("corpus_banks", args=[dl20.corpus.slug]), dl20
    yield "list", path("corpus_bank"), dl20
    yield "list, last page", path("corpus_bank") + "?page=11", dl20
    yield "list, search", path("corpus_bank") + "?q=subject+t01+source", dl20
    yield "list, all states", path("corpus_bank") + "?state=all", dl20
    yield "entry", path("corpus_bank_entry", entry), dl20
    yield "entry, edited", path("corpus_bank_entry", edited.pk), dl20
    yield "impact", path("corpus_bank_impact", entry), dl20
    for name in OVERSIGHT:
        yield f"oversight, {name}", path("corpus_bank_oversight") + f"?list={name}", dl20
    yield "leaderboard", path("corpus_bank_board"), dl20
    before = f"?before={dl20.revision - 24}"
    yield "leaderboard, compared with a revision", path("corpus_bank_board") + before, dl20
    for bank, of_topic in ((dl20, topic), (wide, wide.entries.first().topic_id)):
        slug = bank.corpus.slug
        where = f"?topic={of_topic}"
        yield f"grid, {slug}", path("corpus_bank_grid", of=bank) + where, bank
        yield f"grid block, {slug}", path("corpus_bank_grid_block", of=bank) + where, bank
    passage = dl20.corpus.topics.get(pk=topic).passages.first().pk
    cell = f"?entry={entry}&text=passage-{passage}"
    yield "grid cell", path("corpus_bank_grid_cell") + cell, dl20
    yield "impact, wide", path("corpus_bank_impact", wide.entries.first().pk, of=wide), wide
    yield "oversight, wide", path("corpus_bank_oversight", of=wide), wide
    yield "list, wide", path("corpus_bank", of=wide), wide


def foreseen_seconds(bank: Any) -> float:
    """Return the CPU seconds of counting the cells that the next batch would ask."""
    from annotation.studies.creating import next_batch
    from judging.banks import next_rounds
    from judging.models import Instrument
    from tests.services.pages import computed

    study = Instrument.objects.get(bank=bank).study
    batch = study.batches.first() or next_batch(study=study, name="main")
    began = computed()
    next_rounds.foreseen(batch=batch)
    return computed() - began


if __name__ == "__main__":
    main()
