"""The backup row by row."""

from .again import again

globals().update(
    again(
        "tests.judging.keeping.test_backups",
        "test_a_portable_backup_is_read_back_here_as_it_was",
        "test_a_damaged_backup_is_reported_and_never_restored",
    )
)
