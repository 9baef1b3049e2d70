"""Until now everybody with an account could do everything, and nobody loses that.

Who made a study becomes its owner, the others its researchers; where nobody is known to have made
it, and of every corpus, all become owners. From now on a new account sees nothing of it.
"""

from django.conf import settings
from django.db import migrations


def share(apps, schema_editor):
    Team, Membership, Study, Corpus, Draft = (
        apps.get_model("annotation", name)
        for name in ("Team", "Membership", "Study", "Corpus", "Draft")
    )
    people = list(
        apps.get_model(settings.AUTH_USER_MODEL).objects.filter(is_active=True).order_by("pk")
    )

    def team_of(makers):
        team = Team.objects.create()
        owners = {user.pk for user in people} & makers or {user.pk for user in people}
        Membership.objects.bulk_create(
            Membership(
                team=team, user=user, role="owner" if user.pk in owners else "researcher"
            )
            for user in people
        )
        return team

    for corpus in Corpus.objects.filter(team=None):
        corpus.team = team_of(set())
        corpus.save(update_fields=["team"])
    for slug in Study.objects.order_by("slug").values_list("slug", flat=True).distinct():
        versions = Study.objects.filter(slug=slug)
        makers = set(versions.values_list("created_by", flat=True)) - {None}
        versions.update(team=team_of(makers))
    for draft in Draft.objects.select_related("study", "base"):
        of = draft.study or draft.base
        draft.team = of.team if of else team_of({draft.created_by_id} - {None})
        draft.save(update_fields=["team"])


class Migration(migrations.Migration):

    dependencies = [
        ('annotation', '0016_people_have_roles'),
    ]

    operations = [migrations.RunPython(share, migrations.RunPython.noop)]
