"""Addresses of judging."""

from django.urls import path, re_path

from judging.views import finish, penalties, record, verification

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
    path("events/<str:public_id>/record/", record.record, name="record"),
]
