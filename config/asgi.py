"""The site as an ASGI application, for uvicorn."""

import os
import sys
import warnings

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

# WhiteNoise streams small files from disk synchronously; Django serves them in a thread and says so each time.
warnings.filterwarnings("ignore", message="StreamingHttpResponse must consume synchronous iterators")

# While many read, the few who write must not wait for each turn: threads change places every millisecond.
sys.setswitchinterval(0.001)

site = get_asgi_application()

from config.front import Front  # noqa: E402 - the apps must be ready first
from judging.background import BACKGROUND  # noqa: E402

BACKGROUND.start()

application = Front(site)
