"""Judges act at the same instant: threads with separate connections to the test's database."""


def race():
    """Return the outcomes of hands raised, calls taken and calls closed at one instant."""
    from events.models import AuditEntry, Extension, Match
    from events.roles import Actor
    from judging.models import Call
    from judging.services import calls
    from tests.events.match_pages import play
    from tests.events.two_at_once import together
    from tests.factories import EventFactory, OfficialFactory

    event = EventFactory()
    play(event, 4, 1)
    head = OfficialFactory(event=event, role="head-judge").person
    judges = [OfficialFactory(event=event, role="judge").person for _ in range(3)]
    table = Match.objects.get(table=1)
    found = {}

    def fresh():
        return Call.objects.select_related("match__round__event").get()

    def raise_hand(entry):
        match = Match.objects.select_related("round__event").get(pk=table.pk)
        calls.raise_call(by=Actor(entry=entry), match=match)

    found["raising"] = together(lambda: raise_hand(table.a), lambda: raise_hand(table.b))
    found["calls"] = Call.objects.count()
    found["taking"] = sorted(
        together(*(lambda judge=judge: calls.take_call(by=Actor(person=judge), call=fresh()) for judge in judges))
    )
    holder = fresh().judge
    found["holder_is_a_judge"] = holder in judges
    found["taken_in_the_record"] = AuditEntry.objects.filter(verb="take-call").count()
    calls.arrive_at_table(by=Actor(person=holder), call=fresh())

    def close(person):
        calls.close_call(by=Actor(person=person), call=fresh(), category="rule", outcome="ruled", minutes=4)

    found["closing"] = sorted(together(lambda: close(holder), lambda: close(head)))
    found["extensions"] = list(Extension.objects.values_list("seconds", flat=True))
    return found
