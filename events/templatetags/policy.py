"""Template tags for the sanctioning policy: a rule's page and its citations."""

import datetime
from urllib.parse import urlencode

from django import template
from django.urls import reverse
from django.utils import formats

from events.policy import RULES, PolicyViolation, Rule

register = template.Library()


@register.filter
def opened(citation: dict[str, str]) -> str:
    """Return the URL of a citation's passage."""
    return f"{reverse('rules:citation')}?{urlencode({'edition': citation['edition'], 'section': citation['section']})}"


@register.filter
def dated(citation: dict[str, str]) -> str:
    """Return the day since which the policy says so, as a date of the reader's language."""
    return formats.date_format(datetime.date.fromisoformat(citation["date"]), "j F Y")


@register.filter
def heading(citation: dict[str, str]) -> str:
    """Return the last heading of a citation: "Retail Stores" of "Policy › 4. Venue Policies › Retail Stores"."""
    return citation["section"].rpartition("›")[2].strip()


@register.filter
def words(text: str) -> list[str]:
    """Return the words of a text, to loop over several rules."""
    return text.split()


@register.inclusion_tag("parts/policy_cite.html")
def cited(rule: str) -> dict[str, object]:
    """Show the citation of a rule of the policy: `{% cited "wagering" %}`."""
    return {"citations": RULES[rule].citations, "rule": rule}


@register.inclusion_tag("parts/policy_cite.html")
def cited_at(violation: PolicyViolation) -> dict[str, object]:
    """Show the citation of a violation."""
    return {"citations": violation.citations, "rule": violation.rule}


@register.simple_tag
def policy_rule(name: str) -> Rule:
    """Return a rule of the policy, to state it where it matters."""
    return RULES[name]
