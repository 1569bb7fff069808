"""The snake draft as a value: each prize is picked once, and the order goes there and back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from events.snake import NotPossible, SnakeDraft, Turn


def drafted(order, pool, chances):
    """Play a draft to its end; each chance says what happens at a turn."""
    draft = SnakeDraft(tuple(order), tuple(pool))
    for chance in chances:
        if draft.whose is None:
            break
        left = list(draft.left)
        draft = (
            draft.skip("away", for_good=chance % 7 == 0) if chance % 5 == 0 else draft.pick(left[chance % len(left)])
        )
    return draft


@given(st.integers(1, 9), st.lists(st.sampled_from("abcdef"), max_size=30), st.lists(st.integers(0, 99), max_size=60))
def test_each_prize_is_picked_once_and_the_order_is_a_snake(players, pool, chances):
    order = list(range(1, players + 1))
    draft = drafted(order, pool, chances)
    picked = [turn.prize for turn in draft.turns if turn.prize is not None]
    left = [prize for prize, n in draft.left.items() for _ in range(n)]
    assert sorted(picked + left) == sorted(pool)
    assert sorted(prize for name in order for prize in draft.of(name)) == sorted(picked)
    out, expected = set(), []
    whole = (order + order[::-1]) * (len(draft.turns) + 1)
    taken = iter(draft.turns)
    turn = next(taken, None)
    for name in whole:  # an oracle of its own: walk the whole snake, leaving out who is out
        if turn is None:
            break
        if name not in out:
            expected.append(name)
            if turn.for_good:
                out.add(name)
            turn = next(taken, None)
    assert [one.name for one in draft.turns] == expected
    if draft.whose is None:
        assert not draft.left or {turn.name for turn in draft.turns if turn.for_good} == set(order)


@given(st.integers(1, 6), st.lists(st.sampled_from("abc"), min_size=1, max_size=12))
def test_what_comes_is_what_happens(players, pool):
    draft = SnakeDraft(tuple(range(players)), tuple(pool))
    coming = draft.coming(100)
    assert len(coming) == len(pool)
    for lap, name in coming:
        assert draft.whose == name
        assert lap == len(draft.turns) // players + 1
        before = draft
        draft = draft.pick(next(iter(draft.left)))
        assert draft.without_last() == before
    assert draft.whose is None
    with pytest.raises(NotPossible):
        draft.pick("a")


def test_three_players_pick_there_and_back():
    draft = SnakeDraft(("Ada", "Ben", "Cleo"), tuple("ABCDEFG"))
    assert [name for _lap, name in draft.coming(7)] == ["Ada", "Ben", "Cleo", "Cleo", "Ben", "Ada", "Ada"]
    draft = draft.pick("C").skip("went home", for_good=True)
    assert [name for _lap, name in draft.coming(6)] == ["Cleo", "Cleo", "Ada", "Ada", "Cleo", "Cleo"]
    assert draft.of("Ada") == ["C"]


@pytest.mark.parametrize(
    "told",
    [
        (("Ada", "Ada"), ("A",), ()),
        (("Ada", "Ben"), ("A",), (Turn("Ben", "A"),)),
        (("Ada", "Ben"), ("A",), (Turn("Ada", "A"), Turn("Ben", "A"))),
        (("Ada",), ("A", "B"), (Turn("Ada", None, for_good=True), Turn("Ada", "A"))),
    ],
)
def test_a_draft_that_cannot_have_happened_is_refused(told):
    with pytest.raises(NotPossible):
        SnakeDraft(*told)
