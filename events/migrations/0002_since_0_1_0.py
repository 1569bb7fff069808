# All that has changed since 0.1.0, in one migration.

import events.models.fields
import events.models.venues
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('events', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='Installation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('format', models.CharField(choices=[('constructed', 'constructed'), ('head-to-head', 'head-to-head'), ('sealed-booster', 'sealed booster'), ('sealed-starter', 'sealed starter')], default='constructed', max_length=20, verbose_name='format')),
                ('edition', models.CharField(choices=[('ic-2002', 'Infinity Challenge, 2002'), ('car-2002', 'Compiled and Annotated Rulebook, 2002'), ('dc-2005', 'DC starter set, 2005'), ('core-2014', 'Core Rulebook, 2014'), ('core-modern', 'Core Rulebook of the 2020s')], default='core-modern', max_length=20, verbose_name='rulebook edition')),
                ('build_total', models.PositiveIntegerField(default=300, verbose_name='build total')),
                ('country', models.CharField(blank=True, max_length=60, verbose_name='country')),
                ('time_zone', models.CharField(max_length=60, validators=[events.models.venues.valid_time_zone], verbose_name='time zone')),
                ('language', models.CharField(choices=[('en', 'English'), ('fr', 'French')], max_length=10, verbose_name='language')),
                ('version', models.PositiveIntegerField(default=1, editable=False)),
            ],
            options={
                'verbose_name': 'installation',
                'verbose_name_plural': 'installations',
            },
        ),
        migrations.AlterField(
            model_name='clubmember',
            name='name',
            field=events.models.fields.NameField(max_length=120, verbose_name='name'),
        ),
        migrations.AlterField(
            model_name='entry',
            name='name',
            field=events.models.fields.NameField(max_length=120, verbose_name='name'),
        ),
        migrations.AlterField(
            model_name='event',
            name='name',
            field=events.models.fields.NameField(max_length=120, verbose_name='name'),
        ),
        migrations.AlterField(
            model_name='hall',
            name='name',
            field=events.models.fields.NameField(max_length=80, verbose_name='name'),
        ),
        migrations.AlterField(
            model_name='person',
            name='name',
            field=events.models.fields.NameField(help_text='As it should appear on pairings and result sheets.', max_length=120, verbose_name='name'),
        ),
        migrations.AlterField(
            model_name='venue',
            name='name',
            field=events.models.fields.NameField(max_length=120, verbose_name='name'),
        ),
        migrations.AddField(
            model_name='entry',
            name='return_asked',
            field=models.DateTimeField(blank=True, editable=False, null=True, verbose_name='asked to re-enter'),
        ),
        migrations.AlterField(
            model_name='claim',
            name='how',
            field=models.CharField(choices=[('player', "a player's report"), ('slip', "a slip signed by the players"), ('scorekeeper', "entered at the judges' table"), ('judge', "a judge's decision"), ('system', 'set by the rules')], max_length=12),
        ),
        migrations.AlterField(
            model_name='match',
            name='kind',
            field=models.CharField(choices=[('game', 'match'), ('bye', 'bye'), ('missed', 'round missed (loss)')], default='game', max_length=8),
        ),
        migrations.AlterField(
            model_name='match',
            name='state',
            field=models.CharField(choices=[('open', 'open'), ('claimed', 'waiting for the second report'), ('disputed', "reports don't match"), ('confirmed', 'confirmed')], default='open', max_length=12, verbose_name='state'),
        ),
        migrations.AddField(
            model_name='event',
            name='fee',
            field=models.CharField(blank=True, help_text="For example “€5”. Leave empty if free.", max_length=80, verbose_name='fee'),
        ),
        migrations.AddField(
            model_name='signincode',
            name='begins',
            field=models.CharField(default='', max_length=4),
        ),
        migrations.AlterField(
            model_name='event',
            name='number_of_rounds',
            field=models.PositiveSmallIntegerField(blank=True, help_text='Leave empty to get a suggestion based on the number of players.', null=True, verbose_name='rounds'),
        ),
    ]
