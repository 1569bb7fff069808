"""URLs of booster drafts."""

from django.urls import path

from events.views import pods

ROUND = "events/<str:public_id>/rounds/<int:number>"
DRAFT = f"{ROUND}/tables/<int:table>/draft"
urlpatterns = [
    path(f"{ROUND}/boosters/", pods.boosters, name="boosters"),
    path(f"{ROUND}/boosters.pdf", pods.sheets, name="boosters-pdf"),
    path(f"{DRAFT}/", pods.pod, name="pod"),
    path(f"{DRAFT}/paper/", pods.on_paper, name="pod-paper"),
    path(f"{DRAFT}/pass/<int:step>/", pods.pass_on, name="pod-pass"),
    path(f"{DRAFT}/<int:seat>/", pods.seat, name="pod-seat"),
    path(f"{DRAFT}/<int:seat>/record/<int:step>/", pods.record, name="pod-record"),
]
