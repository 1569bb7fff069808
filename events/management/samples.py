"""Where the sample files of the event commands are: a tournament and a whole event."""

from pathlib import Path

SAMPLES = Path(__file__).parent / "samples"
