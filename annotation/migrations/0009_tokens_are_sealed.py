"""A worker's address is no longer readable in the database. Every link goes on working."""

from django.db import migrations, models

import annotation.models.work
from annotation.recruiting.secrecy import sealed, token_hash, unsealed

AT_ONCE = 1000


def seal(apps, schema_editor):
    def one(each):
        each.token_hash = token_hash(each.token)
        each.sealed_token = sealed(each.token, purpose="token")

    _each(apps, one, ["token_hash", "sealed_token"])


def unseal(apps, schema_editor):
    def one(each):
        each.token = unsealed(each.sealed_token, purpose="token")

    _each(apps, one, ["token"])


def _each(apps, change, fields):
    rows = apps.get_model("annotation", "Assignment").objects.order_by("pk")
    last = 0
    while some := list(rows.filter(pk__gt=last)[:AT_ONCE]):
        for each in some:
            change(each)
        rows.bulk_update(some, fields, batch_size=100)
        last = some[-1].pk


class Migration(migrations.Migration):

    dependencies = [
        ('annotation', '0008_codes_may_be_personal'),
    ]

    operations = [
        migrations.AddField(
            model_name='assignment',
            name='token_hash',
            field=models.CharField(editable=False, max_length=64, null=True),
        ),
        migrations.AddField(
            model_name='assignment',
            name='sealed_token',
            field=models.BinaryField(null=True),
        ),
        # Back: a token is unique again only once each has been unsealed.
        migrations.AlterField(
            model_name='assignment',
            name='token',
            field=models.CharField(max_length=40, null=True),
        ),
        migrations.RunPython(seal, unseal),
        migrations.RemoveField(
            model_name='assignment',
            name='token',
        ),
        migrations.AlterField(
            model_name='assignment',
            name='token_hash',
            field=annotation.models.work.TokenHash(editable=False, max_length=64, unique=True),
        ),
        migrations.AlterField(
            model_name='assignment',
            name='sealed_token',
            field=models.BinaryField(default=annotation.models.work.sealed_token),
        ),
    ]
