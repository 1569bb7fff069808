"""A quick hasher that counts, and says on which thread."""

import threading

from django.contrib.auth.hashers import MD5PasswordHasher

HASHED_ON: list[str] = []


class CountingHasher(MD5PasswordHasher):
    """Counts each hash, of a new password or of one that is checked."""

    def encode(self, password: str, salt: str) -> str:
        HASHED_ON.append(threading.current_thread().name)
        return super().encode(password, salt)
