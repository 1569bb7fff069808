"""Print the running event's round in the process that is kept ready, as a server does after a publication."""

import time

import django

django.setup()

from events.models import Event
from judging import background
from judging.keeping import bundles
from judging.models import Bundle
from rules.standby import STANDBY

event = Event.objects.get(state=Event.State.RUNNING)
Bundle.objects.filter(event=event).delete()  # the server that was just stopped may have printed it already
bundles.ask_for_missing(event)
assert bundles.waiting(event).exists()
STANDBY.start()
while STANDBY.is_running and not STANDBY.answers:
    time.sleep(0.1)
assert background.begun_beside(event)
assert STANDBY.wait(120)
assert not bundles.waiting(event).exists()
