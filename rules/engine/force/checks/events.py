"""Legality rules of events for the forces played there."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Final

from rules.engine.edition import Edition
from rules.engine.figures.archenemies import folded
from rules.engine.force.checks.row import legality_rule, plain_number, refs_of
from rules.engine.forces import SEALED, Findings, Force, Rank, Unchecked, Violation

NEW_PRODUCT_RULE_SINCE: Final = date(2002, 10, 1)
UNTIL_NEW_PRODUCT_IS_LEGAL: Final = timedelta(days=14)


@legality_rule("promotional figures")
def promotional(force: Force, _edition: Edition) -> Findings:
    """No promotional figures.

    Figures marked Promotional aren't allowed in sanctioned play.
    """
    if force.event.sanctioned:
        for one in force.figures:
            if one.promotional or one.rank is Rank.PROMOTIONAL:
                yield Violation(f"{one.name} is a promotional figure, which sanctioned play doesn't allow.", (one.ref,))


@legality_rule("proxies")
def proxy(force: Force, _edition: Edition) -> Findings:
    """No proxies."""
    if force.event.sanctioned:
        for one in force.figures:
            if one.proxy:
                yield Violation(f"{one.name} is a proxy, which sanctioned play doesn't allow.", (one.ref,))


@legality_rule("14 days after the street date", topic="street-date")
def product_not_yet_legal(force: Force, _edition: Edition) -> Findings:
    """New products are legal 14 days after their street date.

    In effect since 2002-10-01, except in sealed formats.
    """
    event = force.event
    if not event.sanctioned or event.format in SEALED:
        return
    if event.date is None:
        if force.figures:
            yield Unchecked("date", refs_of(force.figures))
        return
    if event.date < NEW_PRODUCT_RULE_SINCE:
        return
    for one in force.figures:
        if one.street_date is None:
            yield Unchecked("street_date", (one.ref,))
        elif event.date - one.street_date < UNTIL_NEW_PRODUCT_IS_LEGAL:
            since = (event.date - one.street_date).days
            when = f"{since} day{'' if since == 1 else 's'} after" if since >= 0 else "before"
            text = f"{one.name} isn't legal until 14 days after its street date {one.street_date}. The event is {when} that date."
            yield Violation(text, (one.ref,))


@legality_rule("own sealed product", topic="sealed-booster-forces")
def not_from_sealed_product(force: Force, _edition: Edition) -> Findings:
    """In a sealed format, only figures from the player's own product."""
    if force.event.format in SEALED:
        for one in force.figures:
            if not one.from_sealed_product:
                text = f"{one.name} didn't come from the player's own sealed product."
                yield Violation(text, (one.ref,), (f"{force.event.format}-forces",))


@legality_rule("sets of the event", topic="sets-of-an-event")
def set_not_allowed(force: Force, _edition: Edition) -> Findings:
    """Only sets that the event allows."""
    if not force.event.sets:
        return
    allowed = frozenset(map(folded, force.event.sets))
    for one in force.figures:
        if one.set is None:
            yield Unchecked("set", (one.ref,))
        elif folded(one.set) not in allowed:
            text = f"{one.name} is from the set {one.set}. This event allows only {', '.join(force.event.sets)}."
            yield Violation(text, (one.ref,))


@legality_rule("collector number on base and dial", topic="figure-verification")
def collector_number_mismatch(force: Force, _edition: Edition) -> Findings:
    """The base and dial have the same collector number."""
    for one in force.figures:
        if one.dial_number is None:
            continue
        if one.number is None:
            yield Unchecked("number", (one.ref,))
        elif plain_number(one.number) != plain_number(one.dial_number):
            text = f"{one.name} has number {one.number} on its base and {one.dial_number} on its dial."
            yield Violation(text, (one.ref,))


OF_EVERY_BOOK: Final = (not_from_sealed_product, set_not_allowed, collector_number_mismatch)
