"""A ledger of what people are owed and were paid, which nobody changes (triggers guard it), with
what follows from the work that is there."""

import django.db.models.deletion
from django.db import migrations, models
from django.db.models import OuterRef, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone

TABLE = "annotation_ledgerentry"
POSTGRES = f"""
CREATE FUNCTION ledger_is_final() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'An entry of the ledger is neither changed nor deleted.';
END $$;
CREATE TRIGGER ledger_is_final BEFORE UPDATE OR DELETE ON {TABLE}
    FOR EACH ROW EXECUTE FUNCTION ledger_is_final();
"""
SQLITE = [
    f"""
CREATE TRIGGER ledger_is_final_{when} BEFORE {when} ON {TABLE} BEGIN
    SELECT RAISE(ABORT, 'An entry of the ledger is neither changed nor deleted.');
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
            schema_editor.execute(f"DROP TRIGGER ledger_is_final_{when}")
    else:
        schema_editor.execute("DROP FUNCTION ledger_is_final CASCADE")


def enter_what_is_there(apps, schema_editor):
    """As annotation.paying.accounting does for work from now on: owed is what was handed in and
    not rejected without pay, approved what a decision pays for."""
    LedgerEntry = apps.get_model("annotation", "LedgerEntry")
    decisions = apps.get_model("annotation", "ReviewDecision").objects
    last = decisions.filter(assignment=OuterRef("pk")).order_by("-pk").values("decision")[:1]
    rows = (
        apps.get_model("annotation", "Assignment")
        .objects.filter(study__purpose="study")
        .annotate(last=Subquery(last), pays=Coalesce("task__batch__pay", "study__pay"))
        .filter(pays__gt=0)
        .values_list("pk", "state", "last", "pays", "worker", "study", "task__batch",
                     "study__currency")
    )
    now = timezone.now()

    def entries():
        for pk, state, decision, pays, worker, study, batch, currency in rows.iterator():
            approved = decision in ("accept", "reject_but_pay")
            owed = approved or state in ("submitted", "accepted")
            for kind in ["owed"] * owed + ["approved"] * approved:
                yield LedgerEntry(
                    kind=kind,
                    key=f"{kind}:{pk}:1",
                    amount=round(pays * 100),
                    currency=currency,
                    assignment_id=pk,
                    worker_id=worker,
                    study_id=study,
                    batch_id=batch,
                    created_at=now,
                )

    LedgerEntry.objects.bulk_create(entries(), batch_size=1000)


class Migration(migrations.Migration):

    dependencies = [
        ('annotation', '0030_decisions_are_made_and_taken_back_together'),
    ]

    operations = [
        migrations.CreateModel(
            name='LedgerEntry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('owed', 'Owed'), ('approved', 'Approved'), ('paid', 'Paid'), ('bonus', 'Bonus'), ('fee', 'Fee'), ('reversed', 'Reversed')], max_length=8)),
                ('amount', models.BigIntegerField(help_text='in minor units: cents')),
                ('currency', models.CharField(max_length=3)),
                ('key', models.CharField(help_text='the same is entered once', max_length=80, unique=True)),
                ('created_at', models.DateTimeField()),
                ('assignment', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='ledger', to='annotation.assignment')),
                ('batch', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='annotation.batch')),
                ('reverses', models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='reversal', to='annotation.ledgerentry')),
                ('study', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='ledger', to='annotation.study')),
                ('worker', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='ledger', to='annotation.worker')),
            ],
            options={
                'verbose_name_plural': 'ledger entries',
                'ordering': ['id'],
                'indexes': [models.Index(fields=['study', 'worker'], name='ledger_of_a_study')],
                'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('amount__lt', 0), ('kind', 'reversed'), ('reverses__isnull', False)), models.Q(('amount__gt', 0), ('kind__in', ['owed', 'approved', 'paid', 'bonus', 'fee']), ('reverses', None)), _connector='OR'), name='ledger_entry_adds_or_reverses')],
            },
        ),
        migrations.RunPython(guard, unguard),
        migrations.RunPython(enter_what_is_there, migrations.RunPython.noop),
    ]
