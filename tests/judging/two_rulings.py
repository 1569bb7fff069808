"""Rulings, appeals and answers at the same instant: threads with separate connections to the test's database."""


def race():
    """Return the outcomes of two rulings, two appeals, two answers and two closings at one instant."""
    from events.models import Extension, Match
    from events.roles import Actor
    from judging.models import Call, Decision, Penalty
    from judging.services import calls, decisions, disputes, penalties
    from judging.services.decisions import Closing, JudgeRuling, LinkedRows
    from tests.events.match_pages import play
    from tests.events.two_at_once import together
    from tests.factories import EventFactory, OfficialFactory

    event = EventFactory()
    play(event, 4, 1)
    head = Actor(person=OfficialFactory(event=event, role="head-judge").person)
    judges = [Actor(person=OfficialFactory(event=event, role="judge").person) for _ in range(2)]
    found = {}

    def table(number=1):
        return Match.objects.select_related("round__event", "a", "b").get(table=number)

    def decision():
        return decisions.decisions().get(number=1)

    def rule(by, question):
        match = table()
        ruling = JudgeRuling(question=question, answer="yes")
        decisions.record_decision(by=by, event=match.round.event, ruling=ruling, links=LinkedRows(match=match))

    found["ruling"] = together(*(lambda by=by, n=n: rule(by, f"Question {n}?") for n, by in enumerate(judges)))
    found["numbers"] = sorted(Decision.objects.values_list("number", flat=True))
    players = [Actor(entry=table().a), Actor(entry=table().b)]
    found["appealing"] = sorted(
        together(*(lambda by=by: decisions.appeal_decision(by=by, decision=decision(), why="No.") for by in players))
    )

    def answer(upheld):
        decisions.answer_appeal(by=head, decision=decision(), upheld=upheld, answer="no", reasons="So.")

    found["answering"] = sorted(together(lambda: answer(True), lambda: answer(False)))
    found["answered"] = Decision.objects.exclude(final_answer="").count()

    call, _new = calls.raise_call(by=judges[0], match=table(2))
    calls.arrive_at_table(by=judges[0], call=call)

    def close(by):
        fresh = Call.objects.select_related("match__round__event").get()
        decisions.rule_and_close(
            by=by,
            call=fresh,
            ruling=JudgeRuling(question="Seen?", answer="no"),
            closing=Closing(category="line", minutes=4),
        )

    found["closing"] = sorted(together(lambda: close(judges[0]), lambda: close(head)))
    found["extensions"] = list(Extension.objects.values_list("seconds", flat=True))
    found["decisions"] = Decision.objects.filter(question="Seen?").count()
    found["opening"] = together(*(lambda by=by: disputes.open_dispute(by=by, match=table(2)) for by in judges))
    ways = [disputes.saved_at(one.key).return_to for one in table(2).disputes.order_by("pk")]
    found["ways_back"] = sorted(way[-1] for way in ways)

    def lose():
        match = table(2)
        match.a.event = match.round.event
        penalties.give_penalty(
            by=head, entry=match.a, kind="game-loss", category="conduct", text="x", match=match, confirmed=True
        )

    lose()
    given = Penalty.objects.get()

    def take_back():
        fresh = Penalty.objects.select_related("entry__event", "match__round__event", "match__a", "match__b").get()
        penalties.withdraw_penalty(by=head, penalty=fresh, reason="Mistaken")

    found["taking_back"] = sorted(together(take_back, take_back))
    given.refresh_from_db()
    found["withdrawn"] = given.withdrawn
    found["table_is"] = table(2).state
    return found
