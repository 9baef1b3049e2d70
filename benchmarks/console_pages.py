"""Every page of the console, found by links, and what each costs.

The addresses are those of tests/config/access.py, whose test refuses an address that it has not:
a new one is measured, or it is left out here with the reason.
"""

import re
import time
from collections import defaultdict, deque
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from statistics import median
from typing import Any
from urllib.parse import parse_qsl, urljoin, urlsplit

from django.urls import ResolverMatch

from tests.config.access import CONSOLE
from tests.config.addresses import programs, rows_of

FEW = 2  # addresses that differ in nothing but which worker, item or text they are of
LINK = re.compile(r'(?:href|src|hx-get|data-address)="([^"]+)"')
SAME = ("pk", "pseudonym", "key", "study_kind", "method")  # what such addresses differ in
FILE = "a file"
ASKED = 60  # items of a machine: its list of calls has a second page
OF_RUN = ("results", "results_part", "results_rows", "topic_list", "vote_plans", "worker_list")
LEFT_OUT = {
    "old_instruments": "redirects to the methods",
    "codebook_file": FILE,
    "coder": "wants an LLM coder, which no imported study has",
    "coder_new": "wants a coding, which no imported study has",
    "author": "wants an LLM author, which no imported study has",
    "author_new": "wants a writing study",
    "authors": "wants a writing study",
    "session": "wants a session, which no imported study has",
    "session_recording": FILE,
    "code_unit": "wants a coding, which no imported study has",
    "coding": "wants a coding, which no imported study has",
    "corpus_image": FILE,
    "reconcile_coding": "wants a coding, which no imported study has",
    "study_image": FILE,
    "corpus_queries_csv": FILE,
    "corpus_queries_jsonl": FILE,
    "corpus_bank": "wants a bank, which no imported corpus has",
    "corpus_bank_board": "wants a bank, which no imported corpus has",
    "corpus_bank_impact": "wants a bank, which no imported corpus has",
    "corpus_bank_grid": "wants a bank, which no imported corpus has",
    "corpus_bank_grid_block": "wants a bank, which no imported corpus has",
    "corpus_bank_grid_cell": "wants a bank, which no imported corpus has",
    "corpus_bank_oversight": "wants a bank, which no imported corpus has",
    "corpus_bank_entry": "wants a bank, which no imported corpus has",
    "corpus_bank_round": "wants a bank, which no imported corpus has",
    "corpus_bank_round_new": "wants a bank, which no imported corpus has",
    "corpus_query_review": "wants proposed queries, which no imported corpus has",
    "corpus_query_round": "wants a round of queries, which no imported corpus has",
    "draft": "leads to its first section",
    "draft_document": FILE,
    "draft_pick_item": "wants a list of check items in the draft",
    "export": FILE,
    "judged": "leads to the queue",
    "label_upload": "wants an uploaded file of labels",
    "may_send": "the proxy asks it",
    "contact_participant": "wants a submission at Prolific",
    "money_reject": "wants work at Prolific that was rejected here",
    "money_statement": FILE,
    "results_plot": FILE,
    "results_table": FILE,
    "review_logs": FILE,
    "sample_csv": FILE,
    "study_document": FILE,
    "upload_faults": FILE,
    "upload_sample": FILE,
}
ON_PROLIFIC = ("at_prolific", "money", "recruit", "study")
BY_PERSONAL_LINK = ("contracts", "recruit", "study")


@dataclass(frozen=True)
class Page:
    """Cost of a page on its `first` view and again, with queries and size sent.

    `unprepared` is the cost before a worker ran, `simulated` the worker's own cost.
    """

    address: str
    path: str
    first: float
    again: float
    first_queries: int
    queries: int
    kilobytes: float
    unprepared: float
    simulated: float = 0.0

    @property
    def seconds(self) -> float:
        """What somebody waits for at worst."""
        return max(self.first, self.again)


def wanted() -> set[str]:
    """Return the addresses of all pages and fragments of researchers."""
    read = {row.name for row in rows_of(CONSOLE) if row.method == "GET"}
    return read - programs() - set(LEFT_OUT)


def pages_of(study: Any, *, only: Collection[str] = ()) -> Iterator[Page]:
    """Yield the pages of an administrator, found by links from a study, draft and upload.

    They are then visited again with recruitment by Prolific and personal links. `only` limits
    which addresses are measured; the others are read for their links.
    """
    from django.contrib.auth.models import User
    from django.test import Client

    owner, _ = User.objects.get_or_create(username="rita", is_staff=True, is_superuser=True)
    prepare()
    client = Client(HTTP_HOST="localhost")
    client.force_login(owner)
    yield from walked(client, ["/", *furnished(study, owner)], only=only)
    for how, names in (("prolific", ON_PROLIFIC), ("invitation", BY_PERSONAL_LINK)):
        asked = [name for name in names if not only or name in only]
        yield from _recruited(client, study, how, asked)


def furnished(study: Any, owner: Any) -> list[str]:
    """Create a draft, an LLM judge, an upload and a writing study; return unlinked addresses."""
    from django.urls import reverse
    from django.utils import timezone

    from annotation.corpora.uploads import gathering
    from annotation.studies.drafts import making
    from config import demonstrating
    from writing.instruments import files as writing_instruments
    from writing.studies import designing

    now = timezone.now()
    _make_machine(study, owner, now)
    draft = making.make_version(study=study, user=owner, now=now)
    upload = gathering.begin(owner=owner, name="Another corpus")
    written = designing.create_study(
        slug="written",
        title="Written",
        corpus=study.corpus,
        instrument=writing_instruments.load("crowdrag-writing"),
        seed=1,
        created_by=owner,
        contact="nobody: a benchmark",
        tasks_per_worker=3,
    )
    topics = list(study.corpus.topics.filter(passages__isnull=False).distinct()[:2])
    demonstrating.add_writing(study=written, name="written", topics=topics, now=now)
    demonstrating.fill_writing(study=written, now=now)
    at = [study.slug, study.version]
    return [
        draft.get_absolute_url(),
        f"{reverse('search')}?q=the",
        *(path for name in sorted(wanted()) for path in _addressed(name, study)),
        *(reverse("results_rows", args=[*at, name]) for name in tables_of(study)),
        reverse("draft_certainty", args=[draft.pk]),
        reverse("draft_plan_methods", args=[draft.pk]),
        reverse("draft_topics", args=[draft.pk]),
        reverse("upload", args=[upload.pk]),
        *(reverse("draft_page", args=[draft.pk, screen]) for screen in ("page", "finish")),
        reverse("person", args=[owner.pk]),
    ]


def _make_machine(study: Any, owner: Any, now: datetime) -> None:
    """Create an LLM judge with unsent calls."""
    from judging.machines import preparing, setting_up
    from judging.machines.prompt_variables import READY
    from judging.machines.setting_up import Character, Terms

    words = READY["plain"]
    prompt = setting_up.save_prompt(
        study=study, key="plain", system=words.system, user=words.user, by=owner, now=now
    )
    judge = setting_up.set_up(
        study=study,
        name="A model",
        prompt=prompt,
        character=Character(model="none"),
        terms=Terms(base_url="https://models.example.org/v1"),
        key="",
        by=owner,
        now=now,
    )
    judge.wanted = ASKED
    preparing.prepare(judge=judge)


def _addressed(name: str, study: Any) -> Iterator[str]:
    """Yield the address without arguments, of the study, or of its corpus."""
    from django.urls import NoReverseMatch, reverse

    at = {"slug": study.slug, "version": study.version}
    for places in ({}, at, {"slug": study.corpus.slug}):
        with suppress(NoReverseMatch):
            yield reverse(name, kwargs=places)


def tables_of(study: Any) -> list[str]:
    """Return the names of result tables, to which only long ones have links."""
    from analysis.models import Result

    rows = Result.objects.filter(step__run__study=study, step__analysis="agreement", missing="")
    return [f"agreement-{name}" for name in (rows.first() or Result(data={})).data][:1]


def _recruited(client: Any, study: Any, how: str, names: Sequence[str]) -> Iterator[Page]:
    """Pages of the study that are others where people come so."""
    from django.urls import reverse

    from annotation.models import Study

    rows = Study.objects.filter(pk=study.pk)
    rows.update(recruitment=how)
    for name in names:
        page, _ = measured(client, reverse(name, args=[study.slug, study.version]), name)
        if page is not None:
            yield replace(page, path=f"{page.path} ({how})")
    rows.update(recruitment=study.recruitment)


def walked(client: Any, starts: Sequence[str], *, only: Collection[str] = ()) -> Iterator[Page]:
    """Every page that links lead to, a few of those that differ only in which thing they show."""
    from django.urls import Resolver404, resolve

    waiting, seen, asked = deque(starts), set(starts), wanted()
    met: dict[Any, int] = defaultdict(int)
    while waiting:
        path = waiting.popleft()
        try:
            match = resolve(urlsplit(path).path)
        except Resolver404:
            continue
        kind = kind_of(match, urlsplit(path).query)
        if match.view_name not in asked or met[kind] >= FEW:
            continue
        met[kind] += 1
        if only and match.view_name not in only:
            html = _read(client, path)
        else:
            page, html = measured(client, path, match.view_name)
            if page is not None:
                yield page
        for link in LINK.findall(html):
            there = urljoin(path, link.replace("&amp;", "&")).split("#")[0]
            if there.startswith("/") and there not in seen and not there.startswith("/static/"):
                seen.add(there)
                waiting.append(there)


def _read(client: Any, path: str) -> str:
    """Return a page for its links; empty if it is no page."""
    answer = client.get(path)
    return answer.text if answer.status_code == 200 and not answer.streaming else ""


def kind_of(match: ResolverMatch, query: str) -> tuple[Any, ...]:
    """Return the common key of addresses that show the same kind of page."""
    of = {key: value for key, value in match.kwargs.items() if key not in SAME}
    return match.view_name, *sorted(of.items()), *sorted(key for key, _ in parse_qsl(query))


def measured(client: Any, path: str, name: str) -> tuple[Page | None, str]:
    """Return a page's cost and HTML; None for a redirect or refusal."""
    from tests.services.pages import cost_of

    answer = client.get(path)  # what is loaded once a process is loaded now
    if answer.status_code != 200 or answer.streaming:
        return None, ""
    first = cost_of(lambda: client.get(path), before=lambda: forget(to=PREPARED), of=median)
    unprepared = first
    if name in OF_RUN:
        unprepared = cost_of(lambda: client.get(path), before=forget, of=median)
    simulated = simulate()
    again = cost_of(lambda: client.get(path), of=median)
    page = Page(
        name,
        path,
        first.seconds,
        again.seconds,
        first.queries,
        again.queries,
        again.sent / 1000,
        unprepared.seconds,
        simulated,
    )
    return page, answer.text


Kept = tuple[str, str, Any]
PREPARED: list[Kept] = []  # what the worker has kept of the run, as it did when it was done


def prepare() -> None:
    """Run the job that follows a finished analysis (analysis.tasks.prepare)."""
    from analysis.models import AnalysisRun
    from analysis.pages.results import preparing
    from annotation.models import Kept as Entry

    forget()
    for run in AnalysisRun.objects.finished().select_related("study", "batch"):
        preparing.prepare(run=run)
    PREPARED[:] = Entry.objects.values_list("cache_key", "value", "expires")


def forget(*, to: Sequence[Kept] = ()) -> None:
    """Everything that is kept, but for what a worker had prepared; and all simulations."""
    from analysis.models import Forecast
    from annotation.models import Kept as Entry

    Forecast.objects.all().delete()
    Entry.objects.exclude(cache_key__in=[key for key, *_ in to]).delete()
    there = set(Entry.objects.values_list("cache_key", flat=True))
    Entry.objects.bulk_create(
        Entry(cache_key=key, value=value, expires=expires)
        for key, value, expires in to
        if key not in there
    )


def simulate() -> float:
    """Run the job that a page requested; return its CPU seconds."""
    from analysis.models import Forecast
    from analysis.pages.planning import simulating

    began = time.process_time()
    waiting = list(Forecast.objects.filter(state="waiting").values_list("pk", flat=True))
    for pk in waiting:
        simulating.work_on(pk=pk)
    return time.process_time() - began if waiting else 0.0
