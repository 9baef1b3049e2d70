"""The records of writing as their first 4 migrations leave an empty database."""

import django.db.models.deletion
from django.db import migrations, models

from annotation.migration_operations import CreateModels


class Migration(migrations.Migration):
    initial = True
    replaces = [
        ("writing", "0001_initial"),
        ("writing", "0002_process_records"),
        ("writing", "0003_attempts_to_measure_are_counted"),
        ("writing", "0004_the_log_comes_to_the_writing_app"),
    ]
    dependencies = [
        ("annotation", "0001_squashed_0052_words_of_passages_are_counted"),
    ]

    operations = [
        CreateModels(
            [
                migrations.CreateModel(
                    name='Brief',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('study', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='brief', to='annotation.study')),
                        ('target_words', models.PositiveIntegerField(default=250)),
                        ('low_words', models.PositiveIntegerField(default=200)),
                        ('high_words', models.PositiveIntegerField(default=300)),
                        ('styles', models.JSONField(default=list)),
                        ('rule', models.TextField(help_text='Markdown; what a writer acknowledges before writing')),
                    ],
                ),
                migrations.CreateModel(
                    name='WritingTask',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('task', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='writing_task', to='annotation.task')),
                        ('topic', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='annotation.topic')),
                        ('style', models.CharField(choices=[('bullet', 'Bullet'), ('essay', 'Essay'), ('news', 'News'), ('free', 'Free')], max_length=10)),
                    ],
                    options={
                        'constraints': [models.CheckConstraint(condition=models.Q(('style__in', ['bullet', 'essay', 'news', 'free'])), name='writing_style_known')],
                    },
                ),
                migrations.CreateModel(
                    name='Writing',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('assignment', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='writing', to='annotation.assignment')),
                        ('acknowledged_at', models.DateTimeField()),
                        ('text', models.TextField(blank=True, help_text='as submitted')),
                        ('verdict', models.CharField(blank=True, choices=[('equal', 'the log rebuilds the submitted text'), ('differs', 'the log rebuilds another text'), ('incomplete', 'chunks of the log are missing')], max_length=10)),
                        ('response', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='writing', to='annotation.response')),
                    ],
                    options={
                        'constraints': [models.CheckConstraint(condition=models.Q(('verdict__in', ['', 'equal', 'differs', 'incomplete'])), name='writing_verdict_known')],
                    },
                ),
                migrations.CreateModel(
                    name='ProcessRecord',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('writing', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='process', to='writing.writing')),
                        ('values', models.JSONField(default=dict)),
                        ('flags', models.JSONField(default=list)),
                        ('fault', models.TextField(blank=True, help_text='why the log cannot be measured')),
                        ('attempts', models.PositiveSmallIntegerField(default=0, help_text='times that measuring was begun and did not end; 0 once it did')),
                        ('version', models.PositiveSmallIntegerField(help_text='of the measures: writing.measures')),
                        ('submitted_at', models.DateTimeField(help_text='the submission that was measured', null=True)),
                        ('computed_at', models.DateTimeField()),
                    ],
                ),
            ]
        ),
        CreateModels(
            [
                migrations.CreateModel(
                    name='LogChunk',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('assignment', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='log_chunks', to='annotation.assignment')),
                        ('number', models.PositiveIntegerField()),
                        ('first_seq', models.PositiveIntegerField()),
                        ('last_seq', models.PositiveIntegerField()),
                        ('first_ms', models.PositiveIntegerField()),
                        ('last_ms', models.PositiveIntegerField()),
                        ('length_after', models.PositiveIntegerField(null=True)),
                        ('log_bytes', models.PositiveIntegerField()),
                        ('data', models.BinaryField()),
                        ('received_at', models.DateTimeField()),
                    ],
                    options={
                        'ordering': ['assignment', 'number'],
                        'constraints': [models.UniqueConstraint(fields=('assignment', 'number'), name='chunk_number_once_per_assignment'), models.CheckConstraint(condition=models.Q(('number__gte', 1)), name='chunk_number_from_1'), models.CheckConstraint(condition=models.Q(('last_seq__gte', models.F('first_seq'))), name='chunk_has_events'), models.CheckConstraint(condition=models.Q(('last_ms__gte', models.F('first_ms'))), name='chunk_time_runs_forward')],
                    },
                ),
                migrations.CreateModel(
                    name='PackedLog',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('assignment', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='packed_log', to='annotation.assignment')),
                        ('events', models.PositiveIntegerField()),
                        ('data', models.BinaryField()),
                        ('last_number', models.PositiveIntegerField(default=0)),
                        ('last_seq', models.PositiveIntegerField(default=0)),
                        ('last_ms', models.PositiveIntegerField(default=0)),
                        ('log_bytes', models.PositiveIntegerField(default=0, help_text='as JSON; 0 where nobody counted')),
                        ('arrivals', models.BinaryField(default=b'')),
                        ('source', models.CharField(default='browser', help_text='browser, or snapshots of an imported study', max_length=10)),
                    ],
                ),
            ]
        ),
    ]
