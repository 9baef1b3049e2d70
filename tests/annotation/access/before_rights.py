"""Studies and a corpus of the days when everybody could do everything (`tests.earlier`)."""

from typing import Any

BEFORE = [("annotation", "0015_deleted_corpora_can_be_brought_back")]
BEFORE.append(("auth", "0012_alter_user_first_name_max_length"))
CORPUS = "of everybody"
STUDIES = ("hers", "nobodys", "of one who left")


def fill(old: Any) -> dict[str, Any]:
    from django.contrib.auth.models import User

    ann, _, gone = (User.objects.create_user(name) for name in ("ann", "ben", "gone"))
    User.objects.filter(pk=gone.pk).update(is_active=False)
    corpus = old.get_model("annotation", "Corpus").objects.create(slug=CORPUS, name="Lamps")
    makers = {("hers", 1): ann.pk, ("hers", 2): None, ("nobodys", 1): None}
    makers["of one who left", 1] = gone.pk
    for (slug, version), maker in makers.items():
        old.get_model("annotation", "Study").objects.create(
            slug=slug, version=version, kind="judging", corpus=corpus, created_by_id=maker
        )
    return {}


def today() -> dict[str, Any]:
    from annotation.models import Corpus, Study

    of_then = (*Corpus.objects.filter(slug=CORPUS), *Study.objects.filter(slug__in=STUDIES))
    return {
        str((each.slug, getattr(each, "version", 0))): [
            each.team.pk,
            dict(each.team.memberships.values_list("user__username", "role")),
        ]
        for each in of_then
    }
