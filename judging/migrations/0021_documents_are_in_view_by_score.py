"""The scores and reasons by which documents stand in view of pairs."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('annotation', '0044_secrets_of_webhooks_are_kept'),
        ('judging', '0020_what_was_answered_before_a_redo_is_kept'),
    ]

    operations = [
        migrations.CreateModel(
            name='DocumentScore',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('score', models.IntegerField()),
                ('label', models.CharField(blank=True, max_length=200)),
                ('instrument', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='document_scores', to='judging.instrument')),
                ('passage', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='annotation.passage')),
            ],
        ),
        migrations.CreateModel(
            name='DocumentReason',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('text', models.TextField()),
                ('judgment', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='judging.judgment')),
                ('score', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='reasons', to='judging.documentscore')),
            ],
            options={'ordering': ['score', 'judgment']},
        ),
        migrations.AddConstraint(
            model_name='documentscore',
            constraint=models.UniqueConstraint(fields=('instrument', 'passage'), name='document_scored_once_per_instrument'),
        ),
        migrations.AddConstraint(
            model_name='documentreason',
            constraint=models.UniqueConstraint(fields=('score', 'judgment'), name='document_reason_once'),
        ),
    ]
