"""An event with rounds and results, of any size, for tests of pages with many rows."""

from events.models import Entry, Event, Match, Round
from events.results.reading import ResultTerms, normalise
from events.results.result import bye
from tests.factories import EntryFactory, RoundFactory


def play(event: Event, players: int, rounds: int, *, last_open: bool = True) -> list[Round]:
    """Give the event players and rounds with results; if the last round is open, its tables have no result."""
    Event.objects.filter(pk=event.pk).update(state=Event.State.RUNNING)
    event.refresh_from_db()
    entries = Entry.objects.bulk_create(
        EntryFactory.build(event=event, number=number + 1, name=f"Player {number + 1:03d}") for number in range(players)
    )
    made = []
    for number in range(1, rounds + 1):
        is_open = last_open and number == rounds
        state = Round.State.RUNNING if is_open else Round.State.COMPLETE
        row = RoundFactory(event=event, number=number, state=state)
        made.append(row)
        turned = entries[number:] + entries[:number]
        matches = []
        for table in range(players // 2):
            a, b = turned[2 * table], turned[2 * table + 1]
            result = normalise({"score_a": 100 + table % 50, "score_b": 60 + number}, ResultTerms("car-2002", 200))
            open_or_not = Match.State.OPEN if is_open else Match.State.CONFIRMED
            kept = None if is_open else result
            matches.append(Match(round=row, table=table + 1, a=a, b=b, state=open_or_not, result=kept))
        if players % 2:
            given = {"kind": Match.Kind.BYE, "state": Match.State.CONFIRMED, "result": bye(event.bye_points)}
            matches.append(Match(round=row, table=None, a=turned[-1], b=None, **given))
        Match.objects.bulk_create(matches)
    return made
