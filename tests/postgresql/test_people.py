"""People registered, suspended and searched, whatever the case of their address."""

from .again import again

globals().update(
    again(
        "tests.events.test_people",
        but=(
            "test_the_lists_ask_as_often_for_many_as_for_few",
            "test_the_desk_is_the_offices_own",
            "test_what_belongs_to_an_account_asks_to_sign_in",
            "test_odd_addresses_get_a_page_of_the_site",
            "test_a_form_without_its_token_is_told_in_the_sites_frame",
        ),
    )
)
