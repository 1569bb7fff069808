"""The site as an ASGI application, for uvicorn."""

import os
import sys
import warnings

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

# WhiteNoise streams small files from disk synchronously; Django serves them in a thread and says so each time.
warnings.filterwarnings("ignore", message="StreamingHttpResponse must consume synchronous iterators")

# While many read, the few who write must not wait for each turn: threads change places every millisecond.
sys.setswitchinterval(0.001)

django.setup(set_prefix=False)

from config.front import Front  # noqa: E402 - the apps must be ready first
from config.private import tighten_kept  # noqa: E402
from config.site import Site  # noqa: E402
from judging.background import BACKGROUND  # noqa: E402

tighten_kept()
BACKGROUND.start()

site = Site()
site.make_ready()
application = Front(site)
