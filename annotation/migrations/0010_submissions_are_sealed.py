"""The platform's id of a submission is no longer readable in the database, as that of a person."""

from django.db import migrations, models

from annotation.recruiting.secrecy import sealed, unsealed

AT_ONCE = 1000
PURPOSE = "encrypt"


def seal(apps, schema_editor):
    rows = apps.get_model("annotation", "Assignment").objects.exclude(external_id="")

    def one(each):
        each.sealed_id = sealed(each.external_id, purpose=PURPOSE)

    _each(rows, one, "sealed_id")


def unseal(apps, schema_editor):
    rows = apps.get_model("annotation", "Assignment").objects.exclude(sealed_id=b"")

    def one(each):
        each.external_id = unsealed(each.sealed_id, purpose=PURPOSE)

    _each(rows, one, "external_id")


def _each(rows, change, field):
    last = 0
    while some := list(rows.order_by("pk").filter(pk__gt=last)[:AT_ONCE]):
        for each in some:
            change(each)
        rows.bulk_update(some, [field], batch_size=100)
        last = some[-1].pk


class Migration(migrations.Migration):

    dependencies = [
        ('annotation', '0009_tokens_are_sealed'),
    ]

    operations = [
        migrations.AddField(
            model_name='assignment',
            name='sealed_id',
            field=models.BinaryField(blank=True, default=b''),
        ),
        # Back: the column that comes again is empty first.
        migrations.AlterField(
            model_name='assignment',
            name='external_id',
            field=models.CharField(blank=True, default='', max_length=100),
        ),
        migrations.RunPython(seal, unseal),
        migrations.RemoveField(
            model_name='assignment',
            name='external_id',
        ),
        migrations.RenameField(
            model_name='assignment',
            old_name='sealed_id',
            new_name='external_id',
        ),
        migrations.AlterField(
            model_name='assignment',
            name='external_id',
            field=models.BinaryField(blank=True, default=b'', help_text="the platform's submission, encrypted"),
        ),
    ]
