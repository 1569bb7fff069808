"""Widgets drawn without a template look the same as with Django's."""

import re

import pytest
from django import forms
from django.forms.renderers import TemplatesSetting
from django.utils.safestring import mark_safe
from django.utils.translation import gettext_lazy as _

from config.forms import DRAWN, HeadjudgeForms
from tests.tables import every_row

WORDS = """<b a='"'>&"""
GROUPS = [("", _("No one")), (3, "a < b"), (WORDS, [("x", mark_safe("<i>x</i>")), ("y", 7)])]


class Sample(forms.Form):
    """Each widget that is drawn."""

    text = forms.CharField(widget=forms.TextInput(attrs={"class": WORDS, "data-on": True, "data-off": False}))
    number = forms.IntegerField(min_value=2, help_text="even")
    email = forms.EmailField()
    secret = forms.CharField(widget=forms.PasswordInput(render_value=True))
    hidden = forms.CharField(widget=forms.HiddenInput)
    tick = forms.BooleanField(required=False)
    choice = forms.ChoiceField(choices=GROUPS, required=False)


@every_row(
    "typed",
    [
        None,
        {},
        {"text": WORDS, "number": "1", "email": "x", "secret": WORDS, "hidden": "0", "tick": "on", "choice": "3"},
    ],
)
def test_a_drawn_widget_is_djangos(typed):
    ours, theirs = (Sample(typed, renderer=renderer) for renderer in (HeadjudgeForms(), TemplatesSetting()))
    used = set()
    for name in Sample.base_fields:
        ours.is_valid(), theirs.is_valid()
        used.add(ours[name].field.widget.template_name)
        assert plain(ours[name]) == plain(theirs[name])
        assert str(ours[name].errors) == str(theirs[name].errors)
    assert used == set(DRAWN)


@pytest.mark.parametrize("widget", [forms.Select, forms.RadioSelect])
def test_own_words_begin_with_a_capital_and_names_stay(widget):
    class Chosen(forms.Form):
        choice = forms.ChoiceField(choices=[("", _("no one")), ("7", "de Vries")], widget=widget)

    drawn = re.sub(r"\s*</", "</", str(Chosen(renderer=HeadjudgeForms())["choice"]))
    assert re.findall(r"(?:>\s*)([\w ]+)</(?:option|label)>", drawn) == ["No one", "de Vries"]


def plain(field):
    return re.sub(r">\s+<", "><", str(field))
