"""What the sanctioning policy requires of a venue before approval.

The chapter “Venue Policies” of the sanctioning policy (in force since 2003-01-13) as small checks with citations, like
the force checks. Pure functions on plain values. The services decide who approves a venue and when; the policy's other
chapters, such as seasons and eligibility, are elsewhere.
"""

from __future__ import annotations

import datetime
import re
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_lazy as _

CLUB_MEMBERS = 8
POLICY = "WizKids Tournament Sanctioning Policy"
SECTIONS = {
    "store": f"{POLICY} › 4. Venue Policies › Retail Stores",
    "convention": f"{POLICY} › 4. Venue Policies › Conventions",
    "club": f"{POLICY} › 4. Venue Policies › Game Clubs",
}


@dataclass(frozen=True)
class RegistrationFault:
    """An unmet requirement: the rule's name, the field concerned, text, citations."""

    rule: str
    field: str
    message: Any
    citations: tuple[dict[str, str], ...] = ()


@dataclass(frozen=True)
class Registration:
    """A venue's registration as plain values. `volunteer` is the name of the club's registered volunteer.

    Until that person has accepted, it is the address that the club gave, and no sentence repeats it.
    """

    kind: str
    public_location: str = ""
    city: str = ""
    shipping_address: str = ""
    telephone: str = ""
    tax_number: str = ""
    opens: datetime.date | None = None
    closes: datetime.date | None = None
    members: tuple[str, ...] = ()
    volunteer: str = ""
    volunteer_is_member: bool = False
    volunteer_has_agreed: bool = False
    volunteer_is_approved: bool = False
    tax_number_requested: bool = False


def cited(kind: str) -> tuple[dict[str, str], ...]:
    """Return the citation of what the policy requires of this kind of venue."""
    section = SECTIONS.get(kind, f"{POLICY} › 4. Venue Policies")
    return ({"edition": "car-2002", "section": section, "authority": "policy", "date": "2003-01-13"},)


_GAP = r"[\s.,\-_/·]*"
_NUMBER = r"(?:n[°ºo]?\.?\s*|nr\.?\s*|#\s*)?\d"
_PO_BOX = re.compile(
    "|".join(
        [
            rf"(?<!\w)(?:g{_GAP})?p{_GAP}[o0]{_GAP}box(?:es)?(?![a-z])",
            rf"(?<!\w)p\.?\s?o\.?\s?b\.?\s*{_NUMBER}",
            rf"(?<!\w)post{_GAP}(?:office{_GAP})?box(?![a-z])",
            r"(?<!\w)post[\s-]?fach(?![a-z])",
            rf"(?<!\w)pf\.?\s*{_NUMBER}",
            r"(?<!\w)post-?bus(?!\w*[a-z])",
            r"(?<!\w)postboks(?![a-z])",
            rf"(?<!\w)bo[iy]?te{_GAP}postale",
            rf"(?<!\w)case{_GAP}postale",
            rf"(?<!\w)b\.?\s?p\.?\s*{_NUMBER}",
            r"(?<!\w)apartado(?!\w)",
            rf"(?<!\w)apdo\.?\s*(?:de\s+correos|postal|{_NUMBER})",
            rf"(?<!\w)casilla{_GAP}(?:de{_GAP}correos?|postal)",
            rf"(?<!\w)casella{_GAP}postale",
            r"(?<!\w)cas\.\s*post",
            rf"(?<!\w)caixa{_GAP}postal",
            r"(?<!\w)skrytka\s+pocztowa",
            r"(?<!\w)skr\.\s*poczt",
            r"(?<!\w)postafiok(?!\w)",
            r"(?<!\w)postilokero(?!\w)",
            r"(?<!\w)postovni\s+prihradka",
            r"(?<!\w)posta\s+kutusu",
            rf"(?<!\w)(?:private|locked)\s+(?:mail\s*)?bag\s*{_NUMBER}",
            r"(?<!\w)[аa]/[яr](?!\w)",
            r"私書箱",
        ]
    )
)


def is_po_box(address: str) -> bool:
    """Return whether an address is a PO box, in any spelling of the languages of Europe and America.

    Case, accents, dots, full-width letters and spaces don't matter; a street named after a box isn't one.
    """
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", address).casefold())
    plain = "".join(letter for letter in plain if not unicodedata.combining(letter))
    return bool(_PO_BOX.search(plain))


def _public_location(venue: Registration) -> RegistrationFault | None:
    if is_po_box(venue.public_location):
        return RegistrationFault(
            "public-location",
            "public_location",
            _("A PO box isn't a place to play. Enter the street, number and city of the public location."),
            cited(venue.kind),
        )
    if not re.search(r"\w", venue.public_location) or not venue.city.strip():
        return RegistrationFault(
            "public-location",
            "public_location",
            _("Enter a public location that can be verified: street, number and city."),
            cited(venue.kind),
        )
    return None


def _shipping_address(venue: Registration) -> RegistrationFault | None:
    if not re.search(r"\w", venue.shipping_address):
        return RegistrationFault(
            "shipping-address",
            "shipping_address",
            _("Enter a shipping address for prize support."),
            cited(venue.kind),
        )
    if is_po_box(venue.shipping_address):
        return RegistrationFault(
            "shipping-address",
            "shipping_address",
            _(
                "Prize support can't be shipped to a PO box. Enter a street address where someone can sign for a "
                "parcel."
            ),
            cited(venue.kind),
        )
    return None


def _telephone(venue: Registration) -> RegistrationFault | None:
    given = venue.telephone.strip()
    if not given and venue.kind == "convention":
        return None
    digits = sum(character.isdigit() for character in given)
    if not given or not 6 <= digits <= 15 or re.search(r"[^\d\s+()./\-extEXT#]", given):
        return RegistrationFault(
            "telephone",
            "telephone",
            _("Enter a working telephone number with its area code: digits, spaces and + ( ) - only."),
            cited(venue.kind),
        )
    return None


def _tax_number(venue: Registration) -> RegistrationFault | None:
    if venue.kind == "store" and venue.tax_number_requested and not venue.tax_number.strip():
        return RegistrationFault(
            "tax-number",
            "tax_number",
            _("Enter the store's tax numbers. The sanctioning office asks for them."),
            cited(venue.kind),
        )
    return None


def _dates(venue: Registration) -> RegistrationFault | None:
    if venue.kind != "convention":
        return None
    if venue.opens is None or venue.closes is None:
        field = "opens" if venue.opens is None else "closes"
        return RegistrationFault("dates", field, _("Enter the convention's first and last days."), cited(venue.kind))
    if venue.closes < venue.opens:
        return RegistrationFault(
            "dates", "closes", _("The last day is before the first. Correct the dates."), cited(venue.kind)
        )
    return None


def _members(venue: Registration) -> RegistrationFault | None:
    if venue.kind != "club":
        return None
    different = {member.strip().casefold() for member in venue.members if member.strip()}
    if len(different) < CLUB_MEMBERS:
        return RegistrationFault(
            "members",
            "members",
            _("A game club needs at least %(least)d members. The list has %(found)d.")
            % {"least": CLUB_MEMBERS, "found": len(different)},
            cited(venue.kind),
        )
    return None


def _volunteer(venue: Registration) -> RegistrationFault | None:
    if venue.kind != "club":
        return None
    if not venue.volunteer:
        return RegistrationFault(
            "volunteer",
            "volunteer_email",
            _("A game club needs a registered volunteer among its members."),
            cited("club"),
        )
    if not venue.volunteer_is_member:
        words = (
            _("%(name)s isn't on the list of members. The registered volunteer must be a member.")
            if venue.volunteer_has_agreed
            else _("The list of members must include the registered volunteer's e-mail address.")
        )
        return RegistrationFault(
            "volunteer-member", "volunteer_email", words % {"name": venue.volunteer}, cited("club")
        )
    return None


def _volunteer_agreed(venue: Registration) -> RegistrationFault | None:
    if venue.kind == "club" and venue.volunteer and not venue.volunteer_has_agreed:
        words = _("The club's registered volunteer hasn't accepted yet. They can accept on their home page.")
        return RegistrationFault("volunteer-agreed", "volunteer_email", words, cited("club"))
    return None


def _volunteer_approved(venue: Registration) -> RegistrationFault | None:
    if venue.kind == "club" and venue.volunteer_has_agreed and not venue.volunteer_is_approved:
        return RegistrationFault(
            "volunteer-approved",
            "volunteer_email",
            _("%(name)s isn't an approved volunteer. The club's registered volunteer must be one.")
            % {"name": venue.volunteer},
            cited("club"),
        )
    return None


Check = Callable[[Registration], RegistrationFault | None]
AT_REGISTRATION: tuple[Check, ...] = (
    _public_location,
    _shipping_address,
    _telephone,
    _tax_number,
    _dates,
    _members,
    _volunteer,
)
AT_APPROVAL: tuple[Check, ...] = (*AT_REGISTRATION, _volunteer_agreed, _volunteer_approved)


def check_registration(venue: Registration, checks: Iterable[Check] = AT_REGISTRATION) -> list[RegistrationFault]:
    """Return all unmet requirements for this kind of venue, in the policy's order."""
    return [finding for check in checks if (finding := check(venue)) is not None]


def check_approval(venue: Registration) -> list[RegistrationFault]:
    """Return what prevents a venue's approval."""
    return check_registration(venue, AT_APPROVAL)
