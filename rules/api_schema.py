"""What all schemas of the API have in common: fields that are described once, and examples made from those of fields."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from django.db.models import Model
from django.utils import translation
from ninja import Schema
from pydantic import ConfigDict, Field

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

PLAIN = {"integer": 1, "number": 1, "boolean": False, "null": None}
MOMENTS = {"date-time": "2027-03-06T14:00:00Z", "date": "2027-03-06"}


class Described(Schema):
    """A schema whose fields are described by the text under them, or by the model's field (`of`).

    A text has an example at its field; other values have one where the plainest value would mislead.
    """

    model_config = ConfigDict(use_attribute_docstrings=True)


def of(model: type[Model], name: str, example: Any = None, *, words: str = "") -> Any:
    """Return a schema's field described as a model's field, with its choices; `words` where the model has none."""
    field: Any = model._meta.get_field(name)
    choices = [value for value, _label in field.flatchoices]
    if choices and field.blank:
        choices.append("")
    examples = [choices[0] if choices and example is None else example] if choices or example is not None else None
    return Field(
        description=words or in_words(field.verbose_name, field.help_text),
        examples=examples,
        json_schema_extra={"enum": choices} if choices else None,
    )


def like(example: Callable[[], Any]) -> Any:
    """Return a field's `json_schema_extra` with an example that is made only for the description."""
    return lambda schema: schema.update(examples=[example()])


def in_words(*texts: StrOrPromise) -> str:
    """Return a label and a help text as sentences in English."""
    with translation.override("en"):
        said = [str(text).rstrip(".") for text in texts if text]
        return " ".join(f"{text[:1].upper()}{text[1:]}." for text in said)


class ApiFault(Described):
    """An error message."""

    detail: str = Field(examples=["The head judge can do this."])
    """What is wrong, in words."""


def example_of(schema: Mapping[str, Any], known: Mapping[str, Any]) -> Any:
    """Return an example of a JSON Schema: its own, or one made of those of its parts.

    `known` has the schemas to which others refer, by name. Raise ValueError for a text without an example.
    """
    if schema.get("examples"):
        return schema["examples"][0]
    if "$ref" in schema:
        return example_of(known[schema["$ref"].rpartition("/")[2]], known)
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return schema["enum"][0]
    if "anyOf" in schema:
        return example_of(schema["anyOf"][0], known)
    if schema.get("type") == "array":
        return [example_of(schema["items"], known)]
    if "properties" in schema:
        return {name: example_of(part, known) for name, part in schema["properties"].items()}
    if "default" in schema:
        return schema["default"]
    if schema.get("format") in MOMENTS:
        return MOMENTS[schema["format"]]
    if schema.get("type") not in PLAIN:
        raise ValueError(f"Give this an example: {dict(schema)}")
    return PLAIN[schema["type"]]
