#!/usr/bin/env python
"""Django's entry point in a checkout: `python manage.py COMMAND`, the same as `headjudge COMMAND`."""


def main() -> None:
    """Run one management command; where nothing is installed yet, say what to do."""
    try:
        import django  # noqa: F401
    except ImportError as error:
        raise SystemExit("Django is not installed here: run `make demo` or `make test` once.") from error
    except KeyboardInterrupt:
        raise SystemExit(130) from None
    from config import commands

    commands.main()


if __name__ == "__main__":
    main()
