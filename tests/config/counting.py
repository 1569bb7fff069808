"""A fast password hasher that counts its calls, with their threads."""

import threading

from django.contrib.auth.hashers import MD5PasswordHasher

HASHED_ON: list[str] = []


class CountingHasher(MD5PasswordHasher):
    """A hasher that counts each hash, of a new password or of one being checked."""

    def encode(self, password: str, salt: str) -> str:
        HASHED_ON.append(threading.current_thread().name)
        return super().encode(password, salt)
