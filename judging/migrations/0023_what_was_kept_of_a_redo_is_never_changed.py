"""What a questionnaire said before a redo is kept as it was: a trigger forbids every change. The
rows go where a redo is taken back before it was begun, and where their worker withdraws."""

from django.db import migrations

TABLE = "judging_answersbefore"
SAID = "What was answered before a redo is never changed."
POSTGRES = f"""
CREATE FUNCTION answers_before_are_final() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '{SAID}';
END $$;
CREATE TRIGGER answers_before_are_final BEFORE UPDATE ON {TABLE}
    FOR EACH ROW EXECUTE FUNCTION answers_before_are_final();
"""
SQLITE = f"""
CREATE TRIGGER answers_before_are_final BEFORE UPDATE ON {TABLE} BEGIN
    SELECT RAISE(ABORT, '{SAID}');
END"""


def guard(apps, schema_editor):
    sqlite = schema_editor.connection.vendor == "sqlite"
    schema_editor.execute(SQLITE if sqlite else POSTGRES)


def unguard(apps, schema_editor):
    if schema_editor.connection.vendor == "sqlite":
        schema_editor.execute("DROP TRIGGER answers_before_are_final")
    else:
        schema_editor.execute("DROP FUNCTION answers_before_are_final CASCADE")


class Migration(migrations.Migration):

    dependencies = [
        ("judging", "0022_raters_are_of_a_team"),
    ]

    operations = [
        migrations.RunPython(guard, unguard),
    ]
