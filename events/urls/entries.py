"""URLs of entries."""

from django.urls import path

from events.views import check_in, entries

urlpatterns = [
    path("events/<str:public_id>/enter/", entries.enter, name="enter"),
    path("events/<str:public_id>/entries/", entries.entries, name="entries"),
    path("events/<str:public_id>/entries/check-in/", check_in.check_in, name="check-in"),
    path("events/<str:public_id>/entries/add/", entries.entry_add, name="entry-add"),
    path("events/<str:public_id>/entries/import/", entries.entries_import, name="entries-import"),
    path("events/<str:public_id>/entries/move-up/", entries.move_up, name="entries-move-up"),
    path("events/<str:public_id>/entries/<int:number>/", entries.entry, name="entry"),
    path("events/<str:public_id>/entries/<int:number>/edit/", entries.entry_edit, name="entry-edit"),
    path("events/<str:public_id>/entries/<int:number>/act/<str:verb>/", entries.act, name="entry-act"),
]
