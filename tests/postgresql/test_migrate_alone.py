"""One migration at a time, by a lock of the server's: other machines may share the database."""

from .again import again

globals().update(again("tests.judging.test_migrate_alone"))
