"""Web Push: a message that only one browser can read (RFC 8291), and who sends it (VAPID, RFC 8292).

The key that signs is derived from `SECRET_KEY`: so every process and server of the installation has the same one, it
is kept and backed up like that, and no export can contain it.
"""

from __future__ import annotations

import base64
import binascii
import functools
import json
import os
from urllib.parse import urlsplit

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, utils
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings

CURVE = ec.SECP256R1()
ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
RECORD = 4096
"""The size of a record in bytes, and so the longest body that every push service accepts."""
MAX_MESSAGE = RECORD - 86 - 17
"""What is left for the message: the header has 86 bytes, the end mark and the tag 17."""
SECRET_LENGTH = 16


def encoded(content: bytes) -> str:
    """Return bytes in base64url without padding, as the RFCs write them."""
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()


def decoded(text: str) -> bytes:
    """Return the bytes of a base64url text. Raise ValueError if it isn't one."""
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        raise ValueError("not base64url") from None


def browser_key(p256dh: str) -> ec.EllipticCurvePublicKey:
    """Return the public key of a subscription. Raise ValueError if it isn't a point of the curve."""
    raw = decoded(p256dh)
    if len(raw) != 65:
        raise ValueError("not an uncompressed point")
    return ec.EllipticCurvePublicKey.from_encoded_point(CURVE, raw)


def is_subscription_key(p256dh: str, auth: str) -> bool:
    """Return whether these are the two keys of a subscription."""
    try:
        browser_key(p256dh)
        return len(decoded(auth)) == SECRET_LENGTH
    except ValueError:
        return False


def _point(key: ec.EllipticCurvePublicKey) -> bytes:
    return key.public_bytes(serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)


def _derived(length: int, salt: bytes | None, info: bytes, secret: bytes) -> bytes:
    return HKDF(hashes.SHA256(), length, salt, info).derive(secret)


# the message


def encrypted(
    message: bytes,
    p256dh: str,
    auth: str,
    *,
    key: ec.EllipticCurvePrivateKey | None = None,
    salt: bytes | None = None,
) -> bytes:
    """Return the body that brings a message to a subscription, in one record of `aes128gcm`.

    `key` and `salt` are made anew for each message; tests give those of the RFC. Raise ValueError if the message is
    longer than `MAX_MESSAGE` bytes or the keys aren't those of a subscription.
    """
    if len(message) > MAX_MESSAGE:
        raise ValueError("the message is too long")
    theirs = browser_key(p256dh)
    key, salt = key or ec.generate_private_key(CURVE), salt or os.urandom(16)
    ours = _point(key.public_key())
    shared = _derived(32, decoded(auth), b"WebPush: info\0" + _point(theirs) + ours, key.exchange(ec.ECDH(), theirs))
    content_key = _derived(16, salt, b"Content-Encoding: aes128gcm\0", shared)
    nonce = _derived(12, salt, b"Content-Encoding: nonce\0", shared)
    header = salt + RECORD.to_bytes(4, "big") + bytes([len(ours)]) + ours
    return header + AESGCM(content_key).encrypt(nonce, message + b"\x02", None)


# who sends it


@functools.lru_cache(maxsize=2)
def _key(secret: str) -> ec.EllipticCurvePrivateKey:
    number = int.from_bytes(_derived(48, None, b"headjudge web push", secret.encode()), "big")
    return ec.derive_private_key(number % (ORDER - 1) + 1, CURVE)


def public_key() -> str:
    """Return the installation's public key, as browsers take it when they subscribe."""
    return encoded(_point(_key(settings.SECRET_KEY).public_key()))


def authorization(endpoint: str, *, subject: str, expires: int) -> str:
    """Return the header that shows a push service who sends a message.

    `subject` is an https or mailto address at which the service's operator reaches us; `expires` is in seconds since
    1970, at most a day ahead.
    """
    parts = urlsplit(endpoint)
    claims = {"aud": f"{parts.scheme}://{parts.netloc}", "exp": expires, "sub": subject}
    signed = ".".join(encoded(json.dumps(part).encode()) for part in ({"typ": "JWT", "alg": "ES256"}, claims))
    r, s = utils.decode_dss_signature(_key(settings.SECRET_KEY).sign(signed.encode(), ec.ECDSA(hashes.SHA256())))
    signature = encoded(r.to_bytes(32, "big") + s.to_bytes(32, "big"))
    return f"vapid t={signed}.{signature}, k={public_key()}"
