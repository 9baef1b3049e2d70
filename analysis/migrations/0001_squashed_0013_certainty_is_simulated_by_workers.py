"""The records of analyses as their first 13 migrations leave an empty database."""

import django.db.models.deletion
from django.db import migrations, models

from annotation.migration_operations import CreateModels


class Migration(migrations.Migration):
    initial = True
    replaces = [
        ("analysis", "0001_initial"),
        ("analysis", "0002_runs_are_cancelled_and_steps_have_parts"),
        ("analysis", "0003_runs_fix_what_they_count"),
        ("analysis", "0004_analyses_are_asked_for"),
        ("analysis", "0005_runs_say_what_does_not_apply"),
        ("analysis", "0006_analyses_are_asked_for_by_pool"),
        ("analysis", "0007_steps_have_keys_of_measures"),
        ("analysis", "0008_analyses_are_asked_for_as_published"),
        ("analysis", "0009_the_published_fit_of_mace_has_its_own_name"),
        ("analysis", "0010_runs_know_how_many_withdrew"),
        ("analysis", "0011_questionnaires_are_compared_with_others"),
        ("analysis", "0012_models_are_asked_for_among_annotators"),
        ("analysis", "0013_certainty_is_simulated_by_workers"),
    ]
    dependencies = [
        ("annotation", "0001_squashed_0052_words_of_passages_are_counted"),
    ]

    operations = [
        CreateModels(
            [
                migrations.CreateModel(
                    name='AnalysisRun',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('study', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='runs', to='annotation.study')),
                        ('batch', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='runs', to='annotation.batch')),
                        ('parameters', models.JSONField(default=dict)),
                        ('seed', models.BigIntegerField()),
                        ('version', models.CharField(help_text='of the code', max_length=40)),
                        ('digest', models.CharField(help_text='SHA-256 of the input frames', max_length=64)),
                        ('inputs', models.JSONField(default=dict, help_text='SHA-256 of the frame of each measure')),
                        ('frozen', models.JSONField(default=dict, help_text='ids of the work that counts (analysis.frozen)')),
                        ('remarks', models.JSONField(default=list, help_text='sentences: to what of the study no analysis applies')),
                        ('overtaken', models.BooleanField(default=False, help_text='counts answers of somebody who has withdrawn since')),
                        ('without', models.PositiveIntegerField(db_default=0, default=0, help_text='people who had handed in and withdrew before it')),
                        ('key', models.CharField(max_length=64, unique=True)),
                        ('state', models.CharField(choices=[('queued', 'Queued'), ('running', 'Running'), ('done', 'Done'), ('failed', 'Failed'), ('cancelled', 'Cancelled')], default='queued', max_length=10)),
                        ('created_at', models.DateTimeField(auto_now_add=True)),
                        ('asked', models.PositiveBigIntegerField(default=0, help_text='counts up whenever a run of the study is asked for: clocks jump')),
                        ('asked_at', models.DateTimeField(help_text='last time that somebody asked for it')),
                        ('finished_at', models.DateTimeField(blank=True, null=True)),
                    ],
                    options={
                        'ordering': ['-id'],
                        'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('finished_at', None), ('state__in', ['queued', 'running'])), models.Q(('finished_at__isnull', False), ('state__in', ['done', 'failed', 'cancelled'])), _connector='OR'), name='run_state_has_its_times')],
                    },
                ),
                migrations.CreateModel(
                    name='AnalysisRequest',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('study', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='analysis_requests', to='annotation.study')),
                        ('pool', models.CharField(default='people', help_text='of raters (inputs.pools)', max_length=100)),
                        ('compat', models.CharField(blank=True, default='', help_text='whose pipeline (inputs.settings)', max_length=20)),
                        ('with_machines', models.BooleanField(db_default=False, default=False, help_text='models among the annotators of MACE')),
                        ('asked', models.PositiveBigIntegerField(default=0, help_text='how often')),
                        ('answered', models.PositiveBigIntegerField(default=0, help_text='up to which of these')),
                        ('touched_at', models.DateTimeField(help_text='asked for, sent again, or being answered')),
                    ],
                    options={
                        'constraints': [models.CheckConstraint(condition=models.Q(('answered__lte', models.F('asked'))), name='request_asked_before_answered'), models.UniqueConstraint(fields=('study', 'pool', 'compat', 'with_machines'), name='request_once_of_a_kind')],
                    },
                ),
                migrations.CreateModel(
                    name='AnalysisStep',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('run', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='steps', to='analysis.analysisrun')),
                        ('stage', models.PositiveSmallIntegerField()),
                        ('analysis', models.CharField(help_text='name in analysis.catalogue', max_length=60)),
                        ('question', models.CharField(blank=True, help_text='key of the measure', max_length=310)),
                        ('part', models.PositiveSmallIntegerField(default=0, help_text='of the topics, from 0')),
                        ('state', models.CharField(choices=[('waiting', 'Waiting'), ('queued', 'Queued'), ('running', 'Running'), ('done', 'Done'), ('failed', 'Failed'), ('cancelled', 'Cancelled')], default='waiting', max_length=10)),
                        ('attempts', models.PositiveSmallIntegerField(default=0)),
                        ('touched_at', models.DateTimeField(help_text='queued, started or finished')),
                        ('error', models.TextField(blank=True)),
                    ],
                    options={
                        'ordering': ['run', 'stage', 'id'],
                        'indexes': [models.Index(condition=models.Q(('state__in', ['queued', 'running'])), fields=['touched_at'], name='step_unfinished')],
                        'constraints': [models.UniqueConstraint(fields=('run', 'analysis', 'question', 'part'), name='step_once_per_run')],
                    },
                ),
                migrations.CreateModel(
                    name='Result',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('step', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='result', to='analysis.analysisstep')),
                        ('data', models.JSONField(default=dict)),
                        ('missing', models.TextField(blank=True, help_text='why it cannot be computed')),
                    ],
                ),
                migrations.CreateModel(
                    name='AgreementWithOthers',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('assignment', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='agreement_with_others', to='annotation.assignment')),
                        ('value', models.FloatField(null=True)),
                        ('low', models.FloatField(null=True)),
                        ('high', models.FloatField(null=True)),
                        ('items', models.PositiveIntegerField()),
                        ('votes', models.PositiveIntegerField()),
                        ('compared_at', models.DateTimeField()),
                    ],
                ),
                migrations.CreateModel(
                    name='Forecast',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('key', models.CharField(max_length=64, unique=True)),
                        ('draft', models.ForeignKey(help_text='whose document the worker reads', on_delete=django.db.models.deletion.CASCADE, related_name='+', to='annotation.draft')),
                        ('asked', models.JSONField(help_text='digest of the design, what is assumed, votes on a pair')),
                        ('found', models.JSONField(default=dict, help_text='a row for each number of votes')),
                        ('sentence', models.TextField(blank=True, help_text='why nothing can be said')),
                        ('done', models.FloatField(default=0.0, help_text='share of what is to be simulated')),
                        ('state', models.CharField(choices=[('waiting', 'Waiting'), ('working', 'Working'), ('done', 'Done'), ('failed', 'Failed')], default='waiting', max_length=7)),
                        ('attempts', models.PositiveSmallIntegerField(default=0)),
                        ('asked_at', models.DateTimeField(db_index=True, help_text='first')),
                        ('touched_at', models.DateTimeField(help_text='asked for, sent again, or being simulated')),
                    ],
                    options={
                        'constraints': [models.CheckConstraint(condition=models.Q(('state__in', ['waiting', 'working', 'done', 'failed'])), name='forecast_state_known'), models.CheckConstraint(condition=models.Q(('done__gte', 0), ('done__lte', 1)), name='forecast_done_is_a_share')],
                    },
                ),
            ]
        ),
    ]
