"""What templates ask of the sanctioning policy: where a rule is explained, where the book says so."""

from urllib.parse import urlencode

from django import template
from django.urls import reverse

from events.policy import RULES, PolicyViolation, Rule

register = template.Library()


@register.filter
def opened(citation: dict[str, str]) -> str:
    """Return the address that opens the passage of a citation."""
    return f"{reverse('rules:citation')}?{urlencode({'edition': citation['edition'], 'section': citation['section']})}"


@register.filter
def words(text: str) -> list[str]:
    """Return the words of a text, to go through several rules."""
    return text.split()


@register.inclusion_tag("parts/policy_cite.html")
def cited(rule: str) -> dict[str, object]:
    """Show where a rule of the policy stands: `{% cited "wagering" %}`."""
    return {"citations": RULES[rule].citations, "rule": rule}


@register.inclusion_tag("parts/policy_cite.html")
def cited_at(violation: PolicyViolation) -> dict[str, object]:
    """Show where the book says what a violation says."""
    return {"citations": violation.citations, "rule": violation.rule}


@register.simple_tag
def policy_rule(name: str) -> Rule:
    """Return a rule of the policy, to state it beside what it bears on."""
    return RULES[name]
