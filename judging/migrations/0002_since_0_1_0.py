# All that has changed since 0.1.0, in one migration.

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('judging', '0001_initial'),
    ]

    operations = [
        migrations.AddField(
            model_name='call',
            name='reason',
            field=models.CharField(blank=True, choices=[('rules', 'rules question'), ('result', 'result or score'), ('time', 'time or slow play'), ('urgent', 'urgent')], max_length=8, verbose_name='reason'),
        ),
        migrations.AddField(
            model_name='decision',
            name='question_key',
            field=models.CharField(blank=True, max_length=200),
        ),
    ]
