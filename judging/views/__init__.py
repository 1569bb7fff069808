"""Pages of judging, by subject: finish, penalties, record, verification."""
