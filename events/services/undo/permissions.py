"""What may be undone, and by whom."""

from __future__ import annotations

from django.db.models import Model
from django.utils.translation import gettext as _

from events.actions import ACTIONS, CANNOT_UNDO, Permission, Text, Verdict, answer, only_words
from events.door import HIDDEN
from events.models import ApiToken, AuditEntry, Event, Role, SignInCode, Webhook, WebhookMessage
from events.roles import JUDGES

from .acts import net_of, root

OF_RANK = frozenset({"change-officials", "give-penalty", "take-decision-back"})
"""Actions that only their author's role or a higher one can undo, so that a senior's decision stands."""
NEVER: dict[type[Model], str] = {
    SignInCode: "make-sign-in-code",
    ApiToken: "create-token",
    Webhook: "change-webhook",
    WebhookMessage: "change-webhook",
}
"""Models whose rows no undoing writes, each with the verb that says why."""
APPEALS = frozenset({"appeal-decision"})
"""Actions that only the head judge can undo; otherwise the judge who ruled could remove the appeal."""


def why_never(entry: AuditEntry) -> Text:
    """Return why this entry can never be undone, or ""."""
    verb = root(entry).verb
    if verb in CANNOT_UNDO:
        return CANNOT_UNDO[verb]
    if entry.event_id is None:
        return _("This action isn't part of an event. Reverse it on the page where it was taken.")
    written = {change["model"] for change in entry.changes}
    for model, verb in NEVER.items():
        if model._meta.label in written:  # even in imported files
            return CANNOT_UNDO[verb]
    net = net_of(entry.changes).values()
    if any(one.made and one.after.get("effect") for one in net):
        return _(
            "This penalty also set a result or disqualified a player. To reverse all of it, withdraw the penalty on the Penalties page."
        )
    if any(value == HIDDEN for one in net for value in one.before.values()):
        return _("The audit log doesn't store the earlier text. Enter it again.")
    return ""


def may_undo(entry: AuditEntry, roles: frozenset[Role], event: Event) -> Permission:
    """Return the table's verdict: whoever may undo and perform the action itself; judges also undo players' actions."""
    given = answer("undo", roles, event=event)
    row = ACTIONS.get(root(entry).verb)
    if not given or row is None:
        return given
    able = row.roles | (JUDGES if Role.PLAYER in row.roles else frozenset())
    if root(entry).verb in APPEALS:
        able = frozenset({Role.HEAD_JUDGE})
    elif root(entry).verb in OF_RANK and entry.as_role:
        rank = list(Role)
        able = frozenset(role for role in able if rank.index(role) <= rank.index(Role(entry.as_role)))
    if not roles & able:
        return Permission(Verdict.REFUSED, given.action, only_words(able), is_about_roles=True)
    return given


__all__ = ["may_undo", "why_never"]
