from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("analysis", "0007_steps_have_keys_of_measures"),
    ]

    operations = [
        migrations.AddField(
            "analysisrequest",
            "compat",
            models.CharField(
                blank=True, default="", help_text="whose pipeline (inputs.settings)", max_length=20
            ),
        ),
        migrations.RemoveConstraint("analysisrequest", "request_once_for_a_pool"),
        migrations.AddConstraint(
            "analysisrequest",
            models.UniqueConstraint(
                fields=["study", "pool", "compat"], name="request_once_for_pool_and_compat"
            ),
        ),
    ]
