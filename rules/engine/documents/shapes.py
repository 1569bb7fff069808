"""What force files, battle files and position files look like, in JSON Schema, as their readers say."""

from __future__ import annotations

from rules.engine.documents import battle, force, position
from rules.engine.documents.reader import Shape, shape_of


def file_shapes() -> dict[str, Shape]:
    """Return the JSON Schema of each kind of document that has an edition.

    It holds what one value can tell: keys, types, words and limits. Whether names agree is for the readers.
    """
    documents = {"force": force.DOCUMENT, "battle": battle.DOCUMENT, "position": position.DOCUMENT}
    return {kind: shape_of(read) for kind, read in documents.items()}
