"""Who is an expert is changed, imported labels are taken out: guarded, and analyses are told."""

import pytest
from django.contrib.auth.models import User
from django.contrib.messages import get_messages
from django.core.management import CommandError, call_command
from django.urls import reverse

from analysis.models import AnalysisRun
from analysis.runs import renewing
from annotation.models import AuditEntry, Membership, Role
from judging.labels.importing import import_labels
from judging.labels.removing import CannotRemove, remove_labels
from judging.models import Item, Judgment, Rater
from judging.raters.registering import BadRater, change_kind, register
from tests.analysis.runs.polls import analysed
from tests.cast import NOW, bob, charlie, rita, small_study, submitted
from tests.coded_errors import command_ends, raises
from tests.hooks import element, elements, numbers

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def few(settings):
    from analysis.analyses.catalogue import CATALOGUE

    settings.ANALYSES = {"agreement": CATALOGUE["agreement"]}


@pytest.fixture
def study():
    study = small_study(responses=3, quota=3)
    submitted(study, bob())
    return study


@pytest.fixture
def ann(study, tmp_path):
    """Return an expert who has labelled two pairs of the study, and one that was made for it."""
    first, second, last = study.items.order_by("key")
    last.task_items.all().delete()
    last.presentations.all().delete()
    Judgment.objects.filter(item=last).delete()
    rater = register(name="Ann", kind="expert", team=study.team)
    path = tmp_path / "labels.csv"
    path.write_text("item,value\n" + "".join(f"{i.key},n\n" for i in (first, second, last)))
    import_labels(study=study, path=path, rater=rater, now=NOW)
    return rater


def post(client, study, **data):
    answer = client.post(reverse("change_raters", args=[study.slug, study.version]), data)
    return answer, list(get_messages(answer.wsgi_request))


# -- Labels -------------------------------------------------------------------------------------


def test_all_labels_of_a_rater_go_with_what_was_made_for_them(study, ann):
    removed = remove_labels(study=study, rater=ann, expected=3)
    assert (removed.labels, removed.items) == (3, 1)
    assert not Judgment.objects.filter(rater=ann).exists()
    assert Judgment.objects.filter(rater__worker__pseudonym="bob").count() == 2
    assert Item.objects.count() == 2


@pytest.mark.parametrize("expected", [0, 2, 4])
def test_nothing_goes_if_others_have_come_meanwhile(study, ann, expected):
    with raises(CannotRemove, "labels_changed", match=r"\b3\b"):
        remove_labels(study=study, rater=ann, expected=expected)
    assert Judgment.objects.filter(rater=ann).count() == 3


def test_what_was_answered_in_work_is_no_imported_label(study):
    rater = Rater.objects.get(worker__pseudonym="bob")
    with raises(CannotRemove, "no_labels"):
        remove_labels(study=study, rater=rater, expected=3)


def test_runs_that_have_read_them_are_made_again_and_others_stay(study, ann):
    other = register(name="gpt", kind="model", model="gpt-4o")
    Judgment.objects.create(
        rater=other, item=study.items.first(), question=study.questions.get(), raw="n", value="n",
        first_at=NOW, answered_at=NOW,
    )  # fmt: skip
    runs = {pool: analysed(study, pool=pool) for pool in ("people", "models", "experts")}
    runs["ann"] = analysed(study, pool=ann.pseudonym)
    remove_labels(study=study, rater=ann, expected=3)
    overtaken = AnalysisRun.objects.filter(overtaken=True)
    assert set(overtaken) == {runs["experts"], runs["ann"]}
    renewing.renew(study=study, enqueue=lambda pk: None)
    assert set(AnalysisRun.objects.all()) == {
        runs["people"],
        runs["models"],
    }  # nothing left to read


def test_a_run_says_that_its_answers_have_changed(client, study, ann):
    Rater.objects.create(name="Zoe", pseudonym="z", kind="expert")
    run = analysed(study, pool="experts")
    remove_labels(study=study, rater=ann, expected=3)
    client.force_login(rita())
    page = client.get(reverse("results", args=["lamps", 1]), {"pool": "experts"})
    assert elements(page.content.decode(), "data-overtaken")
    run.refresh_from_db()
    assert run.overtaken


def test_the_command_says_how_many_and_takes_them_out_when_told(study, ann, capsys):
    call_command("remove_labels", "lamps", rater="Ann")
    out = capsys.readouterr().out
    assert "Ann" in out
    assert numbers(out)[0] == 3
    assert Judgment.objects.filter(rater=ann).count() == 3
    call_command("remove_labels", "lamps", rater=ann.pseudonym, yes=True)
    assert numbers(capsys.readouterr().out)[:2] == [3, 1]  # labels, items
    assert AuditEntry.objects.get(act="deleted labels").what.startswith("3 labels of expert-")
    with command_ends(CannotRemove, "no_labels"):
        call_command("remove_labels", "lamps", rater="Ann", yes=True)
    with pytest.raises(CommandError, match="nobody"):
        call_command("remove_labels", "lamps", rater="nobody", yes=True)


# -- Experts ------------------------------------------------------------------------------------


def test_a_worker_becomes_an_expert_and_goes_back_to_the_crowd(study):
    submitted(study, charlie())
    crowd, people = analysed(study, pool="crowd"), analysed(study)
    rater = change_kind(rater=Rater.objects.get(pseudonym="bob"), kind="expert")
    assert rater.kind == "expert"
    crowd.refresh_from_db()
    people.refresh_from_db()
    assert (crowd.overtaken, people.overtaken) == (True, False)
    assert change_kind(rater=rater, kind="crowd").kind == "crowd"
    with raises(BadRater, "known_kind"):
        change_kind(rater=rater, kind="crowd")


@pytest.mark.parametrize("kind", ["expert", "crowd"])
def test_whoever_never_worked_here_stays_what_they_are(ann, kind):
    with raises(BadRater, "no_worker"):
        change_kind(
            rater=Rater.objects.create(name="g", pseudonym="g", kind="model", model="m"), kind=kind
        )
    with pytest.raises(BadRater):
        change_kind(rater=ann, kind=kind)


def test_nobody_is_made_a_model(study):
    with raises(BadRater, "bad_kind"):
        change_kind(rater=Rater.objects.get(pseudonym="bob"), kind="model")


# -- The page -----------------------------------------------------------------------------------


def test_an_owner_makes_experts_and_takes_labels_out_on_the_page(client, study, ann):
    client.force_login(rita())
    page = client.get(reverse("raters", args=["lamps", 1])).content.decode()
    assert "worker bob" in element(page, "value", "expert").attributes["aria-label"]
    assert element(page, "id", f"remove-{ann.pk}").numbers[0] == 3
    assert elements(page, "value", "add")
    _, messages = post(client, study, do="expert", rater="bob")
    assert [message.level_tag for message in messages] == ["success"]
    page = client.get(reverse("raters", args=["lamps", 1])).content.decode()
    assert "worker bob" in element(page, "value", "crowd").attributes["aria-label"]
    _, messages = post(client, study, do="remove", rater=ann.pseudonym, labels="3")
    assert (messages[-1].level_tag, numbers(messages[-1].message)) == ("success", [3])
    _, messages = post(client, study, do="add", name="Zoe", user="rita")
    zoe = Rater.objects.get(name="Zoe")
    assert (zoe.kind, messages[-1].level_tag) == ("expert", "success")
    assert zoe.pseudonym in messages[-1].message
    acts = set(AuditEntry.objects.values_list("act", flat=True))
    assert acts == {"made a participant an expert", "deleted labels", "added an expert"}


@pytest.mark.parametrize(
    ("data", "code"),
    [
        ({}, "bad_act"),
        ({"do": "expert", "rater": "nobody"}, "unknown_rater"),
        ({"do": "crowd", "rater": "bob"}, "known_kind"),
        ({"do": "add", "name": " "}, "name_length"),
        ({"do": "add", "name": "Zoe", "user": "nobody"}, "unknown_user"),
        ({"do": "remove", "rater": "bob", "labels": "x"}, "no_labels"),
    ],
)
def test_what_cannot_be_is_refused_with_a_code(client, study, data, code):
    client.force_login(rita())
    _, [message] = post(client, study, **data)
    assert (message.level_tag, message.extra_tags) == ("error", code)


def test_only_an_owner_changes_anything(client, study, ann):
    user = User.objects.create_user("zoe", password="a long password")
    Membership.objects.create(team=study.team, user=user, role=Role.RESEARCHER)
    client.force_login(user)
    page = client.get(reverse("raters", args=["lamps", 1])).content.decode()
    assert elements(page, "value", "expert") == []
    assert elements(page, "value", "add") == []
    answer, _ = post(client, study, do="expert", rater="bob")
    assert answer.status_code == 403
