# All that came before the first release, in one migration (see judging/refused.py).

import datetime
import django.core.serializers.json
import django.db.models.deletion
import rules.models.board
import rules.models.disputes
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
    ]

    operations = [
        migrations.CreateModel(
            name='CatalogueChange',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField(auto_now_add=True)),
                ('verb', models.CharField(max_length=40)),
                ('by', models.CharField(blank=True, max_length=160)),
                ('summary', models.CharField(max_length=300)),
                ('source', models.CharField(blank=True, max_length=300)),
                ('changes', models.JSONField(default=list, encoder=django.core.serializers.json.DjangoJSONEncoder)),
            ],
            options={
                'verbose_name': 'catalogue change',
                'verbose_name_plural': 'catalogue changes',
                'ordering': ['-pk'],
            },
        ),
        migrations.CreateModel(
            name='Element',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('code', models.CharField(max_length=120, unique=True, verbose_name='code')),
                ('section', models.CharField(choices=[('characters', 'figure'), ('feats', 'feat'), ('objects', 'object'), ('battlefield_conditions', 'battlefield condition'), ('resources', 'resource'), ('team_ability_cards', 'team ability card'), ('other', 'equipment, card or terrain')], max_length=24, verbose_name='type')),
                ('number', models.CharField(blank=True, max_length=20, verbose_name='collector number')),
                ('name', models.CharField(max_length=160, verbose_name='name')),
                ('printed', models.JSONField(default=dict, encoder=django.core.serializers.json.DjangoJSONEncoder)),
                ('provenance', models.CharField(blank=True, max_length=300, verbose_name='source')),
                ('catalogued', models.DateTimeField(auto_now_add=True)),
                ('version', models.PositiveIntegerField(default=1, editable=False)),
            ],
            options={
                'verbose_name': 'element',
                'verbose_name_plural': 'elements',
                'ordering': ['name', 'set__code', 'number', 'pk'],
            },
        ),
        migrations.CreateModel(
            name='Import',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('file_name', models.CharField(max_length=200, verbose_name='file')),
                ('layout', models.CharField(max_length=20, verbose_name='layout')),
                ('content', models.BinaryField(default=b'')),
                ('digest', models.CharField(max_length=64)),
                ('set_code', models.CharField(blank=True, max_length=40)),
                ('counts_from', models.DateField(verbose_name='effective from')),
                ('state', models.CharField(choices=[('planning', 'reading'), ('planned', 'preview'), ('applied', 'applied'), ('put-away', 'discarded')], default='planning', max_length=10, verbose_name='state')),
                ('records', models.PositiveIntegerField(default=0)),
                ('records_planned', models.PositiveIntegerField(default=0)),
                ('unknown_fields', models.JSONField(default=dict, verbose_name='unknown fields')),
                ('new_sets', models.JSONField(default=dict, verbose_name='new sets')),
                ('by', models.CharField(blank=True, max_length=160, verbose_name='by')),
                ('at', models.DateTimeField(auto_now_add=True)),
                ('applied', models.DateTimeField(blank=True, null=True)),
                ('version', models.PositiveIntegerField(default=1, editable=False)),
            ],
            options={
                'verbose_name': 'import',
                'verbose_name_plural': 'imports',
                'ordering': ['-pk'],
            },
        ),
        migrations.CreateModel(
            name='LoadedRulebook',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('edition', models.CharField(max_length=20, unique=True, verbose_name='edition')),
                ('file_name', models.CharField(max_length=255, verbose_name='file')),
                ('exact', models.BooleanField(default=False, help_text='Whether this is the exact text that the citations refer to.', verbose_name='known transcription')),
                ('missing', models.JSONField(default=list, encoder=django.core.serializers.json.DjangoJSONEncoder, verbose_name='headings not found')),
                ('loaded_at', models.DateTimeField(auto_now=True, verbose_name='loaded')),
            ],
            options={
                'verbose_name': 'loaded rulebook',
                'verbose_name_plural': 'loaded rulebooks',
                'ordering': ['edition'],
            },
        ),
        migrations.CreateModel(
            name='SavedPosition',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.CharField(default=rules.models.board.unguessable, editable=False, max_length=16, unique=True)),
                ('edition', models.CharField(max_length=20, verbose_name='edition')),
                ('title', models.CharField(blank=True, max_length=120, verbose_name='title')),
                ('document', models.JSONField(encoder=django.core.serializers.json.DjangoJSONEncoder, verbose_name='position file')),
                ('digest', models.CharField(editable=False, max_length=64, unique=True)),
                ('saved_at', models.DateTimeField(auto_now_add=True, verbose_name='saved')),
            ],
            options={
                'verbose_name': 'saved position',
                'verbose_name_plural': 'saved positions',
                'ordering': ['-pk'],
            },
        ),
        migrations.CreateModel(
            name='Set',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('code', models.SlugField(max_length=40, unique=True, verbose_name='code')),
                ('name', models.CharField(max_length=120, verbose_name='name')),
                ('universe', models.CharField(choices=[('marvel', 'Marvel'), ('dc', 'DC'), ('indy', 'Indy'), ('other', 'other')], default='other', max_length=10, verbose_name='universe')),
                ('street_date', models.DateField(blank=True, null=True, verbose_name='street date')),
                ('year', models.PositiveSmallIntegerField(blank=True, null=True, verbose_name='published')),
                ('edition', models.CharField(blank=True, max_length=20, verbose_name='made for the rules of')),
                ('provenance', models.CharField(blank=True, max_length=300, verbose_name='source')),
                ('version', models.PositiveIntegerField(default=1, editable=False)),
            ],
            options={
                'verbose_name': 'set',
                'verbose_name_plural': 'sets',
                'ordering': ['name', 'code'],
            },
        ),
        migrations.CreateModel(
            name='Correction',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('code', models.CharField(max_length=120, unique=True)),
                ('from_date', models.DateField(verbose_name='effective from')),
                ('changes', models.JSONField(default=dict, encoder=django.core.serializers.json.DjangoJSONEncoder, verbose_name='changes')),
                ('text', models.TextField(blank=True, verbose_name='explanation')),
                ('authority', models.CharField(choices=[('correction', 'official correction'), ('import', 'import'), ('office', 'sanctioning office')], default='office', max_length=12, verbose_name='authority')),
                ('citation', models.JSONField(blank=True, default=dict, verbose_name='citation')),
                ('provenance', models.CharField(blank=True, max_length=300, verbose_name='source')),
                ('withdrawn', models.DateTimeField(blank=True, null=True, verbose_name='withdrawn')),
                ('recorded', models.DateTimeField(auto_now_add=True)),
                ('version', models.PositiveIntegerField(default=1, editable=False)),
                ('element', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='corrections', to='rules.element')),
            ],
            options={
                'verbose_name': 'correction',
                'verbose_name_plural': 'corrections',
                'ordering': ['from_date', 'pk'],
            },
        ),
        migrations.CreateModel(
            name='Facts',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('from_date', models.DateField(default=datetime.date(1, 1, 1))),
                ('until_date', models.DateField(default=datetime.date(9999, 12, 31))),
                ('name', models.CharField(max_length=160)),
                ('points', models.PositiveIntegerField(null=True)),
                ('points_low', models.PositiveIntegerField(null=True)),
                ('points_high', models.PositiveIntegerField(null=True)),
                ('rank', models.CharField(blank=True, max_length=20)),
                ('kind', models.CharField(blank=True, max_length=20)),
                ('street_date', models.DateField(null=True)),
                ('words', models.TextField(default='')),
                ('document', models.JSONField(default=dict, encoder=django.core.serializers.json.DjangoJSONEncoder)),
                ('element', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='facts', to='rules.element')),
            ],
            options={
                'verbose_name': 'dated values',
                'verbose_name_plural': 'dated values',
                'ordering': ['element', 'from_date'],
            },
        ),
        migrations.CreateModel(
            name='ImportLine',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('order', models.PositiveIntegerField()),
                ('where', models.CharField(max_length=120, verbose_name='place in the file')),
                ('code', models.CharField(blank=True, max_length=120)),
                ('name', models.CharField(blank=True, max_length=160, verbose_name='name')),
                ('outcome', models.CharField(choices=[('error', 'error'), ('added', 'new'), ('changed', 'changed'), ('unchanged', 'unchanged'), ('passed-over', 'skipped')], max_length=12, verbose_name='outcome')),
                ('message', models.TextField(blank=True, verbose_name='message')),
                ('differences', models.JSONField(default=list, encoder=django.core.serializers.json.DjangoJSONEncoder)),
                ('record', models.JSONField(default=dict, encoder=django.core.serializers.json.DjangoJSONEncoder)),
                ('reading', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='lines', to='rules.import')),
            ],
            options={
                'ordering': ['order', 'pk'],
            },
        ),
        migrations.CreateModel(
            name='RulebookPassage',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('order', models.PositiveIntegerField(verbose_name='position in the book')),
                ('section', models.CharField(max_length=255, verbose_name='section')),
                ('ruling', models.CharField(blank=True, max_length=100, verbose_name='ruling')),
                ('text', models.TextField(verbose_name='text')),
                ('rulebook', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='passages', to='rules.loadedrulebook', verbose_name='rulebook')),
            ],
            options={
                'verbose_name': 'passage',
                'verbose_name_plural': 'passages',
                'ordering': ['rulebook', 'order'],
            },
        ),
        migrations.CreateModel(
            name='SavedDispute',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.CharField(default=rules.models.board.unguessable, editable=False, max_length=16, unique=True)),
                ('key', models.CharField(default=rules.models.disputes.unguessable_key, editable=False, max_length=32)),
                ('edition', models.CharField(max_length=20, verbose_name='edition')),
                ('title', models.CharField(blank=True, max_length=120, verbose_name='title')),
                ('question', models.TextField(blank=True, verbose_name='question')),
                ('answer', models.TextField(blank=True, verbose_name='answer')),
                ('ready', models.SlugField(blank=True, max_length=80, verbose_name='copy of the ready-made dispute')),
                ('document', models.JSONField(encoder=django.core.serializers.json.DjangoJSONEncoder, verbose_name='position file')),
                ('waiting', models.JSONField(blank=True, default=list, encoder=django.core.serializers.json.DjangoJSONEncoder, verbose_name='figures to place')),
                ('branches', models.JSONField(blank=True, default=list, encoder=django.core.serializers.json.DjangoJSONEncoder, verbose_name='what if')),
                ('etiquette', models.JSONField(blank=True, default=list, encoder=django.core.serializers.json.DjangoJSONEncoder, verbose_name='not covered by the rules')),
                ('return_to', models.CharField(blank=True, max_length=300, verbose_name='opened from')),
                ('time_zone', models.CharField(blank=True, editable=False, max_length=60)),
                ('past', models.JSONField(blank=True, default=list, editable=False, encoder=django.core.serializers.json.DjangoJSONEncoder)),
                ('version', models.PositiveIntegerField(default=1, editable=False)),
                ('released_at', models.DateTimeField(blank=True, null=True, verbose_name='released for training')),
                ('began_at', models.DateTimeField(auto_now_add=True, verbose_name='started')),
                ('changed_at', models.DateTimeField(auto_now=True, verbose_name='changed')),
            ],
            options={
                'verbose_name': 'dispute',
                'verbose_name_plural': 'disputes',
                'ordering': ['-pk'],
                'indexes': [models.Index(fields=['released_at'], name='released_disputes')],
            },
        ),
        migrations.AddField(
            model_name='element',
            name='set',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='elements', to='rules.set'),
        ),
        migrations.CreateModel(
            name='Trait',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('what', models.CharField(choices=[('power', 'power'), ('team', 'team'), ('keyword', 'keyword')], max_length=8)),
                ('name', models.CharField(max_length=160)),
                ('folded', models.CharField(max_length=160)),
                ('facts', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='traits', to='rules.facts')),
            ],
            options={
                'ordering': ['what', 'name'],
            },
        ),
        migrations.AddIndex(
            model_name='facts',
            index=models.Index(fields=['until_date', 'from_date'], name='facts_by_day'),
        ),
        migrations.AddIndex(
            model_name='facts',
            index=models.Index(fields=['points_low', 'points_high'], name='facts_by_points'),
        ),
        migrations.AddIndex(
            model_name='facts',
            index=models.Index(fields=['kind'], name='facts_by_kind'),
        ),
        migrations.AddIndex(
            model_name='facts',
            index=models.Index(fields=['name'], name='facts_by_name'),
        ),
        migrations.AddConstraint(
            model_name='facts',
            constraint=models.UniqueConstraint(fields=('element', 'from_date'), name='one_version_a_day'),
        ),
        migrations.AddIndex(
            model_name='importline',
            index=models.Index(fields=['reading', 'outcome', 'order'], name='lines_by_outcome'),
        ),
        migrations.AddConstraint(
            model_name='rulebookpassage',
            constraint=models.UniqueConstraint(fields=('rulebook', 'section', 'ruling'), name='one_passage_of_a_section'),
        ),
        migrations.AddIndex(
            model_name='element',
            index=models.Index(fields=['set', 'number'], name='element_by_number'),
        ),
        migrations.AddIndex(
            model_name='trait',
            index=models.Index(fields=['what', 'folded', 'facts'], name='trait_by_name'),
        ),
    ]
