# All that came before the first release, in one migration (see judging/refused.py).

import django.core.serializers.json
import django.db.models.deletion
import django.db.models.functions.text
import events.models.audit
import events.models.events
import events.models.venues
from django.conf import settings
from django.db import migrations, models

# PostgreSQL finds parts of names by their groups of three letters; SQLite reads its smaller tables through.
COLUMNS = (("event", "name"), ("venue", "name"), ("venue", "city"), ("person", "name"), ("person", "email"), ("entry", "name"))


def add_search_by_parts(apps, schema_editor):
    if schema_editor.connection.vendor != "postgresql":
        return
    with schema_editor.connection.cursor() as cursor:
        cursor.execute("SELECT 1 FROM pg_available_extensions WHERE name = 'pg_trgm'")
        if cursor.fetchone() is None:
            return  # without the extension searches are right, and slower
        cursor.execute("CREATE EXTENSION IF NOT EXISTS pg_trgm")
        for model, column in COLUMNS:
            cursor.execute(
                f"CREATE INDEX IF NOT EXISTS {model}_{column}_parts ON events_{model} USING gin (UPPER({column}) gin_trgm_ops)"
            )


def remove_search_by_parts(apps, schema_editor):
    if schema_editor.connection.vendor != "postgresql":
        return
    with schema_editor.connection.cursor() as cursor:
        for model, column in COLUMNS:
            cursor.execute(f"DROP INDEX IF EXISTS {model}_{column}_parts")


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('auth', '0012_alter_user_first_name_max_length'),
    ]

    operations = [
        migrations.CreateModel(
            name='Hall',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=80, verbose_name='name')),
                ('tables', models.PositiveSmallIntegerField(default=16, verbose_name='tables')),
            ],
            options={
                'ordering': ['name', 'pk'],
            },
        ),
        migrations.CreateModel(
            name='SentForm',
            fields=[
                ('key', models.CharField(max_length=64, primary_key=True, serialize=False)),
                ('entry', models.BigIntegerField()),
                ('at', models.DateTimeField(auto_now_add=True)),
            ],
        ),
        migrations.CreateModel(
            name='Venue',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=120, verbose_name='name')),
                ('kind', models.CharField(choices=[('store', 'retail store'), ('convention', 'convention'), ('club', 'game club')], max_length=12, verbose_name='kind')),
                ('state', models.CharField(choices=[('pending', 'waiting for approval'), ('approved', 'approved'), ('refused', 'rejected'), ('suspended', 'suspended')], default='pending', max_length=12, verbose_name='state')),
                ('public_location', models.TextField(help_text='The address where people come to play: street, number, city.', max_length=400, verbose_name='public location')),
                ('city', models.CharField(max_length=80, verbose_name='city')),
                ('country', models.CharField(max_length=60, verbose_name='country')),
                ('shipping_address', models.TextField(help_text='No PO boxes: deliveries need a signature.', max_length=400, verbose_name='shipping address')),
                ('telephone', models.CharField(max_length=40, verbose_name='telephone')),
                ('tax_number', models.CharField(blank=True, help_text="Only the sanctioning office can see this number.", max_length=60, verbose_name='tax number')),
                ('resale_number', models.CharField(blank=True, help_text="Only the sanctioning office can see this number.", max_length=60, verbose_name='resale certificate number')),
                ('website', models.URLField(blank=True, verbose_name='website')),
                ('time_zone', models.CharField(default='UTC', max_length=60, validators=[events.models.venues.valid_time_zone], verbose_name='time zone')),
                ('tables', models.PositiveSmallIntegerField(default=16, verbose_name='tables')),
                ('volunteer_agreed', models.DateTimeField(blank=True, null=True, verbose_name='accepted by the registered volunteer')),
                ('opens', models.DateField(blank=True, help_text='Enter this date only for a convention.', null=True, verbose_name='first day')),
                ('closes', models.DateField(blank=True, help_text='Enter this date only for a convention.', null=True, verbose_name='last day')),
                ('registered', models.DateTimeField(auto_now_add=True, verbose_name='registered')),
                ('decided', models.DateTimeField(blank=True, null=True, verbose_name='decided')),
                ('decision_reason', models.CharField(blank=True, max_length=300, verbose_name='reason')),
                ('version', models.PositiveIntegerField(default=1, editable=False)),
            ],
            options={
                'verbose_name': 'venue',
                'verbose_name_plural': 'venues',
                'ordering': ['name', 'pk'],
            },
        ),
        migrations.CreateModel(
            name='Person',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('password', models.CharField(max_length=128, verbose_name='password')),
                ('last_login', models.DateTimeField(blank=True, null=True, verbose_name='last login')),
                ('is_superuser', models.BooleanField(default=False, help_text='Designates that this user has all permissions without explicitly assigning them.', verbose_name='superuser status')),
                ('email', models.EmailField(max_length=254, unique=True, verbose_name='e-mail address')),
                ('name', models.CharField(help_text='As it should appear on pairings and result sheets.', max_length=120, verbose_name='name')),
                ('phone', models.CharField(blank=True, max_length=40, verbose_name='telephone')),
                ('is_minor', models.BooleanField(default=False, help_text='The name is shortened on pages, displays and posted sheets.', verbose_name='under 18')),
                ('publisher_family', models.BooleanField(default=False, help_text="Employees and their immediate families can't play in sanctioned events.", verbose_name='employee of the publisher, or a family member of one')),
                ('is_office', models.BooleanField(default=False, verbose_name='sanctioning office')),
                ('suspended_until', models.DateField(blank=True, null=True, verbose_name='suspended until')),
                ('suspension_reason', models.CharField(blank=True, max_length=300, verbose_name='reason for the suspension')),
                ('language', models.CharField(blank=True, editable=False, max_length=10, verbose_name='language of e-mails')),
                ('is_active', models.BooleanField(default=True, verbose_name='active')),
                ('is_staff', models.BooleanField(default=False)),
                ('joined', models.DateTimeField(auto_now_add=True, verbose_name='joined')),
                ('version', models.PositiveIntegerField(default=1, editable=False)),
                ('groups', models.ManyToManyField(blank=True, help_text='The groups this user belongs to. A user will get all permissions granted to each of their groups.', related_name='user_set', related_query_name='user', to='auth.group', verbose_name='groups')),
                ('user_permissions', models.ManyToManyField(blank=True, help_text='Specific permissions for this user.', related_name='user_set', related_query_name='user', to='auth.permission', verbose_name='user permissions')),
            ],
            options={
                'verbose_name': 'person',
                'verbose_name_plural': 'people',
                'ordering': ['name', 'pk'],
            },
        ),
        migrations.CreateModel(
            name='Event',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.CharField(default=events.models.events.new_public_id, editable=False, max_length=16, unique=True)),
                ('name', models.CharField(max_length=120, verbose_name='name')),
                ('description', models.TextField(blank=True, max_length=4000, verbose_name='description')),
                ('state', models.CharField(choices=[('draft', 'draft'), ('open', 'open for registration'), ('running', 'running'), ('finished', 'finished, not yet verified'), ('verified', 'verified'), ('cancelled', 'cancelled')], default='draft', max_length=12, verbose_name='state')),
                ('is_practice', models.BooleanField(default=False, help_text="A practice event isn't sanctioned and needs no report.", verbose_name='practice event')),
                ('starts', models.DateTimeField(help_text='Venue time.', verbose_name='starts')),
                ('ended', models.DateTimeField(blank=True, null=True, verbose_name='ended')),
                ('universe', models.CharField(choices=[('marvel', 'Marvel'), ('dc', 'DC'), ('indy', 'Indy'), ('any', 'any')], default='any', max_length=12, verbose_name='universe')),
                ('format', models.CharField(choices=[('constructed', 'constructed'), ('head-to-head', 'head-to-head'), ('sealed-booster', 'sealed booster'), ('sealed-starter', 'sealed starter')], default='constructed', max_length=20, verbose_name='format')),
                ('edition', models.CharField(choices=[('ic-2002', 'Infinity Challenge, 2002'), ('car-2002', 'Compiled and Annotated Rulebook, 2002'), ('dc-2005', 'DC starter set, 2005'), ('core-2014', 'Core Rulebook, 2014'), ('core-modern', 'Core Rulebook of the 2020s')], default='car-2002', max_length=20, verbose_name='rulebook edition')),
                ('build_total', models.PositiveIntegerField(default=200, verbose_name='build total')),
                ('sets', models.JSONField(blank=True, default=list, verbose_name='allowed sets')),
                ('tactics', models.JSONField(blank=True, null=True, verbose_name='allowed tactics')),
                ('event_dial', models.BooleanField(default=False, verbose_name='event dial')),
                ('seats', models.PositiveSmallIntegerField(default=32, verbose_name='seats')),
                ('first_table', models.PositiveSmallIntegerField(default=1, verbose_name='first table')),
                ('pairing_style', models.CharField(choices=[('swiss', 'Swiss'), ('elimination', 'single elimination'), ('round-robin', 'round robin')], default='swiss', max_length=16, verbose_name='pairing')),
                ('number_of_rounds', models.PositiveSmallIntegerField(blank=True, help_text='Leave empty to get a proposal from the number of players.', null=True, verbose_name='rounds')),
                ('cut_to', models.PositiveSmallIntegerField(default=0, verbose_name='cut to top')),
                ('round_minutes', models.PositiveSmallIntegerField(default=50, verbose_name='minutes per round')),
                ('preparation_minutes', models.PositiveSmallIntegerField(default=10, verbose_name='minutes of preparation')),
                ('scenarios', models.JSONField(blank=True, default=list, verbose_name='scenario for each round')),
                ('cascade', models.JSONField(blank=True, default=list, verbose_name='standings order')),
                ('bye_score', models.CharField(choices=[('half', 'half the build total'), ('full', 'the build total'), ('none', 'no victory points')], default='half', max_length=8, verbose_name='victory points for a bye')),
                ('cap_points', models.BooleanField(default=True, verbose_name='cap victory points at the build total')),
                ('time_called', models.CharField(choices=[('action', 'finish the current action'), ('turn', 'finish the current turn'), ('round', 'play one last turn each')], default='action', max_length=8, verbose_name='when time is called')),
                ('tied_game', models.CharField(choices=[('edition', "the edition's tie-breaker"), ('double-loss', "the edition's tie-breaker; double loss if neither player scored")], default='edition', max_length=16, verbose_name='tied matches')),
                ('late_start', models.CharField(choices=[('loss', 'a loss for each round missed'), ('bye', 'a bye for each round missed')], default='loss', max_length=8, verbose_name='late entries get')),
                ('keep_clubs_apart', models.BooleanField(default=False, verbose_name='keep club-mates apart in round 1')),
                ('shorten_minors', models.BooleanField(default=True, verbose_name="shorten minors' names")),
                ('self_check_in', models.BooleanField(default=False, verbose_name='players can check themselves in')),
                ('entries_close', models.DateTimeField(blank=True, null=True, verbose_name='registration closes')),
                ('forces_close', models.DateTimeField(blank=True, null=True, verbose_name='forces due')),
                ('forces_public', models.BooleanField(default=True, verbose_name='make forces public when the event starts')),
                ('seed', models.PositiveBigIntegerField(default=events.models.events.new_seed, verbose_name='random seed')),
                ('created', models.DateTimeField(auto_now_add=True, verbose_name='created')),
                ('verified_at', models.DateTimeField(blank=True, null=True, verbose_name='verified')),
                ('reported_at', models.DateTimeField(blank=True, null=True, verbose_name='reported to the sanctioning office')),
                ('link_secret', models.CharField(default=events.models.events.new_link_secret, editable=False, max_length=48)),
                ('away', models.CharField(blank=True, editable=False, help_text="Only the machine named here can edit the event.", max_length=120, verbose_name='handed over to')),
                ('version', models.PositiveIntegerField(default=1, editable=False)),
                ('copied_from', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='copies', to='events.event')),
                ('verified_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='verified_events', to=settings.AUTH_USER_MODEL)),
                ('hall', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='events', to='events.hall', verbose_name='hall')),
                ('venue', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='events', to='events.venue', verbose_name='venue')),
            ],
            options={
                'verbose_name': 'event',
                'verbose_name_plural': 'events',
                'ordering': ['-starts', '-pk'],
            },
        ),
        migrations.CreateModel(
            name='Entry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField(help_text="Numbers are assigned in order of registration and never reused.", verbose_name='number')),
                ('name', models.CharField(max_length=120, verbose_name='name')),
                ('email', models.EmailField(blank=True, help_text="Used for players without an account. Only officials see it.", max_length=254, verbose_name='e-mail address')),
                ('club', models.CharField(blank=True, max_length=80, verbose_name='club or team')),
                ('is_minor', models.BooleanField(default=False, verbose_name='under 18')),
                ('state', models.CharField(choices=[('waiting', 'on the waiting list'), ('entered', 'registered'), ('checked-in', 'checked in'), ('dropped', 'dropped'), ('withdrawn', 'withdrawn before the start'), ('disqualified', 'disqualified')], default='entered', max_length=12, verbose_name='state')),
                ('origin', models.CharField(choices=[('self', 'online'), ('door', 'at the door'), ('list', 'imported from a list')], default='self', max_length=8)),
                ('eligible_declared', models.BooleanField(default=False, verbose_name='eligibility confirmed')),
                ('fixed_table', models.PositiveSmallIntegerField(blank=True, null=True, verbose_name='fixed table')),
                ('from_round', models.PositiveSmallIntegerField(default=1, verbose_name='starts in round')),
                ('dropped_after', models.PositiveSmallIntegerField(blank=True, null=True, verbose_name='dropped after round')),
                ('link_key', models.CharField(default=events.models.events.new_public_id, editable=False, max_length=16, unique=True)),
                ('link_issue', models.PositiveSmallIntegerField(default=1, editable=False, help_text="A new link raises this number, and earlier links stop working.")),
                ('entered', models.DateTimeField(auto_now_add=True)),
                ('version', models.PositiveIntegerField(default=1, editable=False)),
                ('person', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='entries', to=settings.AUTH_USER_MODEL)),
                ('event', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='entries', to='events.event')),
            ],
            options={
                'verbose_name': 'entry',
                'verbose_name_plural': 'entries',
                'ordering': ['number', 'pk'],
            },
        ),
        migrations.CreateModel(
            name='Announcement',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('text', models.CharField(max_length=300, verbose_name='announcement')),
                ('at', models.DateTimeField(auto_now_add=True)),
                ('until', models.DateTimeField(blank=True, null=True, verbose_name='shown until')),
                ('withdrawn', models.BooleanField(default=False)),
                ('event', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='announcements', to='events.event')),
            ],
            options={
                'ordering': ['-at', '-pk'],
            },
        ),
        migrations.CreateModel(
            name='Force',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.CharField(default=events.models.events.new_public_id, editable=False, max_length=16, unique=True)),
                ('from_round', models.PositiveSmallIntegerField(default=1, verbose_name='effective from round')),
                ('name', models.CharField(blank=True, max_length=80, verbose_name='name')),
                ('state', models.CharField(choices=[('draft', 'draft'), ('submitted', 'submitted')], default='draft', max_length=12)),
                ('standing', models.CharField(choices=[('legal', 'legal'), ('not-legal', 'illegal'), ('cannot-tell', "can't tell")], default='cannot-tell', max_length=12)),
                ('total', models.PositiveIntegerField(default=0)),
                ('document', models.JSONField(default=dict)),
                ('report', models.JSONField(default=dict)),
                ('origins', models.JSONField(default=dict)),
                ('maps', models.JSONField(default=list, verbose_name='maps')),
                ('work', models.JSONField(default=dict)),
                ('checked_at', models.DateTimeField(blank=True, null=True)),
                ('submitted_at', models.DateTimeField(blank=True, null=True)),
                ('changed_after_deadline', models.BooleanField(default=False)),
                ('version', models.PositiveIntegerField(default=1, editable=False)),
                ('entry', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='forces', to='events.entry')),
            ],
            options={
                'verbose_name': 'force',
                'verbose_name_plural': 'forces',
                'ordering': ['from_round', 'pk'],
            },
        ),
        migrations.CreateModel(
            name='Match',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('table', models.PositiveSmallIntegerField(blank=True, null=True, verbose_name='table')),
                ('kind', models.CharField(choices=[('game', 'game'), ('bye', 'bye'), ('missed', 'round missed: a loss')], default='game', max_length=8)),
                ('state', models.CharField(choices=[('open', 'open'), ('claimed', 'waiting for the second report'), ('disputed', 'reports differ: a judge decides'), ('confirmed', 'confirmed')], default='open', max_length=12, verbose_name='state')),
                ('result', models.JSONField(blank=True, null=True, verbose_name='the result that counts')),
                ('confirmed_at', models.DateTimeField(blank=True, null=True)),
                ('bracket_slot', models.PositiveSmallIntegerField(blank=True, null=True, verbose_name='place in the bracket')),
                ('version', models.PositiveIntegerField(default=1, editable=False)),
                ('a', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='matches_as_a', to='events.entry')),
                ('b', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='matches_as_b', to='events.entry')),
            ],
            options={
                'verbose_name': 'match',
                'verbose_name_plural': 'matches',
                'ordering': ['table', 'pk'],
            },
        ),
        migrations.CreateModel(
            name='Extension',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('seconds', models.IntegerField(verbose_name='seconds')),
                ('reason', models.CharField(max_length=200, verbose_name='reason')),
                ('at', models.DateTimeField(auto_now_add=True)),
                ('withdrawn', models.BooleanField(default=False)),
                ('given_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('match', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='extensions', to='events.match')),
            ],
            options={
                'ordering': ['at', 'pk'],
            },
        ),
        migrations.CreateModel(
            name='Claim',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('how', models.CharField(choices=[('player', "a player's report"), ('slip', 'a slip signed by both'), ('scorekeeper', "entered at the judges' table"), ('judge', "a judge's decision"), ('system', 'set by the rules')], max_length=12)),
                ('at', models.DateTimeField(auto_now_add=True)),
                ('result', models.JSONField()),
                ('reason', models.CharField(blank=True, max_length=300, verbose_name='reason')),
                ('counts', models.BooleanField(default=True, help_text="A report stops counting once it is withdrawn or the same person submits a later one.")),
                ('by_person', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('by_entry', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='events.entry')),
                ('match', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='claims', to='events.match')),
            ],
            options={
                'ordering': ['at', 'pk'],
            },
        ),
        migrations.CreateModel(
            name='Official',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('role', models.CharField(choices=[('head-judge', 'head judge'), ('judge', 'judge'), ('scorekeeper', 'scorekeeper')], max_length=12, verbose_name='role')),
                ('accepted', models.DateTimeField(blank=True, null=True, verbose_name='accepted by the venue')),
                ('answered', models.DateTimeField(blank=True, null=True, verbose_name='accepted, address not confirmed')),
                ('confirmed', models.DateTimeField(blank=True, null=True, verbose_name='accepted by the official')),
                ('added', models.DateTimeField(auto_now_add=True)),
                ('event', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='officials', to='events.event')),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='offices', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'official',
                'verbose_name_plural': 'officials',
                'ordering': ['role', 'pk'],
            },
        ),
        migrations.CreateModel(
            name='PolicyOverride',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('rule', models.CharField(max_length=60, verbose_name='rule')),
                ('reason', models.CharField(max_length=300, verbose_name='reason')),
                ('given', models.DateTimeField(auto_now_add=True, verbose_name='granted')),
                ('withdrawn', models.DateTimeField(blank=True, null=True, verbose_name='revoked')),
                ('version', models.PositiveIntegerField(default=1, editable=False)),
                ('event', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='overrides', to='events.event')),
                ('given_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('person', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='overrides', to=settings.AUTH_USER_MODEL, verbose_name='person')),
            ],
            options={
                'verbose_name': 'policy exception',
                'verbose_name_plural': 'policy exceptions',
                'ordering': ['given', 'pk'],
            },
        ),
        migrations.CreateModel(
            name='Pool',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('elements', models.JSONField(default=list)),
                ('replaced', models.JSONField(default=list, verbose_name='incomplete product replaced')),
                ('registered', models.DateTimeField(auto_now_add=True)),
                ('version', models.PositiveIntegerField(default=1, editable=False)),
                ('entry', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='pool', to='events.entry')),
            ],
        ),
        migrations.CreateModel(
            name='Round',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField(verbose_name='number')),
                ('stage', models.CharField(choices=[('main', 'main rounds'), ('cut', 'cut')], default='main', max_length=8)),
                ('state', models.CharField(choices=[('draft', 'draft'), ('published', 'published'), ('running', 'running'), ('complete', 'complete')], default='draft', max_length=12, verbose_name='state')),
                ('scenario', models.CharField(blank=True, max_length=40, verbose_name='scenario')),
                ('seed', models.PositiveBigIntegerField(default=0)),
                ('tournament', models.JSONField(default=dict, verbose_name='tournament file used for pairing')),
                ('pairing_report', models.JSONField(default=dict, verbose_name="pairing report")),
                ('changes_by_hand', models.JSONField(default=list, verbose_name='manual changes')),
                ('published_at', models.DateTimeField(blank=True, null=True, verbose_name='published')),
                ('started_at', models.DateTimeField(blank=True, null=True, verbose_name='started')),
                ('completed_at', models.DateTimeField(blank=True, null=True, verbose_name='completed')),
                ('times_reopened', models.PositiveSmallIntegerField(default=0)),
                ('preparation_seconds', models.PositiveIntegerField(default=600)),
                ('round_seconds', models.PositiveIntegerField(default=3000)),
                ('added_seconds', models.IntegerField(default=0, verbose_name='seconds added for all tables')),
                ('version', models.PositiveIntegerField(default=1, editable=False)),
                ('event', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='rounds', to='events.event')),
            ],
            options={
                'verbose_name': 'round',
                'verbose_name_plural': 'rounds',
                'ordering': ['number'],
            },
        ),
        migrations.AddField(
            model_name='match',
            name='round',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='matches', to='events.round'),
        ),
        migrations.CreateModel(
            name='ClockRun',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('phase', models.CharField(choices=[('preparation', 'preparation'), ('round', 'round')], max_length=12)),
                ('began', models.DateTimeField()),
                ('ended', models.DateTimeField(blank=True, null=True)),
                ('round', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='clock_runs', to='events.round')),
            ],
            options={
                'ordering': ['began', 'pk'],
            },
        ),
        migrations.CreateModel(
            name='Season',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('universe', models.CharField(choices=[('marvel', 'Marvel'), ('dc', 'DC'), ('indy', 'Indy'), ('any', 'any')], max_length=12, verbose_name='universe')),
                ('name', models.CharField(max_length=80, verbose_name='name')),
                ('begins', models.DateField(verbose_name='first day')),
                ('ends', models.DateField(verbose_name='last day')),
                ('version', models.PositiveIntegerField(default=1, editable=False)),
            ],
            options={
                'verbose_name': 'season',
                'verbose_name_plural': 'seasons',
                'ordering': ['-begins', 'universe', 'pk'],
                'constraints': [models.CheckConstraint(condition=models.Q(('ends__gte', models.F('begins'))), name='season_ends_after_it_begins')],
            },
        ),
        migrations.CreateModel(
            name='SignInCode',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('code_hash', models.CharField(max_length=128)),
                ('made', models.DateTimeField(auto_now_add=True)),
                ('expires', models.DateTimeField()),
                ('used', models.DateTimeField(blank=True, null=True)),
                ('revoked', models.DateTimeField(blank=True, null=True)),
                ('told', models.DateTimeField(blank=True, null=True)),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('event', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='sign_in_codes', to='events.event')),
                ('made_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='sign_in_codes', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-pk'],
            },
        ),
        migrations.CreateModel(
            name='Reminder',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=120, verbose_name='subject')),
                ('sent', models.DateTimeField(auto_now_add=True, verbose_name='sent')),
                ('event', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='reminders', to='events.event')),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='reminders', to=settings.AUTH_USER_MODEL)),
                ('venue', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='reminders', to='events.venue')),
            ],
            options={
                'verbose_name': 'reminder',
                'verbose_name_plural': 'reminders',
                'ordering': ['-sent', '-pk'],
            },
        ),
        migrations.AddField(
            model_name='hall',
            name='venue',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='halls', to='events.venue'),
        ),
        migrations.CreateModel(
            name='ClubMember',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=120, verbose_name='name')),
                ('email', models.EmailField(blank=True, max_length=254, verbose_name='e-mail address')),
                ('venue', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='members', to='events.venue')),
            ],
            options={
                'ordering': ['name', 'pk'],
            },
        ),
        migrations.CreateModel(
            name='AuditEntry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField(auto_now_add=True)),
                ('verb', models.CharField(max_length=60)),
                ('as_role', models.CharField(blank=True, max_length=20)),
                ('subject_model', models.CharField(blank=True, max_length=60)),
                ('subject_id', models.BigIntegerField(blank=True, null=True)),
                ('summary', models.CharField(blank=True, max_length=300)),
                ('sentence', models.CharField(blank=True, max_length=60)),
                ('facts', models.JSONField(blank=True, default=dict, encoder=events.models.audit.FactsEncoder)),
                ('reason', models.CharField(blank=True, max_length=300, verbose_name='reason')),
                ('is_non_standard', models.BooleanField(default=False)),
                ('by_code', models.BooleanField(default=False)),
                ('changes', models.JSONField(default=list, encoder=django.core.serializers.json.DjangoJSONEncoder)),
                ('by_person', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='record', to=settings.AUTH_USER_MODEL)),
                ('undoes', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='undone_by', to='events.auditentry')),
                ('by_entry', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='record', to='events.entry')),
                ('event', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='record', to='events.event')),
                ('venue', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='record', to='events.venue')),
            ],
            options={
                'verbose_name': 'audit log entry',
                'verbose_name_plural': 'audit log',
                'ordering': ['-pk'],
            },
        ),
        migrations.CreateModel(
            name='VenueManager',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('since', models.DateTimeField(auto_now_add=True)),
                ('answered', models.DateTimeField(blank=True, null=True, verbose_name='accepted, address not confirmed')),
                ('confirmed', models.DateTimeField(blank=True, null=True, verbose_name='accepted by the manager')),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='managing', to=settings.AUTH_USER_MODEL)),
                ('venue', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='management', to='events.venue')),
            ],
        ),
        migrations.CreateModel(
            name='Volunteer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('state', models.CharField(choices=[('pending', 'waiting for approval'), ('approved', 'approved'), ('refused', 'rejected'), ('suspended', 'suspended')], default='pending', max_length=12, verbose_name='state')),
                ('city', models.CharField(blank=True, max_length=80, verbose_name='city')),
                ('experience', models.TextField(blank=True, max_length=2000, verbose_name='experience')),
                ('registered', models.DateTimeField(auto_now_add=True, verbose_name='registered')),
                ('decided', models.DateTimeField(blank=True, null=True, verbose_name='decided')),
                ('decision_reason', models.CharField(blank=True, max_length=300, verbose_name='reason')),
                ('version', models.PositiveIntegerField(default=1, editable=False)),
                ('person', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='volunteer', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'volunteer',
                'verbose_name_plural': 'volunteers',
                'ordering': ['person__name', 'pk'],
            },
        ),
        migrations.AddField(
            model_name='venue',
            name='registered_volunteer',
            field=models.ForeignKey(blank=True, help_text="A game club must name one of its members here.", null=True, on_delete=django.db.models.deletion.PROTECT, related_name='clubs', to='events.volunteer', verbose_name='registered volunteer'),
        ),
        migrations.AddIndex(
            model_name='person',
            index=models.Index(fields=['name', 'id'], name='people_by_name'),
        ),
        migrations.AddConstraint(
            model_name='person',
            constraint=models.UniqueConstraint(django.db.models.functions.text.Lower('email'), name='one_person_per_email'),
        ),
        migrations.AddIndex(
            model_name='entry',
            index=models.Index(fields=['person', '-id'], name='entries_by_person'),
        ),
        migrations.AddIndex(
            model_name='entry',
            index=models.Index(fields=['name', 'id'], name='entries_by_name'),
        ),
        migrations.AddIndex(
            model_name='entry',
            index=models.Index(django.db.models.functions.text.Lower('email'), condition=models.Q(('person__isnull', True)), name='entries_by_address'),
        ),
        migrations.AddConstraint(
            model_name='entry',
            constraint=models.UniqueConstraint(fields=('event', 'number'), name='one_entry_per_number'),
        ),
        migrations.AddConstraint(
            model_name='entry',
            constraint=models.UniqueConstraint(condition=models.Q(('person__isnull', False)), fields=('event', 'person'), name='one_entry_per_person'),
        ),
        migrations.AddConstraint(
            model_name='entry',
            constraint=models.UniqueConstraint(condition=models.Q(('fixed_table__isnull', False)), fields=('event', 'fixed_table'), name='one_entry_per_fixed_table'),
        ),
        migrations.AddConstraint(
            model_name='force',
            constraint=models.UniqueConstraint(fields=('entry', 'from_round'), name='one_force_per_first_round'),
        ),
        migrations.AddConstraint(
            model_name='official',
            constraint=models.UniqueConstraint(fields=('event', 'person'), name='one_office_per_person'),
        ),
        migrations.AddConstraint(
            model_name='official',
            constraint=models.UniqueConstraint(condition=models.Q(('role', 'head-judge')), fields=('event',), name='one_head_judge'),
        ),
        migrations.AddConstraint(
            model_name='policyoverride',
            constraint=models.UniqueConstraint(condition=models.Q(('person__isnull', True), ('withdrawn__isnull', True)), fields=('event', 'rule'), name='one_override_per_rule'),
        ),
        migrations.AddConstraint(
            model_name='policyoverride',
            constraint=models.UniqueConstraint(condition=models.Q(('person__isnull', False), ('withdrawn__isnull', True)), fields=('event', 'rule', 'person'), name='one_override_per_rule_and_person'),
        ),
        migrations.AddConstraint(
            model_name='round',
            constraint=models.UniqueConstraint(fields=('event', 'number'), name='one_round_per_number'),
        ),
        migrations.AddConstraint(
            model_name='match',
            constraint=models.UniqueConstraint(fields=('round', 'table'), name='one_match_per_table'),
        ),
        migrations.AddConstraint(
            model_name='match',
            constraint=models.UniqueConstraint(fields=('round', 'a'), name='one_match_per_a'),
        ),
        migrations.AddConstraint(
            model_name='match',
            constraint=models.UniqueConstraint(fields=('round', 'b'), name='one_match_per_b'),
        ),
        migrations.AddConstraint(
            model_name='match',
            constraint=models.CheckConstraint(condition=models.Q(('a', models.F('b')), _negated=True), name='nobody_meets_himself'),
        ),
        migrations.AddConstraint(
            model_name='clockrun',
            constraint=models.UniqueConstraint(condition=models.Q(('ended__isnull', True)), fields=('round',), name='one_open_run_per_round'),
        ),
        migrations.AddConstraint(
            model_name='reminder',
            constraint=models.UniqueConstraint(fields=('person', 'key'), name='one_reminder_each'),
        ),
        migrations.AddConstraint(
            model_name='hall',
            constraint=models.UniqueConstraint(fields=('venue', 'name'), name='one_hall_per_name'),
        ),
        migrations.AddIndex(
            model_name='event',
            index=models.Index(fields=['-starts', '-id'], name='events_by_date'),
        ),
        migrations.AddIndex(
            model_name='event',
            index=models.Index(fields=['venue', '-starts', '-id'], name='events_by_venue'),
        ),
        migrations.AddIndex(
            model_name='event',
            index=models.Index(fields=['state', '-starts'], name='events_by_state'),
        ),
        migrations.AddIndex(
            model_name='event',
            index=models.Index(fields=['name', 'id'], name='events_by_name'),
        ),
        migrations.AddIndex(
            model_name='event',
            index=models.Index(condition=models.Q(('state__in', ['open', 'running'])), fields=['starts', 'id'], name='events_to_come'),
        ),
        migrations.AddConstraint(
            model_name='clubmember',
            constraint=models.UniqueConstraint(fields=('venue', 'name', 'email'), name='one_membership_per_member'),
        ),
        migrations.AddIndex(
            model_name='auditentry',
            index=models.Index(fields=['event', '-id'], name='record_by_event'),
        ),
        migrations.AddConstraint(
            model_name='venuemanager',
            constraint=models.UniqueConstraint(fields=('venue', 'person'), name='one_management_per_person'),
        ),
        migrations.AddIndex(
            model_name='venue',
            index=models.Index(fields=['state', 'name', 'id'], name='venues_by_name'),
        ),
        migrations.RunPython(add_search_by_parts, remove_search_by_parts),
    ]
