#!/usr/bin/env python
"""Django's entry point: `python manage.py COMMAND`."""

import os
import sys


def main() -> None:
    """Run one management command; where nothing is installed yet, say what to do."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    try:
        import django  # noqa: F401
    except ImportError as error:
        raise SystemExit("Django is not installed here: run `make demo` or `make test` once.") from error
    except KeyboardInterrupt:
        raise SystemExit(130) from None
    from config.commands import run

    run(sys.argv)


if __name__ == "__main__":
    main()
