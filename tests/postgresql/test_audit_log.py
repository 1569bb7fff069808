"""The audit log, filtered and exported."""

from .again import again

globals().update(
    again(
        "tests.judging.test_audit_log",
        "test_the_audit_log_is_filtered_and_exported",
        "test_a_page_of_the_audit_log_names_its_rows_in_a_fixed_number_of_queries",
        "test_a_row_that_is_gone_is_named_by_what_it_belonged_to",
        "test_a_venue_reads_its_own_audit_log_and_no_other_s",
        "test_the_office_reads_searches_and_exports_the_audit_log_outside_events",
    )
)
