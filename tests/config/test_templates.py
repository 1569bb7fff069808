"""Templates and stylesheet stay readable: short lines, and each colour defined in one place."""

import re
from pathlib import Path

from config import settings

MAX_LENGTH = 200
TEMPLATES = Path(settings.BASE_DIR) / "templates"
ICONS = Path(settings.BASE_DIR) / "config/static/icons.svg"
STYLESHEET = Path(settings.BASE_DIR) / "config/static/headjudge.css"


def test_no_line_of_a_template_is_too_long():
    long = [
        f"{path.relative_to(TEMPLATES.parent)}, line {number}: {len(line)} letters; break it at {MAX_LENGTH} at most"
        for path in sorted(TEMPLATES.rglob("*.*"))
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if len(line) > MAX_LENGTH
    ]
    assert not long, "\n".join(long)


def test_a_colour_of_the_dark_look_stands_beside_that_of_the_light_one():
    css = STYLESHEET.read_text(encoding="utf-8")
    switches = re.findall(r"--dark: initial", css)
    assert len(switches) == 2, "headjudge.css: the dark theme is switched on by choice and by the system, nowhere else"
    assert len(re.findall(r"prefers-color-scheme", css)) == 1, "headjudge.css: write var(--light, …) var(--dark, …)"
    halves = re.findall(r"var\(--light, [^)]+\)(?! var\(--dark, [^)]+\))", css)
    assert not halves, f"headjudge.css: a light colour without a dark one: {halves}"


def test_every_icon_that_a_template_shows_is_drawn():
    drawn = set(re.findall(r'<symbol id="([^"]+)"', ICONS.read_text(encoding="utf-8")))
    shown = {
        name
        for path in TEMPLATES.rglob("*.html")
        for name in re.findall(r'{% icon "([^"]+)" %}', path.read_text("utf-8"))
    }
    assert shown <= drawn, f"config/static/icons.svg lacks {sorted(shown - drawn)}"


def test_paper_leaves_out_what_only_a_screen_can_press():
    for rules in STYLESHEET.read_text(encoding="utf-8").split("@media print")[1:]:
        if hidden := re.search(r"\n([^\n]*) \{ display: none !important; \}", rules.split("\n}")[0]):
            break
    assert {".skip", ".top", "form", ".button", ".dismiss"} <= {one.strip() for one in hidden[1].split(",")}
