"""Teams with their members, and the audit log, which nobody changes: triggers guard it."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

TABLE = "annotation_auditentry"
POSTGRES = f"""
CREATE FUNCTION audit_is_final() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'An entry of the audit log is neither changed nor deleted.';
END $$;
CREATE TRIGGER audit_is_final BEFORE UPDATE OR DELETE ON {TABLE}
    FOR EACH ROW EXECUTE FUNCTION audit_is_final();
"""
SQLITE = [
    f"""
CREATE TRIGGER audit_is_final_{when} BEFORE {when} ON {TABLE} BEGIN
    SELECT RAISE(ABORT, 'An entry of the audit log is neither changed nor deleted.');
END"""
    for when in ("UPDATE", "DELETE")
]


def guard(apps, schema_editor):
    sqlite = schema_editor.connection.vendor == "sqlite"
    for statement in SQLITE if sqlite else [POSTGRES]:
        schema_editor.execute(statement)


def unguard(apps, schema_editor):
    if schema_editor.connection.vendor == "sqlite":
        for when in ("UPDATE", "DELETE"):
            schema_editor.execute(f"DROP TRIGGER audit_is_final_{when}")
    else:
        schema_editor.execute("DROP FUNCTION audit_is_final CASCADE")


class Migration(migrations.Migration):

    dependencies = [
        ('annotation', '0015_deleted_corpora_can_be_brought_back'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Team',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ],
        ),
        migrations.CreateModel(
            name='Membership',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('role', models.CharField(choices=[('owner', 'Owner'), ('researcher', 'Researcher'), ('reviewer', 'Reviewer'), ('viewer', 'Viewer')], max_length=10)),
                ('since', models.DateTimeField(auto_now_add=True)),
                ('team', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='memberships', to='annotation.team')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='memberships', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['team', 'pk'],
                'constraints': [models.UniqueConstraint(fields=('team', 'user'), name='person_once_per_team'), models.CheckConstraint(condition=models.Q(('role__in', ['owner', 'researcher', 'reviewer', 'viewer'])), name='membership_role_known')],
            },
        ),
        migrations.CreateModel(
            name='AuditEntry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(help_text='of the person, as it was then', max_length=150)),
                ('act', models.CharField(help_text='in the past tense: closed a batch', max_length=60)),
                ('what', models.CharField(blank=True, help_text='which one, and how', max_length=500)),
                ('at', models.DateTimeField(auto_now_add=True)),
                ('team', models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='audit_entries', to='annotation.team')),
                ('user', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name_plural': 'audit entries',
                'ordering': ['-pk'],
                'indexes': [models.Index(fields=['team', '-id'], name='audit_of_a_team')],
            },
        ),
        migrations.RunPython(guard, unguard),
        migrations.AddField(
            model_name='corpus',
            name='team',
            field=models.OneToOneField(blank=True, editable=False, null=True, on_delete=django.db.models.deletion.PROTECT, to='annotation.team'),
        ),
        migrations.AddField(
            model_name='draft',
            name='team',
            field=models.ForeignKey(blank=True, editable=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='drafts', to='annotation.team'),
        ),
        migrations.AddField(
            model_name='study',
            name='team',
            field=models.ForeignKey(blank=True, editable=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='studies', to='annotation.team'),
        ),
    ]
