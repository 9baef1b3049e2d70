
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('annotation', '0033_studies_say_what_becomes_of_marked_work'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='PlatformStudy',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('platform', models.CharField(max_length=20)),
                ('external_id', models.CharField(max_length=40)),
                ('state', models.CharField(blank=True, help_text="in the platform's words", max_length=40)),
                ('pay', models.DecimalField(decimal_places=2, max_digits=8)),
                ('minutes', models.PositiveIntegerField()),
                ('places', models.PositiveIntegerField(default=0, help_text='as the platform was told last')),
                ('created_at', models.DateTimeField()),
                ('polled_at', models.DateTimeField(blank=True, help_text='all was asked for last', null=True)),
                ('heard_at', models.DateTimeField(blank=True, help_text='the last webhook', null=True)),
                ('problem', models.TextField(blank=True, help_text='why the last poll did not come to its end')),
            ],
            options={
                'ordering': ['id'],
            },
        ),
        migrations.CreateModel(
            name='PlatformSubmission',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('session_hash', models.CharField(db_index=True, max_length=64)),
                ('external_id', models.BinaryField(help_text='encrypted')),
                ('person_hash', models.CharField(help_text='as `Worker.external_hash`', max_length=64)),
                ('status', models.CharField(choices=[('RESERVED', 'place reserved'), ('ACTIVE', 'at work'), ('TIMED-OUT', 'timed out'), ('AWAITING REVIEW', 'awaiting review'), ('APPROVED', 'approved'), ('PARTIALLY APPROVED', 'partially approved'), ('REJECTED', 'rejected'), ('RETURNED', 'returned'), ('SCREENED OUT', 'screened out'), ('UNKNOWN', 'in a state we do not know')], max_length=20)),
                ('code', models.CharField(blank=True, help_text='that the person entered there', max_length=60)),
                ('was_late', models.BooleanField(default=False, help_text='it had timed out before')),
                ('asked_at', models.DateTimeField()),
                ('changed_at', models.DateTimeField(help_text='when we first knew of this status')),
                ('source', models.CharField(choices=[('webhook', 'Webhook'), ('poll', 'Poll')], max_length=7)),
            ],
            options={
                'ordering': ['id'],
            },
        ),
        migrations.CreateModel(
            name='WebhookEvent',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('platform', models.CharField(max_length=20)),
                ('event_id', models.CharField(max_length=200)),
                ('resource', models.BinaryField(help_text='the submission to ask about, encrypted')),
                ('received_at', models.DateTimeField(db_index=True)),
                ('handled_at', models.DateTimeField(blank=True, null=True)),
            ],
            options={
                'ordering': ['id'],
            },
        ),
        migrations.AddField(
            model_name='study',
            name='late_work',
            field=models.CharField(choices=[('if_free', 'while its place is free'), ('add_place', 'always: a place is added where none is free')], db_default='if_free', default='if_free', help_text='when work goes on, and counts, that comes after its time', max_length=10),
        ),
        migrations.AddConstraint(
            model_name='study',
            constraint=models.CheckConstraint(condition=models.Q(('late_work__in', ['if_free', 'add_place'])), name='study_late_work_known'),
        ),
        migrations.AddField(
            model_name='platformstudy',
            name='study',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='platform_studies', to='annotation.study'),
        ),
        migrations.AddField(
            model_name='platformsubmission',
            name='assignment',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='platform_submissions', to='annotation.assignment'),
        ),
        migrations.AddField(
            model_name='platformsubmission',
            name='platform_study',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='submissions', to='annotation.platformstudy'),
        ),
        migrations.AddField(
            model_name='platformsubmission',
            name='worker',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='annotation.worker'),
        ),
        migrations.AddConstraint(
            model_name='webhookevent',
            constraint=models.UniqueConstraint(fields=('platform', 'event_id'), name='webhook_event_once_per_platform'),
        ),
        migrations.AddConstraint(
            model_name='platformstudy',
            constraint=models.UniqueConstraint(fields=('platform', 'external_id'), name='platform_study_once_per_platform'),
        ),
        migrations.AddConstraint(
            model_name='platformsubmission',
            constraint=models.UniqueConstraint(fields=('platform_study', 'session_hash'), name='submission_once_per_platform_study'),
        ),
    ]
