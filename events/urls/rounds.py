"""URLs of rounds and the judges' console."""

from django.urls import path

from events.views import console, rounds, rounds_import

ONE = "events/<str:public_id>/rounds/<int:number>/"

urlpatterns = [
    path("events/<str:public_id>/console/", console.console, name="console"),
    path("events/<str:public_id>/rounds/", rounds.rounds, name="rounds"),
    path("events/<str:public_id>/rounds/import/", rounds_import.rounds_import, name="rounds-import"),
    path("events/<str:public_id>/rounds/pair/", rounds.draft_next, name="draft-next"),
    path("events/<str:public_id>/rounds/cut/", rounds.cut, name="cut"),
    path("events/<str:public_id>/rounds/replay/", rounds.replay, name="replay"),
    path("events/<str:public_id>/end/", rounds.end, name="end"),
    path("events/<str:public_id>/reopen/", rounds.reopen_event, name="reopen-event"),
    path(ONE, rounds.round, name="round"),
    path(f"{ONE}draft/", rounds.draft, name="draft"),
    path(f"{ONE}draft/swap/", rounds.swap, name="draft-swap"),
    path(f"{ONE}draft/table/", rounds.table, name="draft-table"),
    path(f"{ONE}draft/move/", rounds.move, name="draft-move"),
    path(f"{ONE}draft/length/", rounds.length, name="draft-length"),
    path(f"{ONE}fix-seating/", rounds.fix_seating, name="fix-seating"),
    path(f"{ONE}seat-late/", rounds.seat_late, name="seat-late"),
    *(
        path(f"{ONE}{verb}/", rounds.act, {"verb": verb}, name=verb)
        for verb in ("publish", "unpublish", "pair-again", "discard", "complete", "reopen")
    ),
]
