"""`manage.py makemessages`: Django's command, which also collects the engine's texts that pages translate.

The engine doesn't use Django and can't mark its texts; its public interface lists them.
"""

from __future__ import annotations

from pathlib import Path

from django.core.management.commands import makemessages
from django.utils.functional import cached_property

from rules import engine

FACE = Path(engine.__file__)


class BuildFile(makemessages.BuildFile):
    """A file that texts are collected from; the engine's public interface stands for all texts of the engine."""

    @cached_property
    def is_face(self) -> bool:
        """Whether this is the engine's public interface."""
        return Path(self.path).resolve() == FACE

    @cached_property
    def is_templatized(self) -> bool:
        """Whether texts are collected from another file that `preprocess` writes."""
        return self.is_face or self.translatable.file.endswith((".html", ".txt"))

    def preprocess(self) -> None:
        """Write the file that texts are collected from."""
        if self.is_face:
            marked = [f"gettext_noop({text!r})\n" for text in engine.page_texts()]
            Path(self.work_path).write_text("".join(marked), encoding="utf-8")
        else:
            super().preprocess()


class Command(makemessages.Command):
    """Collect the texts to translate, including the engine's."""

    build_file_class = BuildFile
