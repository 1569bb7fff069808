"""People searched and sorted, whatever the case of their names and addresses; rows decided once."""

from .again import again

globals().update(
    again(
        "tests.events.test_people",
        "test_a_decision_is_not_made_twice",
        "test_a_player_is_suspended_until_a_day_and_the_suspension_is_ended",
        "test_people_are_searched_by_name_and_address",
        "test_names_sort_without_regard_to_case_or_accents",
        "test_the_lists_of_an_event_sort_names_without_regard_to_case_or_accents",
        "test_personal_data_is_exported_completely",
    )
)
