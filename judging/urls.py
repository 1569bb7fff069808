"""URLs of judging."""

from django.urls import path, re_path

from judging.views import calls, copies, decisions, finish, machines, penalties, personal, record, ruling, verification

app_name = "judging"
urlpatterns = [
    path("events/<str:public_id>/finish/", finish.finish, name="finish"),
    re_path(
        r"^events/(?P<public_id>[^/]+)/finish/(?P<verb>verify|unverify|receive|report)/$", finish.act, name="finish-act"
    ),
    path("events/<str:public_id>/results.pdf", finish.sheet_pdf, name="sheet-pdf"),
    path("events/<str:public_id>/results.csv", finish.sheet_as_csv, name="sheet-csv"),
    path("events/<str:public_id>/results.json", finish.sheet_json, name="sheet-json"),
    path("events/<str:public_id>/penalties/", penalties.penalties, name="penalties"),
    path("events/<str:public_id>/penalties/<int:pk>/take-back/", penalties.take_back, name="penalty-take-back"),
    path("events/<str:public_id>/forces/", verification.queue, name="forces"),
    path("events/<str:public_id>/forces/recheck/", verification.recheck, name="forces-recheck"),
    path("events/<str:public_id>/forces/<int:number>/check/", verification.check, name="force-check"),
    path("events/<str:public_id>/forces/<int:number>/take-over/", verification.take_over, name="force-take-over"),
    path("forces/recheck/", verification.season, name="season-recheck"),
    path("events/<str:public_id>/calls/", calls.queue, name="calls"),
    path("events/<str:public_id>/calls/<int:pk>/", calls.call, name="call"),
    path("events/<str:public_id>/calls/<int:pk>/close/", calls.close, name="call-close"),
    re_path(
        r"^events/(?P<public_id>[^/]+)/calls/(?P<pk>[0-9]{1,18})/(?P<verb>take|arrive|release|escalate|cancel)/$",
        calls.act,
        name="call-act",
    ),
    path("events/<str:public_id>/rounds/<int:number>/tables/<int:table>/call/", calls.raise_hand, name="call-raise"),
    path("venues/<int:pk>/halls/<int:hall>/calls/", calls.hall_queue, name="hall-calls"),
    path(
        "venues/<int:pk>/halls/<int:hall>/calls/word/", calls.hall_change_notification, name="hall-change-notification"
    ),
    path("events/<str:public_id>/decisions/", decisions.decisions, name="decisions"),
    path("events/<str:public_id>/decisions/<int:number>/", decisions.decision, name="decision"),
    path("events/<str:public_id>/decisions/<int:number>/ruling.pdf", decisions.on_paper, name="decision-pdf"),
    path("events/<str:public_id>/decisions/<int:number>/appeal/", decisions.appeal, name="decision-appeal"),
    path("events/<str:public_id>/decisions/<int:number>/answer/", decisions.answer, name="decision-answer"),
    re_path(
        r"^events/(?P<public_id>[^/]+)/decisions/(?P<number>[0-9]{1,9})/(?P<verb>withdraw-appeal|reopen|take-back)/$",
        decisions.act,
        name="decision-act",
    ),
    path("events/<str:public_id>/positions/<str:key>/", decisions.position, name="position"),
    path("events/<str:public_id>/rounds/<int:number>/tables/<int:table>/slow-play/", penalties.slow, name="slow-play"),
    path("events/<str:public_id>/rule/", ruling.rule, name="rule"),
    path("events/<str:public_id>/rounds/<int:number>/tables/<int:table>/dispute/", decisions.dispute, name="dispute"),
    path("events/<str:public_id>/record/", record.record, name="record"),
    path("me/data/", personal.my_data, name="my-data"),
    path("me/data.json", personal.my_data_file, name="my-data-file"),
    path("office/people/<int:pk>/data/", personal.erase, name="person-data"),
    path("events/import/", copies.read, name="event-import"),
    path("events/<str:public_id>/copies/", copies.copies, name="copies"),
    path("events/<str:public_id>/copies/snapshot/", copies.take, name="snapshot-take"),
    path("events/<str:public_id>/copies/snapshots/<int:pk>/", copies.restore, name="snapshot-restore"),
    path("events/<str:public_id>/copies/snapshots/<int:pk>/file/", copies.snapshot_file, name="snapshot-file"),
    path("events/<str:public_id>/copies/export/", copies.export, name="event-export"),
    path("events/<str:public_id>/copies/hand-over/", copies.hand_over, name="event-hand-over"),
    path("events/<str:public_id>/copies/take-back/", copies.take_back, name="event-take-back"),
    path("office/machines/", machines.machines, name="machines"),
    path("office/machines/<int:pk>/unpair/", machines.unpair, name="machine-unpair"),
    path("events/<str:public_id>/rounds/<int:number>/bundle.pdf", copies.bundle, name="bundle-pdf"),
    path("venues/<int:pk>/record/", record.of_venue, name="venue-record"),
    path("venues/<int:pk>/record.csv", record.of_venue, {"kind": "csv"}, name="venue-record-csv"),
    path("venues/<int:pk>/record.json", record.of_venue, {"kind": "json"}, name="venue-record-json"),
    path("office/record/", record.of_office, name="office-record"),
    path("office/record.csv", record.of_office, {"kind": "csv"}, name="office-record-csv"),
    path("office/record.json", record.of_office, {"kind": "json"}, name="office-record-json"),
    path("events/<str:public_id>/record.csv", record.record_csv, name="record-csv"),
    path("events/<str:public_id>/record.json", record.record_json, name="record-json"),
    path("events/<str:public_id>/record/<int:pk>/", record.entry, name="record-entry"),
]
