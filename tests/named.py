"""Names of buttons and pages, as documents and the help quote them."""

import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]


@cache
def _said() -> str:
    files = [
        *ROOT.glob("templates/**/*.html"),
        *(f for app in ("events", "judging", "rules") for f in (ROOT / app).rglob("*.py") if f.name != "actions.py"),
    ]
    return "\n".join(file.read_text(encoding="utf-8") for file in files)


def is_on_a_page(name: str) -> bool:
    """Return whether a page or button has this name; a number in it, or a numbered round, stands for a placeholder."""
    number, rounds = r"(?:%\(\w+\)d|{{ \w+ }})", r"(?:%\(round\)s|{{ round }})"
    words = re.sub(r"\d+", lambda _: number, re.escape(name))
    words = words.replace(rf"round\ {number}", rf"(?:round\ {number}|{rounds})")
    return bool(re.search(rf"[\"'>%}}]{words}[\"'<{{]", _said()))
