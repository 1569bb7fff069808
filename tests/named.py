"""Names of buttons and pages, as documents and the help quote them."""

import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]


@cache
def _said() -> str:
    files = [
        *ROOT.glob("templates/**/*.html"),
        *(f for app in ("events", "judging", "rules") for f in (ROOT / app).rglob("*.py")),
    ]
    return "\n".join(file.read_text(encoding="utf-8") for file in files)


def is_on_a_page(name: str) -> bool:
    """Return whether a page or button has this name; a number in it stands for any placeholder."""
    words = re.sub(r"\d+", r"(?:%\\(\\w+\\)d|{{ \\w+ }})", re.escape(name))
    return bool(re.search(rf"[\"'>%}}]{words}[\"'<{{]", _said()))
