"""Password hashing: strong enough for a stolen database, fast enough for a full hall signing in."""

from django.contrib.auth.hashers import Argon2PasswordHasher


class PasswordHasher(Argon2PasswordHasher):
    """Argon2id with 19 MiB, two passes and one lane: OWASP's recommendation.

    Django's default (100 MiB, eight lanes) takes a laptop a quarter of a second on both of its cores, so five hundred
    people and an attacker guessing twenty times a second would keep it busy for half an hour. Passwords with other
    parameters are hashed again when their owner next signs in.
    """

    time_cost = 2
    memory_cost = 19 * 1024
    parallelism = 1
