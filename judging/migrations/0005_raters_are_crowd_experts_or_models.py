from typing import Any

from django.conf import settings
from django.db import migrations, models
from django.db.models import F, OuterRef, Q, Subquery
from django.db.models.deletion import PROTECT

POOLS = ("people", "crowd", "experts", "models")


def name_raters(apps: Any, schema_editor: Any) -> None:
    """Workers keep their pseudonym; a model is what it was called; an expert gets a number."""
    Rater = apps.get_model("judging", "Rater")
    Worker = apps.get_model("annotation", "Worker")
    theirs = Worker.objects.filter(pk=OuterRef("worker")).values("pseudonym")
    Rater.objects.filter(worker__isnull=False).update(pseudonym=Subquery(theirs))
    Rater.objects.filter(kind="llm").update(kind="model", model=F("name"), pseudonym=F("name"))
    for rater in Rater.objects.filter(kind="expert"):
        Rater.objects.filter(pk=rater.pk).update(pseudonym=f"expert-{rater.pk}")


def call_models_llm(apps: Any, schema_editor: Any) -> None:
    apps.get_model("judging", "Rater").objects.filter(kind="model").update(kind="llm", model="")


class Migration(migrations.Migration):

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("annotation", "0012_exposure_is_what_a_worker_has_met"),
        ("judging", "0004_showings_are_presentations"),
    ]

    operations = [
        migrations.RemoveConstraint("rater", "crowd_raters_are_workers"),
        migrations.AddField(
            "rater",
            "model",
            models.CharField(blank=True, help_text="such as gpt-4o-2024-08-06", max_length=100, default=""),
            preserve_default=False,
        ),
        migrations.AddField(
            "rater",
            "prompt_version",
            models.CharField(blank=True, max_length=100, default=""),
            preserve_default=False,
        ),
        migrations.AddField(
            "rater",
            "settings",
            models.CharField(blank=True, help_text="such as temperature=0", max_length=300, default=""),
            preserve_default=False,
        ),
        migrations.AddField(
            "rater",
            "user",
            models.OneToOneField(
                blank=True,
                null=True,
                on_delete=PROTECT,
                related_name="rater",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField("rater", "pseudonym", models.CharField(max_length=100, null=True)),
        migrations.RunPython(name_raters, call_models_llm),
        migrations.AlterField("rater", "pseudonym", models.CharField(max_length=100, unique=True)),
        migrations.AlterField(
            "rater",
            "kind",
            models.CharField(
                choices=[("crowd", "Crowd"), ("expert", "Expert"), ("model", "Model")],
                max_length=10,
            ),
        ),
        migrations.AlterField(
            "judgment",
            "shown",
            models.CharField(
                blank=True,
                help_text="slot names from left to right; empty if not known",
                max_length=200,
            ),
        ),
        migrations.AddConstraint(
            "rater",
            models.CheckConstraint(
                condition=~Q(kind="crowd") | Q(worker__isnull=False),
                name="crowd_raters_are_workers",
            ),
        ),
        migrations.AddConstraint(
            "rater",
            models.CheckConstraint(
                condition=Q(worker=None) | Q(user=None), name="rater_is_one_person"
            ),
        ),
        migrations.AddConstraint(
            "rater",
            models.CheckConstraint(
                condition=(Q(kind="model", worker=None, user=None) & ~Q(model=""))
                | (~Q(kind="model") & Q(model="", prompt_version="", settings="")),
                name="model_raters_have_a_model",
            ),
        ),
        migrations.AddConstraint(
            "rater",
            models.UniqueConstraint(
                fields=["model", "prompt_version", "settings"],
                condition=Q(kind="model"),
                name="model_rater_once",
            ),
        ),
        migrations.AddConstraint(
            "rater",
            models.CheckConstraint(
                condition=~Q(pseudonym__in=POOLS) & ~Q(name__in=POOLS), name="rater_is_no_pool"
            ),
        ),
    ]
