"""What a browser and a push service do with a push message, written from RFC 8188, 8291 and 8292."""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass, field
from typing import Any

from cryptography.hazmat.primitives import hashes, hmac, serialization
from cryptography.hazmat.primitives.asymmetric import ec, utils
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

CURVE = ec.SECP256R1()


def text(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).decode().rstrip("=")


def raw(encoded: str) -> bytes:
    return base64.urlsafe_b64decode(encoded + "=" * (-len(encoded) % 4))


def hmac_of(key: bytes, *parts: bytes) -> bytes:
    made = hmac.HMAC(key, hashes.SHA256())
    made.update(b"".join(parts))
    return made.finalize()


@dataclass
class Browser:
    """A subscription with the private key that only the browser has."""

    private: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(CURVE))
    secret: bytes = b"sixteen letters!"

    @property
    def point(self) -> bytes:
        return self.private.public_key().public_bytes(
            serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
        )

    @property
    def keys(self) -> dict[str, str]:
        return {"p256dh": text(self.point), "auth": text(self.secret)}

    def read(self, body: bytes) -> bytes:
        """Decrypt a body of one record."""
        salt, size, length = body[:16], int.from_bytes(body[16:20], "big"), body[20]
        theirs, sealed = body[21 : 21 + length], body[21 + length :]
        assert len(body) <= size
        shared = self.private.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(CURVE, theirs))
        both = hmac_of(self.secret, shared)
        first = hmac_of(both, b"WebPush: info\x00", self.point, theirs, b"\x01")
        pseudo = hmac_of(salt, first)
        key = hmac_of(pseudo, b"Content-Encoding: aes128gcm\x00\x01")[:16]
        nonce = hmac_of(pseudo, b"Content-Encoding: nonce\x00\x01")[:12]
        opened = AESGCM(key).decrypt(nonce, sealed, None).rstrip(b"\x00")
        assert opened[-1:] == b"\x02", "the last record"
        return opened[:-1]


def claims_of(authorization: str, application_key: str) -> dict[str, Any]:
    """Return what a message's sender claims, verified with the key with which the browser subscribed."""
    scheme, parts = authorization.split(" ", 1)
    given = dict(part.strip().split("=", 1) for part in parts.split(","))
    assert scheme == "vapid"
    assert given["k"] == application_key
    head, claims, signature = given["t"].split(".")
    assert json.loads(raw(head))["alg"] == "ES256"
    r, s = (int.from_bytes(half, "big") for half in (raw(signature)[:32], raw(signature)[32:]))
    key = ec.EllipticCurvePublicKey.from_encoded_point(CURVE, raw(application_key))
    key.verify(utils.encode_dss_signature(r, s), f"{head}.{claims}".encode(), ec.ECDSA(hashes.SHA256()))
    return json.loads(raw(claims))
