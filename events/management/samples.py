"""Where the samples of the event commands lie: a tournament and a whole event."""

from pathlib import Path

SAMPLES = Path(__file__).parent / "samples"
