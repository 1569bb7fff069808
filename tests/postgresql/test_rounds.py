"""Rounds published, unpublished and reseated: tables that change places, two judges at once."""

from .again import again

globals().update(
    again(
        "tests.events.test_rounds",
        "test_the_first_pairing_seats_everyone_once_and_the_event_runs",
        "test_publishing_gives_the_bye_its_points",
        "test_the_second_judge_who_presses_publish_is_told",
        "test_a_swap_by_hand_is_compared_with_the_best_and_kept",
        "test_a_table_changed_by_hand_swaps_with_the_one_there",
        "test_two_tables_are_reseated_before_results",
        "test_two_tables_are_reseated_after_results",
        "test_pairings_are_unpublished_only_while_nothing_is_reported",
        "test_a_late_player_joins_the_unpublished_round",
        "test_a_late_player_is_seated_against_the_bye",
        "test_a_cut_is_seeded_by_standing_and_winners_go_on",
    )
)
