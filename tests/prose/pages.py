"""Words of the demo's pages: `CROWDWRIGHT_VAR=var/demo python -m tests.prose.pages`, as JSON."""

import json
import os
import sys
from typing import TYPE_CHECKING

import django

if TYPE_CHECKING:
    from django.contrib.auth.models import User
    from django.core.files.uploadedfile import SimpleUploadedFile
    from django.test import Client

    from annotation.models import Study

TABLE = """question,system,answer
Why do leaves turn red in autumn?,Engine A,"The green fades, and some trees make a red pigment."
Why do leaves turn red in autumn?,Engine B,Cold nights keep sugar in the leaf.
How do lamps work?,Engine A,A current heats a wire until it glows.
How do lamps work?,Engine B,Light comes from a diode.
"""


def main() -> None:
    """Measure all pages; what is made for this is rolled back."""
    from django.contrib.auth.models import User
    from django.db import transaction

    from tests.prose.budgets import BUDGETS, words_of

    with transaction.atomic():
        rita, addresses = _prepared()
        newcomer = _browser_of(User.objects.create_user("newcomer"))
        pages: dict[tuple[str, bool], str] = {}
        words = {}
        for budget in BUDGETS:
            address = budget.address.format(**addresses)
            key = address, budget.newcomer
            if key not in pages:
                response = (newcomer if budget.newcomer else rita).get(address, follow=True)
                if response.status_code != 200:
                    raise SystemExit(f"{address} is answered {response.status_code}")
                pages[key] = response.content.decode()
            words[budget.page] = words_of(pages[key], budget)
        transaction.set_rollback(True)
    json.dump(words, sys.stdout, indent=2)


def _browser_of(user: "User") -> "Client":
    from django.test import Client

    client = Client(HTTP_HOST="localhost")
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client


def _prepared() -> tuple["Client", dict[str, str]]:
    """Return Rita's browser, and the addresses of a draft, checked uploads and two panels."""
    from django.contrib.auth.models import User
    from django.core.files.uploadedfile import SimpleUploadedFile
    from django.urls import reverse
    from django.utils import timezone

    from annotation.corpora.uploads import checking
    from annotation.models import Assignment, CorpusUpload, Study
    from annotation.studies.drafts import making

    rita = User.objects.get(username="rita")
    client = _browser_of(rita)
    study = Study.objects.get(slug="demo-pairwise")
    draft = making.make_version(study=study, user=rita, now=timezone.now())
    page = client.post("/uploads/new/", {"name": "Autumn", "licence": "CC0"}).url
    file = SimpleUploadedFile("answers.csv", TABLE.encode())
    client.post(f"{page}files/", {"files": file})
    client.post(f"{page}change/", {"act": "check", "origin": "llm"})
    upload = CorpusUpload.objects.latest("pk")
    checking.work_on(pk=upload.pk)
    upload.refresh_from_db()
    if upload.state != CorpusUpload.State.CHECKED:
        raise SystemExit(f"the upload is {upload.state}: {upload.problem}")
    labels = client.post("/studies/demo-pairwise/1/raters/labels/", {"file": _labels_of(study)}).url
    waiting = Assignment.objects.filter(
        study__slug="demo-writing", state=Assignment.State.SUBMITTED
    ).earliest("pk")
    panel = reverse("review_panel", args=["demo-writing", 1, waiting.pk])
    return client, {
        "draft": f"/drafts/{draft.pk}/",
        "upload": page,
        "panel": panel,
        "judging_panel": _judging_panel(),
        "labels": labels,
    }


def _judging_panel() -> str:
    """Return the address of the panel of the waiting submission that has most to show."""
    from django.urls import reverse
    from django.utils import timezone

    from analysis.models import AgreementWithOthers
    from analysis.pages.review import comparing
    from annotation.models import Assignment

    for task in comparing.uncompared():
        comparing.compare(task=task, now=timezone.now())
    waiting = AgreementWithOthers.objects.filter(
        assignment__study__slug="demo-pairwise", assignment__state=Assignment.State.SUBMITTED
    )
    lowest = waiting.order_by("high", "pk")[0]
    return reverse("review_panel", args=["demo-pairwise", 1, lowest.assignment_id])


def _labels_of(study: "Study") -> "SimpleUploadedFile":
    """Return a file with a vote on each item of a study, for each question."""
    from django.core.files.uploadedfile import SimpleUploadedFile

    keys = study.items.values_list("key", flat=True)
    questions = study.questions.exclude(scale__kind="text").values_list("key", flat=True)
    rows = [f"{key},{question},a" for key in keys for question in questions]
    return SimpleUploadedFile("gold.csv", "\n".join(["item,question,value", *rows]).encode())


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    main()
