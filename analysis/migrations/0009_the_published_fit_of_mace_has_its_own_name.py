from django.db import migrations


def name_the_fit(apps, schema_editor):
    """Until now `compat` told of the EM of MACE alone; the rest was as published anyhow."""
    Study = apps.get_model("annotation", "Study")
    for study in Study.objects.filter(analysis__has_key="compat").iterator():
        study.analysis = {"mace": study.analysis["compat"]} | study.analysis
        study.save(update_fields=["analysis"])


class Migration(migrations.Migration):

    dependencies = [
        ("analysis", "0008_analyses_are_asked_for_as_published"),
        ("annotation", "0012_exposure_is_what_a_worker_has_met"),
    ]

    operations = [
        migrations.RunPython(name_the_fit, migrations.RunPython.noop),
    ]
