"""The forms of a page as a browser submits them."""

from dataclasses import dataclass, field
from html.parser import HTMLParser


@dataclass
class PageForm:
    """One form: its target, and its values if nothing is changed. `buttons` add a name of their own."""

    action: str
    method: str
    fields: dict[str, list[str]] = field(default_factory=dict)
    buttons: list[tuple[str, str]] = field(default_factory=list)


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.forms: list[PageForm] = []
        self.here: PageForm | None = None
        self.select: tuple[str, bool] | None = None
        self.first: str | None = None
        self.textarea: str | None = None

    def _add(self, name: str, value: str) -> None:
        if self.here is not None:
            self.here.fields.setdefault(name, []).append(value)

    def handle_starttag(self, tag: str, attributes: list) -> None:
        given = dict(attributes)
        name = given.get("name")
        if tag == "form":
            self.here = PageForm(given.get("action") or "", (given.get("method") or "get").lower())
            self.forms.append(self.here)
        elif tag == "button" and self.here is not None and name:
            self.here.buttons.append((name, given.get("value") or ""))
        elif tag == "input" and name and "disabled" not in given:
            kind = given.get("type") or "text"
            if kind in ("checkbox", "radio"):
                if "checked" in given:
                    self._add(name, given.get("value") or "on")
            elif kind not in ("submit", "file"):
                self._add(name, given.get("value") or "")
        elif tag == "select" and name:
            self.select, self.first = (name, False), None
        elif tag == "option" and self.select is not None:
            if self.first is None:
                self.first = given.get("value") or ""
            if "selected" in given:
                self._add(self.select[0], given.get("value") or "")
                self.select = (self.select[0], True)
        elif tag == "textarea" and name:
            self.textarea = name
            self._add(name, "")

    def handle_data(self, data: str) -> None:
        if self.textarea is not None and self.here is not None:
            self.here.fields[self.textarea][-1] += data

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self.here = None
        elif tag == "textarea":
            self.textarea = None
        elif tag == "select" and self.select is not None:
            if not self.select[1] and self.first is not None:
                self._add(self.select[0], self.first)
            self.select = None


def forms_of(page: str) -> list[PageForm]:
    """Return every form of a page."""
    reader = _Reader()
    reader.feed(page)
    return reader.forms


def as_sent(form: PageForm) -> dict[str, list[str]]:
    """Return what the form would submit, without the token."""
    return {name: values for name, values in form.fields.items() if name != "csrfmiddlewaretoken"}
