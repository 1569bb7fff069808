"""How passwords are hashed: strong enough for whoever steals the database, quick enough for a hall that signs in."""

from django.contrib.auth.hashers import Argon2PasswordHasher


class PasswordHasher(Argon2PasswordHasher):
    """Argon2id with 19 MiB, two passes and one lane: OWASP's recommendation.

    Django's own default (100 MiB, eight lanes) costs a laptop a quarter of a second on both of its cores. Five hundred
    people and someone who guesses twenty times a second would then keep it busy for half an hour. Passwords kept with
    other costs are hashed anew at their owner's next sign-in.
    """

    time_cost = 2
    memory_cost = 19 * 1024
    parallelism = 1
