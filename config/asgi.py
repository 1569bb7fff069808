"""The ASGI application that uvicorn serves."""

import os
import signal
import sys
import threading
import warnings

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

# WhiteNoise reads small files synchronously; Django then serves them in a thread and warns on every request.
warnings.filterwarnings("ignore", message="StreamingHttpResponse must consume synchronous iterators")

# A result waits for the interpreter after each statement of SQL: let threads switch often.
sys.setswitchinterval(0.001)

django.setup(set_prefix=False)

from django.core.cache import close_caches  # noqa: E402 - the apps must be ready first
from django.core.signals import request_finished  # noqa: E402
from django.db import close_old_connections  # noqa: E402

from config.front import Front  # noqa: E402
from config.private import tighten_kept  # noqa: E402
from config.site import Site  # noqa: E402
from judging.background import BACKGROUND  # noqa: E402
from judging.management.readiness import stop_if_refused  # noqa: E402
from judging.outbox import OUTBOX  # noqa: E402
from rules.standby import STANDBY  # noqa: E402

stop_if_refused()
tighten_kept()
BACKGROUND.start()
OUTBOX.start()
if threading.current_thread() is threading.main_thread() and STANDBY.process is not None:
    # uvicorn ends by sending itself the signal again: that must not keep Python from waiting for the process beside it
    signal.signal(signal.SIGTERM, lambda _number, _frame: sys.exit())

# The site closes expired connections on the threads that have them, and the cache is in memory: nothing is left that
# each request must wait for.
request_finished.disconnect(close_old_connections)
request_finished.disconnect(close_caches)

site = Site()
site.make_ready()
application = Front(site)
