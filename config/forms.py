"""How Django renders forms: each field with its label, help and errors together, and most widgets without a template.

A widget's template is a dozen small templates; a result's form took longer to render than the rest of its page.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.forms.renderers import TemplatesSetting
from django.http import HttpRequest
from django.utils.functional import Promise
from django.utils.html import conditional_escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import capfirst

WIDGETS = "django/forms/widgets/"


class HeadjudgeForms(TemplatesSetting):
    """Renderer that draws `{{ form }}` with templates/django/forms/headjudge.html."""

    form_template_name = "django/forms/headjudge.html"

    def render(self, template_name: str, context: dict[str, Any], request: HttpRequest | None = None) -> SafeString:
        """Return what the template would give; the site's own words for a choice begin with a capital, names stay."""
        for _group, options, _place in context.get("widget", {}).get("optgroups", ()):
            for one in options:
                if isinstance(one["label"], Promise):
                    one["label"] = capfirst(str(one["label"]))
        if (draw := DRAWN.get(template_name)) is not None:
            return mark_safe(draw(context["widget"]))
        if template_name == "django/forms/errors/list/default.html" and not context["errors"]:
            return mark_safe("")
        return mark_safe(super().render(template_name, context, request))


def _text(value: object) -> str:
    return conditional_escape(value if isinstance(value, str) else str(value))


def _attributes(given: Mapping[str, Any]) -> str:
    return "".join(
        f" {name}" if value is True else f' {name}="{_text(value)}"'
        for name, value in given.items()
        if value is not False
    )


def _input(widget: Mapping[str, Any]) -> str:
    value = "" if widget["value"] is None else f' value="{_text(widget["value"])}"'
    name, kind = _text(widget["name"]), _text(widget["type"])
    return f'<input type="{kind}" name="{name}"{value}{_attributes(widget["attrs"])}>'


def _select(widget: Mapping[str, Any]) -> str:
    parts = [f'<select name="{_text(widget["name"])}"{_attributes(widget["attrs"])}>']
    for group, options, _place in widget["optgroups"]:
        if group:
            parts.append(f'<optgroup label="{_text(group)}">')
        parts += [
            f'<option value="{_text(one["value"])}"{_attributes(one["attrs"])}>{_text(one["label"])}</option>'
            for one in options
        ]
        if group:
            parts.append("</optgroup>")
    return "\n".join([*parts, "</select>"])


DRAWN: dict[str, Callable[[Mapping[str, Any]], str]] = {
    **{f"{WIDGETS}{kind}.html": _input for kind in ("text", "number", "email", "password", "hidden", "checkbox")},
    f"{WIDGETS}select.html": _select,
}
