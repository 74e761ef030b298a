"""What goes wrong in other annotation tools, and the tests that keep it from going wrong here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Pitfall:
    """What happens elsewhere, and per file of tests the names of those that guard against it."""

    title: str
    guards: Mapping[str, tuple[str, ...]]


SERVICES, VIEWS, EXCHANGE, SCORING, ANNOTATING = (
    f"tests/{folder}"
    for folder in ("annotation/services", "annotation/views", "annotation/exchange", "scoring/judgements", "browser/annotating")
)

PITFALLS: Mapping[int, Pitfall] = {
    1: Pitfall(
        "Items end over- and under-filled when people claim at once.",
        {
            f"{SERVICES}/test_concurrency.py": (
                "test_twelve_people_fill_every_item_exactly_twice",
                "test_no_two_variants_of_one_original_reach_one_person",
            ),
            f"{SERVICES}/test_organising_at_once.py": ("test_one_more_person_is_asked_once_while_others_answer_late",),
            "tests/annotation/models/test_constraints.py": (
                "test_one_standing_claim_per_slot",
                "test_one_variant_of_an_original_per_annotator_in_a_group",
            ),
        },
    ),
    2: Pitfall(
        "The time-out of abandoned work never fires.",
        {
            f"{SERVICES}/test_claiming.py": ("test_abandoned_work_comes_back_after_the_time_out",),
            "tests/matrix/test_pitfalls.py": ("test_the_clock_is_read_when_work_is_handed_out_and_not_before",),
        },
    ),
    3: Pitfall(
        "A finished answer is thrown away because the campaign closed or the claim ran out meanwhile.",
        {
            f"{SERVICES}/test_answering.py": (
                "test_a_late_answer_counts_while_its_slot_is_free",
                "test_a_surplus_answer_is_kept_and_marked",
                "test_an_answer_after_closing_is_kept_and_marked",
            ),
            f"{VIEWS}/test_working.py": (
                "test_an_answer_after_closing_is_kept_and_the_page_says_so",
                "test_an_answer_to_an_item_that_others_filled_is_kept_and_the_page_says_so",
            ),
            f"{ANNOTATING}/test_sending.py": ("test_the_campaign_closed_meanwhile_and_the_answer_is_kept",),
        },
    ),
    4: Pitfall(
        "Double click, back button, two tabs and a repeated POST store twice, or fail.",
        {
            f"{SERVICES}/test_answering.py": ("test_sending_twice_gives_the_first_result",),
            f"{VIEWS}/test_working.py": ("test_submitting_twice_gives_the_first_result_and_says_so",),
            f"{ANNOTATING}/test_sending.py": (
                "test_an_answer_in_the_instant_after_the_swap_is_sent_without_loading_a_new_page",
                "test_two_enters_in_one_instant_are_one_answer",
                "test_the_back_button_and_a_second_tab_give_the_first_result",
            ),
        },
    ),
    5: Pitfall(
        "“Saved” is shown on an error, the next item comes before the server confirmed, a session that ends takes work along.",
        {
            f"{ANNOTATING}/test_sending.py": (
                "test_what_could_not_be_saved_is_tried_again",
                "test_while_sending_the_button_is_off_and_the_item_stays",
                "test_an_answer_that_was_not_sent_stays_and_can_be_sent_again",
                "test_after_the_session_has_ended_nothing_is_lost",
            ),
            f"{VIEWS}/test_working.py": ("test_the_draft_is_kept_and_comes_back",),
        },
    ),
    6: Pitfall(
        "A key stores another value than its button; every value ever clicked is kept.",
        {
            f"{ANNOTATING}/test_keys.py": (
                "test_every_digit_stores_what_its_button_says",
                "test_a_digit_without_a_button_does_nothing",
            ),
            f"{ANNOTATING}/test_sending.py": ("test_a_slow_save_never_overwrites_a_later_one",),
            "tests/annotation/protocols/test_contract.py": ("test_every_button_stores_the_label_that_it_names",),
        },
    ),
    7: Pitfall(
        "Guessed ids and names of filters show what is others'.",
        {
            "tests/matrix/test_permissions.py": (
                "test_every_address_has_a_row_and_every_row_an_address",
                "test_each_role_gets_what_the_table_says",
                "test_each_role_gets_it_in_every_phase",
            ),
            "tests/matrix/test_pitfalls.py": ("test_no_page_filters_by_what_it_does_not_offer",),
            f"{VIEWS}/test_items.py": ("test_other_filters_do_not_exist",),
        },
    ),
    8: Pitfall(
        "Deleting an account deletes other people's answers.",
        {
            "tests/matrix/test_pitfalls.py": (
                "test_everything_that_names_a_person_protects_them",
                "test_nobody_in_a_campaign_can_be_deleted",
            ),
            "tests/annotation/models/test_constraints.py": ("test_people_who_answered_cannot_be_deleted",),
            f"{SERVICES}/test_members.py": (
                "test_deleting_an_account_never_deletes_answers",
                "test_what_somebody_deactivated_held_goes_to_others",
                "test_ownership_is_handed_over_by_the_owner_to_an_organiser",
            ),
            f"{SERVICES}/test_withdrawal.py": (
                "test_erasing_leaves_a_bare_count",
                "test_what_others_said_stands_and_the_slot_is_open_again",
            ),
        },
    ),
    9: Pitfall(
        "Kappa is no number with one label, alpha is 1 without a common item, labels count that nobody declared, ties are broken "
        "at random, people's decisions are lost on recomputation.",
        {
            f"{SCORING}/test_agreement.py": (
                "test_one_label_and_one_item",
                "test_what_cannot_be_paired_has_a_named_reason",
                "test_an_undeclared_label_is_named_with_its_item_and_seen",
            ),
            f"{SCORING}/test_pools.py": ("test_what_has_no_alpha_says_why",),
            f"{SCORING}/test_decisions.py": ("test_the_rule", "test_an_unknown_tie_rule_is_refused"),
            "tests/annotation/protocols/test_meaning.py": ("test_without_confidence_three_different_answers_stay_unresolved",),
            f"{SERVICES}/test_asking.py": ("test_the_next_person_answers_and_the_most_frequent_answer_decides",),
            f"{SERVICES}/test_ruling.py": (
                "test_it_survives_every_recomputation",
                "test_it_turns_stale_when_the_answers_change_and_fresh_when_they_change_back",
            ),
        },
    ),
    10: Pitfall(
        "Exports keep only the latest answer, drop ids, break on line ends, quotes and strange letters, or run as formulas.",
        {
            f"{EXCHANGE}/test_export.py": (
                "test_every_answer_is_there_and_says_whether_it_counts",
                "test_texts_are_exact_in_jsonl_and_harmless_in_csv",
                "test_no_file_of_any_format_names_anybody_or_a_crowd_id",
            ),
            f"{EXCHANGE}/test_round_trip.py": (
                "test_a_judged_campaign_comes_back_with_equal_figures",
                "test_hostile_texts_survive_to_the_last_code_point",
            ),
            f"{EXCHANGE}/test_examples.py": ("test_any_text_survives_a_quoted_table", "test_any_text_survives_a_workbook"),
        },
    ),
    11: Pitfall(
        "An import stops half done; importing again doubles everything.",
        {
            f"{EXCHANGE}/test_examples.py": (
                "test_a_failure_leaves_nothing_and_harms_nothing",
                "test_what_a_killed_import_has_left_is_not_seen_and_goes",
                "test_what_cannot_be_read_is_told_by_line_and_column",
                "test_one_upload_imported_by_two_at_once_counts_once",
            ),
            f"{VIEWS}/files/test_importing.py": (
                "test_importing_again_adds_nothing",
                "test_the_same_file_posted_twice_is_imported_once",
            ),
        },
    ),
    12: Pitfall(
        "Lists ask the database once per row.",
        {
            "tests/matrix/test_query_counts.py": ("test_the_number_of_queries_is_the_same_for_1_3_and_30_rows",),
            f"{EXCHANGE}/test_export.py": ("test_the_number_of_queries_does_not_grow_with_the_items",),
        },
    ),
    13: Pitfall(
        "“Done” is shown while others only hold the items; removed people keep their claims; training counts against quotas.",
        {
            f"{VIEWS}/test_overview.py": (
                "test_items_that_are_only_claimed_are_not_done",
                "test_completeness_is_per_item_and_never_by_totals",
            ),
            f"{VIEWS}/test_working.py": (
                "test_the_end_when_all_is_answered",
                "test_the_end_when_the_rest_is_for_others",
                "test_the_end_while_others_hold_what_is_left_says_until_when",
            ),
            f"{SERVICES}/test_members.py": ("test_what_somebody_deactivated_held_goes_to_others",),
            f"{SERVICES}/test_practice.py": ("test_practice_counts_in_no_figure_quota_or_progress",),
        },
    ),
    14: Pitfall(
        "The sides of pairs are not stored, so side bias cannot be found; votes on one pair are tested for themselves.",
        {
            f"{SERVICES}/test_campaigns.py": ("test_sides_of_pairs_are_drawn_and_stored",),
            f"{SCORING}/test_preference.py": (
                "test_votes_are_never_counted_singly",
                "test_side_bias_is_over_votes_with_items_resampled_whole",
            ),
            "tests/annotation/protocols/test_preference.py": ("test_the_left_button_stores_the_variant_that_stands_on_the_left",),
        },
    ),
    15: Pitfall(
        "Cohen's kappa is given for a pool of people as if they were two.",
        {
            "tests/annotation/protocols/test_pools.py": (
                "test_two_people_are_no_pool",
                "test_a_pool_is_named_and_has_alpha_and_pairs",
            ),
            f"{SCORING}/test_pools.py": ("test_pairs_are_those_that_have_items_in_common",),
        },
    ),
}
