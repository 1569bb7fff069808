"""The audit log, filtered and exported."""

from .again import again

globals().update(again("tests.judging.test_audit_log"))
