"""All writes to the catalogue: sets, elements, corrections with their dates.

Each function is one transaction and adds one line to the log, with the changes before and after. Printed facts never
change: a correction is stored beside them with the day from which it takes effect, and the dated facts are derived
again. Texts of cards have no dates: the latest file's replace the earlier ones. `by` is a name in plain text, because
the rules app has no people.
"""

from __future__ import annotations

import datetime
import itertools
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from ..card_effects import key_of
from ..card_texts import CARD_TEXT, CardText, text_differences
from ..documents import (
    BadFacts,
    corrected,
    differences,
    element_code,
    fold,
    point_choices,
    powers_of,
    read_facts,
    shown,
)
from ..models import CardTexts, CatalogueChange, Correction, Element, Facts, Set, Trait
from ..models.catalogue import CONFIRM_CARD, FIRST_DAY, LAST_DAY
from ..searched import searched_words

MANY = 500
TRAITS = {Trait.What.TEAM: ("teams",), Trait.What.KEYWORD: ("keywords", "generic_keywords")}


class StaleElement(Exception):
    """The element was changed after the page was loaded; nothing was written."""

    def __init__(self, element: Element) -> None:
        super().__init__(f"{element} has changed since")
        self.element = element


@dataclass(frozen=True)
class NewElement:
    """An element from a file: its set's code, its section, its facts, its source, and the texts of its card."""

    set_code: str
    section: str
    facts: Mapping[str, Any]
    code: str = ""
    provenance: str = ""
    texts: Sequence[CardText] = ()

    @property
    def own_code(self) -> str:
        """The element's code: given, or made from set and collector number, or from set, name and rank."""
        return self.code or element_code(self.set_code, self.section, self.facts)


@dataclass
class Loaded:
    """The result of adding many elements: codes by outcome, and the differences of those that changed."""

    added: list[str] = field(default_factory=list)
    changed: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    unchanged: list[str] = field(default_factory=list)


def document_of(element: Element, facts: Mapping[str, Any]) -> dict[str, Any]:
    """Return facts with those of the set: its code, and its street date if the figure has none of its own."""
    document = {"set": element.set.code, **facts}
    if "street_date" not in document and element.set.street_date is not None:
        document["street_date"] = element.set.street_date.isoformat()
    return document


def dated_facts(element: Element, corrections: Iterable[Correction]) -> list[Facts]:
    """Return the element's dated facts, unsaved: the printed ones, then each correction from its day on.

    Corrections of one day make one version. Raises BadFacts if a correction no longer fits.
    """
    steps: dict[datetime.date, list[Correction]] = {FIRST_DAY: []}
    for correction in sorted(corrections, key=lambda each: (each.from_date, each.pk or 0)):
        if correction.withdrawn is None:
            steps.setdefault(correction.from_date, []).append(correction)
    facts: dict[str, Any] = dict(element.printed)
    days = [*sorted(steps), LAST_DAY]
    versions = []
    for day, until in itertools.pairwise(days):
        for correction in steps[day]:
            facts = corrected(element.section, facts, correction.changes)
        versions.append(_version(element, facts, day, until))
    return versions


def _version(element: Element, facts: Mapping[str, Any], day: datetime.date, until: datetime.date) -> Facts:
    document = document_of(element, facts)
    choices = point_choices(facts)
    kind = facts.get("kind", "character" if element.section == Element.Section.CHARACTERS else "")
    of_set = element.set
    return Facts(
        element=element,
        from_date=day,
        until_date=until,
        name=facts["name"],
        points=facts.get("points", facts.get("cost_per_character")),
        points_low=min(choices, default=None),
        points_high=max(choices, default=None),
        rank=facts.get("rank", ""),
        kind=kind,
        street_date=document.get("street_date"),
        words=searched_words(of_set.code, of_set.name, element.section, element.number, kind, facts),
        document=document,
    )


def _traits(version: Facts) -> list[Trait]:
    facts = version.document
    named = [(Trait.What.POWER, power) for power in powers_of(facts)]
    named += [(what, name) for what, keys in TRAITS.items() for key in keys for name in facts.get(key, ())]
    return [Trait(facts=version, what=what, name=name, folded=fold(name)[:160]) for what, name in dict.fromkeys(named)]


def derive(elements: Iterable[Element]) -> None:
    """Derive the dated facts of these elements again. Raises BadFacts, with the element's code."""
    rows = list(elements)
    for start in range(0, len(rows), MANY):
        some = rows[start : start + MANY]
        corrections: defaultdict[int, list[Correction]] = defaultdict(list)
        for correction in Correction.objects.filter(element__in=some):
            corrections[correction.element_id].append(correction)
        versions: list[Facts] = []
        for element in some:
            try:
                versions += dated_facts(element, corrections[element.pk])
            except BadFacts as bad:
                raise BadFacts(f"{element.code}/{bad.where}", bad.message) from bad
        Facts.objects.filter(element__in=some).delete()
        Facts.objects.bulk_create(versions, batch_size=MANY)
        Trait.objects.bulk_create([trait for version in versions for trait in _traits(version)], batch_size=2000)


def _log(
    verb: str, by: str, sentence: str, facts: dict[str, Any], changes: list[dict[str, Any]], source: str = ""
) -> CatalogueChange:
    return CatalogueChange.objects.create(
        verb=verb, by=by[:160], sentence=sentence, facts=facts, source=source[:300], changes=changes
    )


def _set_facts(row: Set) -> dict[str, Any]:
    return {name: getattr(row, name) for name in ("name", "universe", "street_date", "year", "edition", "provenance")}


@transaction.atomic
def record_set(*, code: str, by: str = "", source: str = "", **facts: Any) -> Set:
    """Create or change a set; its elements' dated facts follow its street date. Without changes, nothing is written."""
    row = Set.objects.select_for_update().filter(code=code).first()
    if row is None:
        row = Set(code=code, **facts)
        row.full_clean()
        row.save()
        added = {"set": code, "before": None, "after": _set_facts(row)}
        _log("record-set", by, "set-added", {"name": row.name}, [added], source)
        return row
    before = _set_facts(row)
    for name, value in facts.items():
        setattr(row, name, value)
    row.full_clean()
    changed = differences(before, _set_facts(row))
    if changed:
        row.version += 1
        row.save()
        derive(row.elements.select_related("set"))
        differing = {"set": code, "differences": changed}
        _log("record-set", by, "set-changed", {"name": row.name}, [differing], source)
    return row


def _add(new: list[NewElement], sets: Mapping[str, Set]) -> list[Element]:
    rows = []
    for item in new:
        facts = read_facts(item.section, dict(item.facts))
        rows.append(
            Element(
                code=item.own_code,
                section=item.section,
                set=sets[item.set_code],
                number=facts.get("number", "")[:20],
                name=facts["name"],
                printed=facts,
                provenance=item.provenance[:300],
            )
        )
    made = Element.objects.bulk_create(rows, batch_size=MANY)
    derive(made)
    return made


def other_section(code: str, section: str) -> BadFacts:
    """Return the fault of an element whose code belongs to an element of another kind."""
    words = _("%(code)s is already in the catalogue under %(section)s.")
    return BadFacts("", words % {"code": code, "section": section})


def _by_code(elements: Iterable[NewElement]) -> dict[str, NewElement]:
    given: dict[str, NewElement] = {}
    for item in elements:
        if item.own_code in given:
            raise BadFacts(item.own_code, _("This appears twice."))
        given[item.own_code] = item
    return given


def _locked(codes: Sequence[str]) -> dict[str, Element]:
    """Return the elements with these codes, locked until the transaction ends."""
    known: dict[str, Element] = {}
    for start in range(0, len(codes), MANY):
        some = Element.objects.select_for_update(of=("self",)).select_related("set")
        known |= {row.code: row for row in some.filter(code__in=codes[start : start + MANY])}
    return known


def _correction(
    row: Element, item: NewElement, day: datetime.date, changed: list[dict[str, Any]], source: str
) -> Correction | None:
    changes = {each["fact"]: each["after"] for each in changed if each["fact"] != CARD_TEXT}
    if not changes:
        return None
    return Correction(
        element=row,
        code=f"{row.code}@{day.isoformat()}#{row.version + 1}",
        from_date=day,
        changes=changes,
        authority=Correction.Authority.IMPORT,
        provenance=(item.provenance or source)[:300],
    )


@transaction.atomic
def catalogue_elements(
    *,
    elements: Iterable[NewElement],
    by: str = "",
    source: str = "",
    counts_from: datetime.date | None = None,
    verb: str = "catalogue-elements",
) -> Loaded:
    """Add new elements; facts that differ from those in effect on `counts_from` (today) become dated corrections.

    All or nothing: raises BadFacts, with the element's code, for the first invalid one, for an unknown set, and for a
    duplicate code. Elements without changes are left alone.
    """
    day = counts_from or timezone.localdate()
    given = _by_code(elements)
    sets = Set.objects.in_bulk({item.set_code for item in given.values()}, field_name="code")
    known = _locked(list(given))
    in_effect = InEffect(known.values(), day)
    loaded, new, corrections = Loaded(), [], []
    log: list[dict[str, Any]] = []
    for code, item in given.items():
        if item.set_code not in sets:
            raise BadFacts(f"{code}/set", _("The set %(set_code)s doesn't exist.") % {"set_code": shown(item.set_code)})
        try:
            facts = read_facts(item.section, dict(item.facts))
        except BadFacts as bad:
            raise BadFacts(f"{code}/{bad.where}", bad.message) from bad
        row = known.get(code)
        if row is None:
            new.append(item)
            loaded.added.append(code)
            log.append({"element": code, "before": None, "after": facts})
            continue
        if row.section != item.section:
            raise other_section(code, row.section)
        changed = in_effect.news(row, facts, item.texts)
        if not changed:
            loaded.unchanged.append(code)
            continue
        loaded.changed[code] = changed
        log.append({"element": code, "differences": changed})
        corrections.append(_correction(row, item, day, changed, source))
    known |= {row.code: row for row in _add(new, sets)}
    _correct([correction for correction in corrections if correction is not None])
    _keep_texts({known[code]: item.texts for code, item in given.items() if item.texts})
    if log:
        counts = {name: len(getattr(loaded, name)) for name in ("added", "changed", "unchanged")}
        _log(verb, by, "elements", counts, log, source)
    return loaded


def _correct(corrections: list[Correction]) -> None:
    Correction.objects.bulk_create(corrections, batch_size=MANY)
    touched = [correction.element for correction in corrections]
    for row in touched:
        row.version += 1
    Element.objects.bulk_update(touched, ["version"], batch_size=MANY)
    derive(touched)


def _keep_texts(given: Mapping[Element, Sequence[CardText]]) -> None:
    CardTexts.objects.bulk_create(
        [CardTexts(element=row, texts=list(texts)) for row, texts in given.items()],
        batch_size=MANY,
        update_conflicts=True,
        unique_fields=["element"],
        update_fields=["texts"],
    )


class InEffect:
    """The facts of elements in effect on a day, and the texts of their cards."""

    def __init__(self, elements: Iterable[Element], day: datetime.date) -> None:
        self.facts: dict[int, Facts] = {}
        self.texts: dict[int, list[CardText]] = {}
        ids = [row.pk for row in elements]
        for start in range(0, len(ids), MANY):
            some = ids[start : start + MANY]
            self.facts |= {row.element_id: row for row in Facts.objects.on(day).filter(element__in=some)}
            self.texts |= dict(CardTexts.objects.filter(element__in=some).values_list("element", "texts"))

    def news(self, row: Element, facts: Mapping[str, Any], texts: Sequence[CardText]) -> list[dict[str, Any]]:
        """Return the changes in a file's facts and texts of an element, as differences.

        Facts missing from the file stay, and so do texts if it has none. A fact equal to the printed one isn't a change
        either: loading an older file again never undoes a later correction. A whole dial replaces single known values
        and power names.
        """
        version = self.facts[row.pk]
        version.element = row
        before = own_facts(version)
        said = {key: value for key, value in facts.items() if value != row.printed.get(key)}
        kept = {key: value for key, value in before.items() if "dial" not in said or key not in ("known", "powers")}
        changed = differences(before, {**kept, **said})
        return changed + text_differences(self.texts.get(row.pk, []), texts) if texts else changed


def own_facts(version: Facts) -> dict[str, Any]:
    """Return a version's facts without those of its set."""
    element = version.element
    facts = {key: value for key, value in version.document.items() if key != "set"}
    if element.set.street_date and facts.get("street_date") == element.set.street_date.isoformat():
        del facts["street_date"]
    return facts


@transaction.atomic
def correct_element(
    *,
    element: Element,
    from_date: datetime.date,
    changes: Mapping[str, Any],
    text: str = "",
    authority: str = Correction.Authority.OFFICE,
    citation: Mapping[str, Any] | None = None,
    provenance: str = "",
    code: str = "",
    version: int | None = None,
    by: str = "",
    verb: str = "correct-element",
    sentence: str = "corrected",
    said: Mapping[str, str] | None = None,
) -> Correction:
    """Correct an element's facts from a day on; earlier days keep their facts.

    `version` is the element's version on the page. Raises StaleElement if the element has changed since, BadFacts if
    the corrected facts are invalid or the correction changes nothing.
    """
    element = Element.objects.select_for_update(of=("self",)).select_related("set").get(pk=element.pk)
    if version is not None and version != element.version:
        raise StaleElement(element)
    before = own_facts(Facts.objects.on(from_date).select_related("element__set").get(element=element))
    changed = differences(before, corrected(element.section, before, changes))
    if not changed:
        raise BadFacts("", _("This correction changes nothing. Its values already apply on its effective date."))
    element.version += 1
    element.save(update_fields=["version"])
    correction = Correction.objects.create(
        element=element,
        code=code or f"{element.code}@{from_date.isoformat()}#{element.version}",
        from_date=from_date,
        changes=dict(changes),
        text=text,
        authority=authority,
        citation=dict(citation or {}),
        provenance=provenance[:300],
    )
    derive([element])
    _log(
        verb,
        by,
        sentence,
        {"element": str(element), "day": from_date.isoformat(), **(said or {})},
        [{"element": element.code, "differences": changed}],
        provenance,
    )
    return correction


@transaction.atomic
def confirm_card(
    *,
    element: Element,
    heading: Mapping[str, str],
    effects: Sequence[Mapping[str, Any]] | None,
    version: int,
    by: str,
) -> Correction:
    """Keep what a judge says that a card of a figure does, from today on; `effects` None keeps the proposal again.

    Raises StaleElement if the figure has changed since, BadFacts if the effects are invalid or nothing changes.
    """
    element = Element.objects.select_for_update(of=("self",)).select_related("set").get(pk=element.pk)
    facts = Facts.objects.on().get(element=element).document
    cards = [card for card in facts.get("cards", ()) if key_of(card) != key_of(heading)]
    if effects is not None:
        cards.append({**heading, "effects": effects})
    return correct_element(
        element=element,
        from_date=timezone.localdate(),
        changes={"cards": cards or None},
        authority=Correction.Authority.JUDGE,
        version=version,
        by=by,
        verb=CONFIRM_CARD,
        sentence="card-proposed" if effects is None else "card-confirmed",
        said={"card": heading["name"], "code": element.code, "key": key_of(heading)},
    )


@transaction.atomic
def withdraw_correction(*, correction: Correction, by: str = "", reason: str = "") -> Correction:
    """Withdraw a correction: it stays visible, but no longer has an effect. Repeating this changes nothing."""
    correction = Correction.objects.select_for_update(of=("self",)).get(pk=correction.pk)
    if correction.withdrawn is not None:
        return correction
    element = Element.objects.select_for_update(of=("self",)).select_related("set").get(pk=correction.element_id)
    before = own_facts(Facts.objects.on(correction.from_date).select_related("element__set").get(element=element))
    correction.withdrawn = timezone.now()
    correction.version += 1
    correction.save(update_fields=["withdrawn", "version"])
    element.version += 1
    element.save(update_fields=["version"])
    derive([element])
    after = own_facts(Facts.objects.on(correction.from_date).select_related("element__set").get(element=element))
    _log(
        "withdraw-correction",
        by,
        "correction-withdrawn",
        {"element": str(element), "day": correction.from_date.isoformat()},
        [{"element": element.code, "differences": differences(before, after)}],
        reason,
    )
    return correction
