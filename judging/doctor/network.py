"""Checks of everything between the site and its users: the network's address, the certificate, the mail server."""

from __future__ import annotations

import http.client
import ipaddress
import json
import smtplib
import socket
import ssl
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.utils import timezone

from events.mails import is_mail_configured
from judging.doctor.diagnoses import Diagnosis, Level
from judging.management.listening import network_address
from rules.system import keep_port

NETWORK, SERVER, CERTIFICATE, MAIL = "Network", "Server", "Certificate", "Mail"
SECONDS = 5
SOON_DAYS = 14
MAX_ANSWER = 200_000
NEW_CERTIFICATE = "Get a new one, and restart the site with it."
EXPIRED, NOT_YET, OTHER_HOST, OTHER_ADDRESS = 10, 9, 62, 64
"""OpenSSL's numbers for what is wrong with a certificate (X509_V_ERR_…)."""


def site_host() -> tuple[str, str, int]:
    """Return the scheme, host and port of `SITE_URL`; the host is "" where it isn't set."""
    address = urlsplit(settings.SITE_URL)
    return address.scheme, address.hostname or "", address.port or (443 if address.scheme == "https" else 80)


# the address of the site


def address() -> Iterator[Diagnosis]:
    """Examine which address phones would use."""
    here = network_address()
    if here is None:
        said = "This machine isn't on a network: only it can open the site."
        yield Diagnosis(NETWORK, Level.WARNING, said, "Connect it to the network of the players' phones.")
    _scheme, host, port = site_host()
    if not host:
        if here:
            yield Diagnosis(
                NETWORK, Level.OK, f"This machine's address is {here}; `headjudge serve --lan` prints it for phones."
            )
        return
    try:
        found = {str(one[4][0]) for one in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)}
    except (OSError, UnicodeError):
        said = f"SITE_URL's host {host} has no address: printed links can't be opened."
        yield Diagnosis(NETWORK, Level.ERROR, said, "Correct SITE_URL, or add the host to the network's DNS.")
        return
    if all(ipaddress.ip_address(one.partition("%")[0]).is_loopback for one in found):
        said = f"SITE_URL names {host}, which only this machine can open: phones can't follow printed links."
        yield Diagnosis(
            NETWORK, Level.WARNING, said, f"Set it to the address that phones use{f', such as {here}' if here else ''}."
        )
    elif _is_address(host) and not _is_ours(host):
        said = f"SITE_URL names {host}, which isn't an address of this machine{f' ({here})' if here else ''}."
        yield Diagnosis(
            NETWORK, Level.WARNING, said, "Correct it, unless a proxy or a container's host has that address."
        )
    else:
        yield Diagnosis(NETWORK, Level.OK, f"Phones open {settings.SITE_URL}.")


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def _is_ours(host: str) -> bool:
    """Return whether this machine can listen at an address."""
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        try:
            probe.bind((host, 0))
        except OSError:
            return False
    return True


def server(port: int) -> Iterator[Diagnosis]:
    """Examine what listens at the port. A Headjudge there is asked what it found itself.

    It is asked without `METRICS_TOKEN`: what listens there may be another user's program.
    """
    try:
        socket.create_connection(("127.0.0.1", port), SECONDS).close()
    except OSError:
        with socket.socket() as probe:
            keep_port(probe)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError as fault:
                said = f"Port {port} can't be used: {fault.strerror}."
                yield Diagnosis(
                    SERVER, Level.WARNING, said, "`serve` takes the next free one; or name one with --port."
                )
                return
        yield Diagnosis(SERVER, Level.OK, f"Port {port} is free: no site is running there.")
        return
    status, told = _ask(port, "/health/")
    if "healthy" not in told:
        said = f"Another program uses port {port}."
        yield Diagnosis(SERVER, Level.WARNING, said, "`serve` takes the next free one; or name one with --port.")
        return
    status, details = _ask(port, "/health/details/")
    if told["healthy"] is not True:
        said = str(details.get("problem") or "It can't read or write its database.")
        yield Diagnosis(
            SERVER,
            Level.ERROR,
            f"The site at port {port} isn't working: {said}",
            "Fix the database first. This report says how.",
        )
    elif status == http.client.OK:
        yield Diagnosis(SERVER, Level.OK, f"The site at port {port} is running.")
    else:
        yield Diagnosis(
            SERVER, Level.OK, f"The site at port {port} is running. Its own findings are under “Check the server”."
        )
    for one in details.get("findings", [])[:20] if isinstance(details.get("findings"), list) else []:
        if isinstance(one, dict) and not str(one.get("name", "")).startswith(("backup-", "disk-", "missing-")):
            level = Level.ERROR if one.get("severity") == "urgent" else Level.WARNING
            yield Diagnosis(SERVER, level, str(one.get("sentence", ""))[:500])


def _ask(port: int, path: str) -> tuple[int, dict[str, Any]]:
    """Return the status and the JSON object of an answer by a program on this machine, by HTTP or HTTPS."""
    unverified = ssl.create_default_context()
    unverified.check_hostname, unverified.verify_mode = False, ssl.CERT_NONE
    names = [one for one in settings.ALLOWED_HOSTS if one and not one.startswith((".", "*"))]
    host = names[0] if names and "*" not in settings.ALLOWED_HOSTS else "127.0.0.1"
    for way in (
        http.client.HTTPConnection("127.0.0.1", port, timeout=SECONDS),
        http.client.HTTPSConnection("127.0.0.1", port, timeout=SECONDS, context=unverified),
    ):
        try:
            way.request("GET", path, headers={"Host": host})
            answer = way.getresponse()
            told = json.loads(answer.read(MAX_ANSWER))
            if isinstance(told, dict):
                return answer.status, told
        except (OSError, http.client.HTTPException, ValueError):
            continue
        finally:
            way.close()
    return 0, {}


# the certificate


def certificate(file: str, key: str) -> Iterator[Diagnosis]:
    """Examine a certificate's files, or what the site shows at `SITE_URL`."""
    scheme, host, port = site_host()
    if file:
        yield from _certificate_file(Path(file), Path(key or file), host)
    elif scheme == "https" and host:
        yield from _certificate_shown(host, port)
    elif host and not is_nearby(host):
        said = "SITE_URL begins with http://: anyone on the network can read passwords."
        yield Diagnosis(
            CERTIFICATE,
            Level.WARNING,
            said,
            "Serve HTTPS: `headjudge serve --certificate FILE --key FILE`, or a proxy.",
        )


def is_nearby(host: str) -> bool:
    """Return whether a host is this machine or an address of a shop's network."""
    return host == "localhost" or (_is_address(host) and ipaddress.ip_address(host).is_private)


def _certificate_file(file: Path, key: Path, host: str) -> Iterator[Diagnosis]:
    """Connect a server and a client in memory, so that OpenSSL itself checks the date and the host."""
    for one in (file, key):
        if not one.is_file():
            yield Diagnosis(CERTIFICATE, Level.ERROR, f"There is no file {one}.", "Correct the name.")
            return
    ours = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    theirs = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    theirs.check_hostname = bool(host)
    theirs.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
    try:
        ours.load_cert_chain(file, key, password=lambda: "")
        theirs.load_verify_locations(file)
    except (ssl.SSLError, OSError, ValueError) as fault:
        what = {"KEY_VALUES_MISMATCH": "the key belongs to another certificate"}.get(
            getattr(fault, "reason", "") or "",
            "they aren't PEM files of a certificate and its key without a passphrase",
        )
        yield Diagnosis(CERTIFICATE, Level.ERROR, f"{file} and {key} can't be used: {what}.", NEW_CERTIFICATE)
        return
    try:
        told = _handshake(ours, theirs, host)
    except ssl.SSLCertVerificationError as fault:
        yield _refused(fault, host)
        return
    yield from _expiry(told, host)


def _handshake(ours: ssl.SSLContext, theirs: ssl.SSLContext, host: str) -> dict[str, Any]:
    """Return the certificate as a client sees it, without any network."""
    to_server, to_client = ssl.MemoryBIO(), ssl.MemoryBIO()
    serving = ours.wrap_bio(to_server, to_client, server_side=True)
    asking = theirs.wrap_bio(to_client, to_server, server_hostname=host or None)
    for _turn in range(10):
        done = True
        for side in (asking, serving):
            try:
                side.do_handshake()
            except ssl.SSLWantReadError:
                done = False
        if done:
            break
    return dict(asking.getpeercert() or {})


def _certificate_shown(host: str, port: int) -> Iterator[Diagnosis]:
    try:
        with (
            socket.create_connection((host, port), SECONDS) as plain,
            ssl.create_default_context().wrap_socket(plain, server_hostname=host) as secure,
        ):
            told = dict(secure.getpeercert() or {})
    except ssl.SSLCertVerificationError as fault:
        yield _refused(fault, host)
        return
    except OSError:
        said = f"{settings.SITE_URL} couldn't be reached from this machine, so its certificate wasn't examined."
        yield Diagnosis(
            CERTIFICATE, Level.WARNING, said, "Start the site and its proxy; or name the files: --certificate, --key."
        )
        return
    yield from _expiry(told, host)


def _refused(fault: ssl.SSLCertVerificationError, host: str) -> Diagnosis:
    if fault.verify_code == EXPIRED:
        said = "It has expired: browsers refuse the site."
    elif fault.verify_code == NOT_YET:
        said = "It isn't valid yet, or this machine's clock is behind: browsers refuse the site."
    elif fault.verify_code in (OTHER_HOST, OTHER_ADDRESS):
        said = f"It isn't for {host}, SITE_URL's host: browsers refuse the site."
    else:
        said = f"Browsers warn about it: {fault.verify_message}."
        return Diagnosis(CERTIFICATE, Level.WARNING, said, "Get one from an authority that browsers trust.")
    return Diagnosis(CERTIFICATE, Level.ERROR, said, NEW_CERTIFICATE)


def _expiry(told: dict[str, Any], host: str) -> Iterator[Diagnosis]:
    ends = datetime.fromtimestamp(ssl.cert_time_to_seconds(told["notAfter"]), UTC)
    days = (ends - timezone.now()).days
    whose = f"for {host}" if host else "for its hosts (SITE_URL isn't set, so they weren't compared)"
    if days < SOON_DAYS:
        yield Diagnosis(CERTIFICATE, Level.WARNING, f"It expires on {ends:%Y-%m-%d}, in {days} days.", NEW_CERTIFICATE)
    else:
        yield Diagnosis(CERTIFICATE, Level.OK, f"It is valid {whose} until {ends:%Y-%m-%d}.")


# mail


def mail(send_to: str) -> Iterator[Diagnosis]:
    """Examine whether the mail server takes this installation's mail; send one message if an address is given."""
    if not is_mail_configured():
        if send_to:
            said = "No e-mail was sent: EMAIL_URL isn't set, so there is no mail server."
            yield Diagnosis(MAIL, Level.ERROR, said, "Set EMAIL_URL, for example smtp+tls://user:password@host:587.")
        else:
            said = "No mail server is set: e-mails, such as new passwords and reminders, are only printed."
            yield Diagnosis(MAIL, Level.WARNING, said, "Set EMAIL_URL if people should get them.")
        return
    where = f"{settings.EMAIL_HOST}:{settings.EMAIL_PORT}"
    by = get_connection(timeout=SECONDS)
    try:
        by.open()
        if send_to:
            text = "This is a test message of Headjudge's command `doctor`. E-mail works."
            EmailMessage("[Headjudge] Test message", text, None, [send_to], connection=by).send()
    except (OSError, smtplib.SMTPException) as fault:
        advice = "Correct EMAIL_URL or DEFAULT_FROM_EMAIL, or ask the mail server's administrator."
        yield Diagnosis(MAIL, Level.ERROR, f"{where}: {_mail_fault(fault)}.", advice)
        return
    finally:
        by.close()
    sent = (
        f"It accepted a message to {send_to}. Check that it arrived."
        if send_to
        else "`headjudge doctor --send-to ADDRESS` sends a message."
    )
    yield Diagnosis(MAIL, Level.OK, f"The mail server {where} answers. {sent}")
    if "@localhost" in settings.DEFAULT_FROM_EMAIL:
        said = "DEFAULT_FROM_EMAIL is a localhost address: most servers refuse e-mails from it."
        yield Diagnosis(MAIL, Level.WARNING, said, "Set it to an address that your mail server may send from.")


def _mail_fault(fault: Exception) -> str:
    """Return what went wrong; never the server's own words, which may repeat the password."""
    if isinstance(fault, smtplib.SMTPAuthenticationError):
        return f"the mail server refuses the user name or the password ({fault.smtp_code})"
    if isinstance(fault, smtplib.SMTPRecipientsRefused):
        return "the mail server refuses the recipient's address"
    if isinstance(fault, smtplib.SMTPSenderRefused):
        return f"the mail server refuses the sender DEFAULT_FROM_EMAIL ({fault.smtp_code})"
    if isinstance(fault, smtplib.SMTPNotSupportedError):
        return "the mail server offers no encryption or no sign-in; compare the scheme and the port in EMAIL_URL"
    if isinstance(fault, socket.gaierror):
        return "the mail server's name has no address"
    if isinstance(fault, ssl.SSLCertVerificationError):
        return f"the mail server's certificate isn't valid ({fault.verify_message})"
    if isinstance(fault, ssl.SSLError):
        return "the mail server doesn't speak TLS there; compare the scheme and the port in EMAIL_URL"
    if isinstance(fault, TimeoutError):
        return "the mail server doesn't answer"
    if isinstance(fault, (smtplib.SMTPServerDisconnected, smtplib.SMTPConnectError)):
        return "what answers there isn't a mail server; compare the scheme and the port in EMAIL_URL"
    if isinstance(fault, smtplib.SMTPException):
        return f"the mail server closes the connection ({type(fault).__name__})"
    return f"the mail server can't be reached ({getattr(fault, 'strerror', None) or type(fault).__name__})"
