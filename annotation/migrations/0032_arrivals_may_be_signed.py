
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('annotation', '0031_what_people_are_owed_is_in_a_ledger'),
    ]

    operations = [
        migrations.CreateModel(
            name='SpentToken',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('fingerprint', models.CharField(max_length=64, unique=True)),
                ('browser_hash', models.CharField(blank=True, help_text='who may reload the page', max_length=64)),
                ('spent_at', models.DateTimeField(db_index=True)),
            ],
        ),
        migrations.AddField(
            model_name='assignment',
            name='signed',
            field=models.BooleanField(db_default=False, default=False, editable=False, help_text='the platform signed the arrival'),
        ),
        migrations.AddField(
            model_name='study',
            name='signed_links',
            field=models.BooleanField(db_default=False, default=False, help_text='only people whose link Prolific signed are let in; some workspaces can do that'),
        ),
    ]
