"""The FILE argument of commands, and the sample file that they print with `--sample`.

Samples are beside the commands of an app, in `management/samples/`.
"""

from __future__ import annotations

import contextlib
import sys
from argparse import Action, ArgumentParser, Namespace
from pathlib import Path
from typing import Any

SAMPLES = Path(__file__).parent / "samples"
"""The samples of the rules: force, battle, position, catalogue, rulebook."""
PROGRAM = Path(__file__).parents[2]


def write_utf8(stream: Any) -> None:
    """Let a stream of text write documents the same byte for byte everywhere: in UTF-8, lines end as they do on Linux."""
    with contextlib.suppress(AttributeError):  # text that a caller collects
        stream.reconfigure(encoding="utf-8", errors="backslashreplace", newline="\n")


class PrintSample(Action):
    """Print the sample file `const` and exit, before other arguments are checked."""

    def __call__(self, parser: ArgumentParser, namespace: Namespace, values: Any, option_string: Any = None) -> None:
        """Write the file to standard output and exit with status 0."""
        write_utf8(sys.stdout)
        sys.stdout.write(self.const.read_text(encoding="utf-8"))
        sys.stdout.flush()
        parser.exit()


def add_file(parser: ArgumentParser, sample: Path, help: str, *, several: bool = False) -> None:
    """Add FILE (or one or more of PATH, as `paths`) and `--sample`, which prints a sample of such a file."""
    named = sample.relative_to(PROGRAM).as_posix()
    if several:
        parser.add_argument("paths", metavar="PATH", nargs="+", help=f"{help}; {named} is a sample")
    else:
        parser.add_argument("file", metavar="FILE", help=f"{help}; {named} is a sample")
    parser.add_argument(
        "--sample", action=PrintSample, nargs=0, const=sample, help=f"print the sample file {named} and exit"
    )
