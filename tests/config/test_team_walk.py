"""A person walks all addresses of their own study with the names and ids of another team's rows.

The table of access cannot catch this: the address is the person's own, what they send is not.
"""

from collections.abc import Iterator
from typing import Any

import pytest
from django.apps import apps
from django.contrib.auth.models import User

from annotation.fieldwork.screening.qualifying import qualify
from annotation.models import (
    Assignment,
    Contract,
    Role,
    SavedView,
    Study,
)
from annotation.people.access import inviting
from annotation.studies.drafts import making
from judging.models import Judgment, MachineJudge, Prompt, QueryPrompt, QueryRound, Rater
from judging.raters.registering import register
from tests.annotation.people.access.people import join, somebody
from tests.cast import NOW, bob, small_study, submitted
from tests.config.access import CONSOLE
from tests.config.addresses import rows_of
from tests.config.askers import Undo, client_of, same_again
from tests.config.teams import PATHS
from tests.config.test_access import console_address, posted

pytestmark = pytest.mark.django_db
WORD = "Xylophonkasten"
# What the pages of people and of an own account show of the person who walks.
ROWS = [row for row in rows_of(CONSOLE) if row.cells["may"] != "administer"]


@pytest.fixture
def theirs() -> Study:
    """Return a study of Olga's team, with the word in every name that a person gives there."""
    study = small_study(slug="theirs", quota=3)
    Study.objects.filter(pk=study.pk).update(title=f"{WORD} study")
    olga = somebody("olga")
    for thing in (study, study.corpus):
        join(olga, thing, Role.OWNER)
    submitted(study, bob())
    qualify(workers=[bob()], name=WORD, by="olga", now=NOW, study=study)
    register(name=f"{WORD} expert", kind="expert", team=study.team)
    register(name=f"{WORD} model", kind="model", model="m", team=study.team)
    SavedView.objects.create(study=study, user=olga, name=WORD, query="marked=yes")
    Contract.objects.create(study=study, worker=bob(), name=WORD, token_hash="x", made_at=NOW)
    prompt = Prompt.objects.create(
        study=study, key=WORD, version=1, system=WORD, user=WORD, made_at=NOW
    )
    MachineJudge.objects.create(
        study=study,
        name=WORD,
        rater=Rater.objects.get(name=f"{WORD} model"),
        prompt=prompt,
        base_url="https://models.example",
        model="m",
        made_at=NOW,
    )
    output = QueryPrompt.objects.create(
        corpus=study.corpus, key=WORD, version=1, system=WORD, user=WORD, made_at=NOW
    )
    QueryRound.objects.create(
        corpus=study.corpus,
        name=WORD,
        prompt=output,
        base_url="https://models.example",
        model="m",
        made_at=NOW,
        number=3,
        seed=1,
    )
    making.make_version(study=study, user=olga, now=NOW)
    inviting.invite(team=study.team, role=Role.VIEWER, by=olga, now=NOW, name=WORD)
    return study


@pytest.fixture
def mine(theirs: Study) -> Study:
    """Return a study of Mallory, on a corpus of her own; Bob works there as well."""
    study = small_study(slug="mine", quota=3, corpus=own_corpus())
    mallory = somebody("mallory")
    for thing in (study, study.corpus):
        join(mallory, thing, Role.OWNER)
    submitted(study, bob())
    making.make_version(study=study, user=mallory, now=NOW)
    return study


def own_corpus() -> Any:
    from tests.cast import small_corpus

    return small_corpus(slug="own")


def rows_of_team(study: Study) -> dict[str, list[Any]]:
    """Every row of a team, by model, with what hangs on the raters of its answers."""
    rows: dict[str, list[Any]] = {
        label: list(
            apps.get_model(label)
            ._base_manager.filter(**{path.replace(".", "__"): study.team_id})
            .order_by("pk")
            .values()
        )
        for label, path in PATHS.items()
    }
    answers = Judgment.objects.filter(item__study=study).order_by("pk")
    rows["raters"] = list(answers.values_list("pk", "rater__kind", "rater__pseudonym"))
    rows["audit"] = list(study.team.audit_entries.values_list("pk", flat=True))
    return rows


def foreign(study: Study) -> Iterator[dict[str, Any]]:
    """Yield Mallory's requests with names and primary keys of the other team."""
    everywhere = {
        "user": User.objects.get(username="olga").pk,
        "invitation": study.team.invitations.get().pk,
        "worker": [bob().pk],
        "rater": "bob",
        "prompt": WORD,
        "judge": WORD,
        "view": study.savedview_set.get().pk if hasattr(study, "savedview_set") else 1,
        "batch": "1",
        "corpus": study.corpus.slug,
        "of": study.pk,
        "decision": "accept",
        "role": "viewer",
        "session": "others",
    }
    for do, name in (
        ("take", WORD),
        ("give", WORD),
        ("expert", "bob"),
        ("remove", f"{WORD} expert"),
        ("delete", WORD),
    ):
        yield everywhere | {"name": name, "do": do, "act": do}


def foreign_keys(study: Study) -> list[int]:
    """Primary keys of the other team for addresses that take one."""
    models = (Assignment, MachineJudge, SavedView)
    return [model.objects.filter(study=study).first().pk for model in models] + [
        QueryRound.objects.get(corpus=study.corpus).pk
    ]


def test_no_page_of_an_own_study_shows_what_is_of_another_team(theirs, mine):
    client, undo = client_of(User.objects.get(username="mallory")), Undo()
    shown = []
    for row in ROWS:
        if row.method == "GET":
            for pk in foreign_keys(theirs):
                response = same_again(client).get(console_address(row.name, mine, pk))
                undo()
                if (
                    WORD in response.content.decode(errors="replace")
                    if not response.streaming
                    else False
                ):
                    shown.append(row.name)
    assert sorted(set(shown)) == []


def test_nothing_that_is_sent_to_an_own_study_changes_another_team(theirs, mine):
    client, undo = client_of(User.objects.get(username="mallory")), Undo()
    before = rows_of_team(theirs)
    changed = []
    for row in ROWS:
        if row.method == "POST":
            address = console_address(row.name, mine, foreign_keys(theirs)[0])
            for sent in foreign(theirs):
                same_again(client).post(address, **posted(row.name, sent))
            now = rows_of_team(theirs)
            changed += [(row.name, label) for label in now if now[label] != before[label]]
            undo()
    assert changed == []
