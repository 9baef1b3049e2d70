"""What a worker is shown is called a presentation, as in the literature; the rows stay."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("judging", "0003_questionnaires_are_examined")]

    operations = [
        migrations.RenameModel("Showing", "Presentation"),
        migrations.AlterField(
            model_name="presentation",
            name="assignment",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="presentations",
                to="annotation.assignment",
            ),
        ),
        migrations.AlterField(
            model_name="presentation",
            name="item",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="presentations",
                to="judging.item",
            ),
        ),
    ]
