"""Event files changed at random places: each is either imported, or refused with a sentence and nothing written."""

import copy
import json
import random

import pytest
from django.apps import apps
from django.core.cache import cache
from django.db import connection

from judging.keeping import signatures, storage
from judging.keeping.whole_file import canonical
from tests.judging.keeping.test_forged_files import IMPORT, bytes_of, new_keys, resealed, running, token_in, upload

__all__ = ["running"]
pytestmark = pytest.mark.django_db
ODD = (None, True, -1, 0, 2**31, 2**63, 10**19, -(2**63) - 1, 1.5, 1e300, "", "x" * 5000, "٣", "9999-12-31T23:59:59Z")
ODD += ("0001-01-01T00:00:00+14:00", "events.Person", "rules.SavedDispute", [], [[]], {}, {"a": {}}, [1, "x"])


def places(value, path=()):
    """Return the path of each value in a document, containers included."""
    found = [path] if path else []
    for key in value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
        found += places(value[key], (*path, key))
    return found


def changed(document: dict, ways: list, dice: random.Random) -> tuple[dict, list]:
    """Return the document with one to three places deleted, doubled, swapped or made odd, and a description."""
    made, done = copy.deepcopy(document), []
    for _n in range(dice.choice((1, 1, 2, 3))):
        way = dice.choice(ways)
        *above, last = way
        inside = made
        try:
            for key in above:
                inside = inside[key]
            old = inside[last]
        except (KeyError, IndexError, TypeError):
            continue
        act = dice.choice(("delete", "odd", "odd", "odd", "swap", "double"))
        if act == "delete":
            del inside[last]
        elif act == "swap":
            other = dice.choice(ways)
            there = made
            try:
                for key in other:
                    there = there[key]
            except (KeyError, IndexError, TypeError):
                continue
            inside[last] = copy.deepcopy(there)
        elif act == "double" and isinstance(inside, list):
            inside.append(copy.deepcopy(old))
        else:
            inside[last] = copy.deepcopy(dice.choice(ODD))
        done.append((act, way, str(inside[last] if act in ("odd", "swap") else "")[:60]))
    return made, done


def signed(document: dict) -> bytes:
    """Return the file with a matching digest and signature, if it still has the parts for them."""
    try:
        document = json.loads(resealed(document))
    except (KeyError, TypeError, AttributeError):
        return canonical(document)
    told = storage.digest(canonical(document))
    return canonical(document | {"signatures": signatures.sign(told)})


def counted() -> dict[str, int]:
    ours = [model for model in apps.get_models() if model._meta.app_label in ("events", "judging", "rules", "account")]
    tables = " UNION ALL ".join(f"SELECT '{one._meta.label}', COUNT(*) FROM {one._meta.db_table}" for one in ours)
    with connection.cursor() as cursor:
        cursor.execute(tables)
        return dict(cursor.fetchall())


def attack(file: bytes, client, seed: int) -> tuple[int, ...]:
    """Send one mutant of the file, as one from elsewhere or of the event here; return the statuses of the answers."""
    dice = random.Random(seed)
    document = json.loads(file)
    if dice.random() < 0.7:
        document["event"]["public_id"] = document["whole"]["rows"]["events.Event"][0]["public_id"] = f"mutant-{seed}"
        new_keys(document)
    ways = [way for way in places(document) if way[0] in ("whole", "record", "event")]
    ways += [way for way in ways if way[0] != "record"] * 3
    mutant, done = changed(document, ways, dice)
    cache.clear()  # rate limits would stop this many requests
    before = counted()
    content = signed(mutant) if dice.random() < 0.7 else canonical(json.loads(signed(mutant)) | {"signatures": []})
    try:
        shown = upload(client, content)
        statuses = [shown.status_code]
        assert shown.status_code in (200, 400, 403, 413)
        if shown.status_code == 200 and 'name="token"' in shown.content.decode():
            for more in ({"as": "copy"}, {"confirmed": "yes", "reason": "x"}, {"confirmed": "yes", "vouched": "yes"}):
                answer = client.post(IMPORT, {"token": token_in(shown), **more})
                statuses.append(answer.status_code)
                assert answer.status_code in (302, 400, 403, 409)
                if answer.status_code == 302:
                    assert client.get(answer.url).status_code == 200
                    return tuple(statuses)
        assert counted() == before
    except Exception as fault:
        fault.add_note(f"seed {seed}: {done}")
        raise
    return tuple(statuses)


def test_a_mutated_file_is_never_a_fault_of_the_site(running, staff, monkeypatch):
    monkeypatch.setattr("os.fsync", lambda _number: None)
    client = staff.client("office")
    every, seen, file = {200, 302, 400, 403}, set[int](), bytes_of(running)
    for seed in range(200):  # each model changes what the dice hit: go on until every answer was given
        statuses = attack(file, client, seed)
        seen.update(statuses)
        if statuses[-1] == 302:  # the event here has changed, perhaps
            file = bytes_of(running)
        if seed >= 34 and seen >= every:
            break
    assert seen >= every


@pytest.mark.soak
def test_thousands_of_mutated_files(running, staff):
    client = staff.client("office")
    for seed in range(1000, 3000):
        attack(bytes_of(running), client, seed)
