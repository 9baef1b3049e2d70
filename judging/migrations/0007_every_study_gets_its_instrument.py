"""Each judging study that there is has one instrument: what it asks, it asks as before."""

from django.db import migrations
from django.db.models import OuterRef, Subquery

# The kinds of the instruments that came along, for studies without items.
KINDS = {
    "best-worst": "block",
    "crowdrag-pairwise": "pair",
    "crowdrag-pointwise": "response",
    "nuggets": "passage_criterion",
    "retrieval-relevance": "passage",
}
DESIGNERS = {"block": "blocks", "pair": "all_pairs", "passage_criterion": "cross"}
FIGURES = ("reversed_share", "depth", "rounds", "items_per_questionnaire", "quota")


def make_instruments(apps, schema_editor):
    Instrument = apps.get_model("judging", "Instrument")
    studies = apps.get_model("annotation", "Study").objects.filter(kind="judging")
    for study in studies.order_by("pk").iterator():
        design = study.batches.exclude(design={}).order_by("number").values_list("design").first()
        written = design[0] if design else {}
        kind = kind_of(study, written)
        Instrument.objects.create(
            study=study,
            position=1,
            key=study.instrument or "own",
            title=study.instrument.replace("-", " ").capitalize() or study.title,
            item_kind=kind,
            designer=written.get("designer") or DESIGNERS.get(kind, "pool"),
            design={name: written[name] for name in FIGURES if name in written},
            instructions=study.instructions,
        )


def kind_of(study, design):
    """What its items are; without any, what its design or its questions make of them."""
    if item := study.items.order_by("pk").first():
        return item.kind
    if kind := design.get("kind") or KINDS.get(study.instrument):
        return kind
    options = [option for scale in study.scales.all() for option in scale.spec.get("options", [])]
    return "pair" if any(option.get("slot") for option in options) else "response"


def name_instruments(apps, schema_editor):
    instruments = apps.get_model("judging", "Instrument").objects.order_by()
    paths = {
        "criterion": {"study": OuterRef("study")},
        "scale": {"study": OuterRef("study")},
        "question": {"study": OuterRef("study")},
        "taskitem": {"study__items": OuterRef("item")},
        "presentation": {"study__items": OuterRef("item")},
    }
    for model, path in paths.items():
        found = instruments.filter(**path).values("pk")[:1]
        apps.get_model("judging", model).objects.update(instrument=Subquery(found))


def name_studies(apps, schema_editor):
    for model in ("criterion", "scale"):
        found = apps.get_model("judging", "Instrument").objects.filter(pk=OuterRef("instrument"))
        rows = apps.get_model("judging", model).objects
        rows.update(study=Subquery(found.order_by().values("study")[:1]))


class Migration(migrations.Migration):
    dependencies = [("judging", "0006_a_study_has_instruments")]

    operations = [
        migrations.RunPython(make_instruments, migrations.RunPython.noop),
        migrations.RunPython(name_instruments, name_studies),
    ]
