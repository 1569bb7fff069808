"""A person's data gathered from all tables."""

from .again import again

globals().update(
    again(
        "tests.judging.keeping.test_personal_data",
        but=(
            "test_a_name_that_is_an_ordinary_word_is_taken_out_as_a_name_only[Round]",
            "test_a_name_that_is_an_ordinary_word_is_taken_out_as_a_name_only[Table]",
            "test_addresses_and_telephones_are_shown_only_to_people_who_need_them",
        ),
    )
)
