"""The WSGI application for Django's development server."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

application = get_wsgi_application()

from config.private import tighten_kept  # noqa: E402 - the apps must be ready first
from judging.background import BACKGROUND  # noqa: E402
from judging.outbox import OUTBOX  # noqa: E402

tighten_kept()
BACKGROUND.start()
OUTBOX.start()
