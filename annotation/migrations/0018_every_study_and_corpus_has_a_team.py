import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('annotation', '0017_everybody_keeps_what_they_could_do'),
    ]

    operations = [
        migrations.AlterField(
            model_name='corpus',
            name='team',
            field=models.OneToOneField(blank=True, editable=False, on_delete=django.db.models.deletion.PROTECT, to='annotation.team'),
        ),
        migrations.AlterField(
            model_name='draft',
            name='team',
            field=models.ForeignKey(blank=True, editable=False, on_delete=django.db.models.deletion.PROTECT, related_name='drafts', to='annotation.team'),
        ),
        migrations.AlterField(
            model_name='study',
            name='team',
            field=models.ForeignKey(blank=True, editable=False, on_delete=django.db.models.deletion.PROTECT, related_name='studies', to='annotation.team'),
        ),
    ]
