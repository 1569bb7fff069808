"""People registered, suspended and searched, whatever the case of their address."""

from .again import again

globals().update(
    again(
        "tests.events.test_people",
        but=(
            "test_the_lists_ask_as_often_for_many_as_for_few",
            "test_the_offices_page_is_only_for_the_office",
            "test_account_pages_ask_to_sign_in",
            "test_odd_addresses_get_a_page_of_the_site",
            "test_a_form_without_its_token_gets_a_page_in_the_sites_layout",
        ),
    )
)
