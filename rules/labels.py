"""A label and what it labels, in the reader's language: French sets a space before the colon."""

from django.utils.translation import gettext as _


def labelled(which: object, what: object) -> str:
    """Return "which: what"."""
    return _("%(which)s: %(what)s") % {"which": which, "what": what}
