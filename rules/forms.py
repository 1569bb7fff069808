"""Forms of the catalogue: importing a file, recording a correction."""

from __future__ import annotations

import datetime
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from .dials import SLOTS
from .documents import FACTS, BadFacts, corrected, differences
from .importers.csv_sheet import COLUMNS, NEEDS, cells_of, facts_of
from .importers.layouts import LAYOUTS
from .importers.records import set_slug
from .labels import labelled
from .models import Set
from .tables import EDITIONS, FACT_WORDS
from .uploads import TooLarge, check_size

SLOT_WORDS = {
    "speed": gettext_lazy("speed"),
    "attack": gettext_lazy("attack"),
    "defense": gettext_lazy("defense"),
    "damage": gettext_lazy("damage"),
}
LAYOUT_WORDS = {
    "csv": gettext_lazy("spreadsheet (CSV)"),
    "hcunits": gettext_lazy("list of units (JSON)"),
    "octgn": gettext_lazy("set of cards (XML)"),
}


def _day() -> forms.DateInput:
    return forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")


class SetForm(forms.ModelForm):
    """The facts of a set; its street date decides from when its figures are legal in sanctioned play."""

    class Meta:
        model = Set
        fields = ("name", "universe", "street_date", "year", "edition", "provenance")
        widgets = {
            "street_date": forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
            "edition": forms.Select(choices=[("", gettext_lazy("unknown")), *EDITIONS]),
        }
        help_texts = {
            "street_date": gettext_lazy("This date applies to figures that have no street date of their own."),
            "edition": gettext_lazy(
                "Choose the rulebook that the set was made for. Under the 2014 rules, older figures with a "
                "gold or bronze ring count as Unique."
            ),
        }


class SeveralFiles(forms.ClearableFileInput):
    """An input that takes several files."""

    allow_multiple_selected = True


class FilesField(forms.FileField):
    """One or more files; the cleaned value is a list of them."""

    widget = SeveralFiles

    def clean(self, data: Any, initial: Any = None) -> list[Any]:
        """Return the files, each checked by itself."""
        return [super(FilesField, self).clean(one, initial) for one in data or [None]]


class ImportForm(forms.Form):
    """Files to import; nothing changes until their preview is confirmed."""

    file = FilesField(
        label=gettext_lazy("Files"),
        help_text=gettext_lazy(
            "Choose CSV, JSON or XML files, or ZIP archives that contain them, up to 64 MB in total."
        ),
        max_length=200,
    )
    layout = forms.ChoiceField(
        label=gettext_lazy("Layout"),
        required=False,
        choices=[("", gettext_lazy("Detect automatically")), *((name, LAYOUT_WORDS[name]) for name in LAYOUTS)],
    )
    set_code = forms.CharField(
        label=gettext_lazy("Set code"),
        required=False,
        max_length=40,
        help_text=gettext_lazy("Enter the set code only if the file doesn't name its set."),
    )
    counts_from = forms.DateField(
        label=gettext_lazy("Effective from"),
        widget=_day(),
        help_text=gettext_lazy("Events before this date keep the old values. New items are available immediately."),
    )

    def clean_file(self) -> list[Any]:
        """Refuse files that are too large before reading them."""
        files: list[Any] = self.cleaned_data["file"]
        try:
            check_size("import", sum(file.size for file in files))
        except TooLarge as fault:
            raise forms.ValidationError(str(fault)) from None
        return files

    def clean_set_code(self) -> str:
        """Return the code in the form used in addresses."""
        return set_slug(self.cleaned_data["set_code"])


def column_words(name: str) -> str:
    """Return a description of a column of the spreadsheet layout."""
    if name in SLOTS:
        return labelled(FACT_WORDS["dial"], SLOT_WORDS[name])
    if name.endswith("_symbol"):
        return str(FACT_WORDS[f"symbols.{name.removesuffix('_symbol')}"])
    return str(FACT_WORDS.get(name, name.replace("_", " ")))


class CorrectionForm(forms.Form):
    """The facts that are right from a given day on; the fields show the current ones."""

    from_date = forms.DateField(label=gettext_lazy("Effective from"), widget=_day())
    text = forms.CharField(label=gettext_lazy("Explanation"), max_length=1000, widget=forms.Textarea(attrs={"rows": 3}))
    edition = forms.ChoiceField(
        label=gettext_lazy("Rulebook"), required=False, choices=[("", gettext_lazy("none")), *EDITIONS]
    )
    where = forms.CharField(label=gettext_lazy("Section or other source"), max_length=300, required=False)

    def __init__(self, *args: Any, section: str, facts: dict[str, Any], **named: Any) -> None:
        self.section, self.facts, self.cells = section, facts, cells_of(facts)
        super().__init__(*args, **named)
        self.fields["from_date"].initial = timezone.localdate
        for name in self.columns():
            self.fields[f"fact_{name}"] = forms.CharField(
                label=column_words(name), required=False, max_length=2000, initial=self.cells.get(name, "")
            )

    def columns(self) -> list[str]:
        """Return the columns for elements of this section."""
        has = FACTS[self.section]
        found = [name for name in COLUMNS if name in has]
        if "requires" in has:
            found += list(NEEDS)
        if self.section == "characters":
            found += [f"{slot}_symbol" for slot in SLOTS]
            found += list(SLOTS)
        return found

    def clean(self) -> dict[str, Any]:
        """Compute the changes; report invalid ones at their field."""
        asked = super().clean() or self.cleaned_data
        self.changes: dict[str, Any] = {}
        self.difference: list[dict[str, Any]] = []
        cells = {name: asked.get(f"fact_{name}", "").strip() for name in self.columns()}
        try:
            after = facts_of({name: cell for name, cell in cells.items() if cell}, self.section)
            before = facts_of({name: self.cells[name] for name in cells if self.cells.get(name)}, self.section)
            self.changes = {key: after.get(key) for key in {**before, **after} if before.get(key) != after.get(key)}
            if "symbols" in self.changes or "requires" in self.changes:
                for key in ("symbols", "requires"):
                    if isinstance(self.changes.get(key), dict):
                        self.changes[key] = {**self.facts.get(key, {}), **self.changes[key]}
            self.difference = differences(self.facts, corrected(self.section, self.facts, self.changes))
        except BadFacts as bad:
            self._fault(bad.where.split("/")[0], bad.message)
        if not self.errors and not self.difference:
            raise forms.ValidationError(
                _("You haven't changed anything. Enter the correct value in at least one field.")
            )
        return asked

    def _fault(self, column: str, message: str) -> None:
        field = f"fact_{column}"
        self.add_error(field if field in self.fields else None, message)

    @property
    def citation(self) -> dict[str, Any]:
        """The correction's citation; empty if no rulebook is named."""
        asked = self.cleaned_data
        if not asked.get("edition"):
            return {}
        return {"edition": asked["edition"], "section": asked.get("where", ""), "authority": "correction", "date": None}

    @property
    def day(self) -> datetime.date:
        """The day on which it takes effect."""
        return self.cleaned_data["from_date"]
