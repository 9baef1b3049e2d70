
import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('annotation', '0028_a_simulated_crowd_answers_a_copy_of_a_draft'),
    ]

    operations = [
        migrations.CreateModel(
            name='OutcomeCode',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('outcome', models.CharField(max_length=20)),
                ('code', models.CharField(max_length=40)),
            ],
        ),
        migrations.AddField(
            model_name='assignment',
            name='outcome',
            field=models.CharField(blank=True, db_default='', default='', help_text='why it was ended before it was handed in (annotation.work.ending)', max_length=20),
        ),
        migrations.AddConstraint(
            model_name='assignment',
            constraint=models.CheckConstraint(condition=models.Q(('outcome', ''), models.Q(('outcome__in', ['screened_out', 'failed_check']), ('state__in', ['returned', 'withdrawn'])), _connector='OR'), name='assignment_outcome_ended_it'),
        ),
        migrations.AddField(
            model_name='outcomecode',
            name='study',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='outcome_codes', to='annotation.study'),
        ),
        migrations.AddConstraint(
            model_name='outcomecode',
            constraint=models.UniqueConstraint(fields=('study', 'outcome'), name='one_code_per_outcome'),
        ),
        migrations.AddConstraint(
            model_name='outcomecode',
            constraint=models.UniqueConstraint(fields=('study', 'code'), name='one_outcome_per_code'),
        ),
        migrations.AddConstraint(
            model_name='outcomecode',
            constraint=models.CheckConstraint(condition=models.Q(('code', ''), _negated=True), name='outcome_code_is_said'),
        ),
    ]
