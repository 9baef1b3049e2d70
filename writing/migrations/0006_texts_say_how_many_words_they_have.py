"""Reviewers are told which texts are shorter than was asked for, without reading all of them."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("writing", "0005_a_brief_may_show_fewer_passages")]

    operations = [
        migrations.AddField(
            model_name="writing",
            name="words",
            # The database has the number, too: a server of before that still runs knows none.
            field=models.PositiveIntegerField(
                default=0,
                db_default=0,
                help_text="of the text, without citations and free-standing signs",
            ),
        ),
    ]
