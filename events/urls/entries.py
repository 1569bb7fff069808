"""URLs of entries."""

from django.urls import path

from events.views import check_in, enter, entries, own_page, teams

urlpatterns = [
    path("events/<str:public_id>/enter/", enter.enter, name="enter"),
    path("events/<str:public_id>/enter/by-mail/", enter.by_mail_ask, name="enter-by-mail"),
    path("events/<str:public_id>/enter/confirm/<str:token>/", enter.by_mail_confirm, name="enter-confirm"),
    path("events/<str:public_id>/entries/", entries.entries, name="entries"),
    path("events/<str:public_id>/entries/check-in/", check_in.check_in, name="check-in"),
    path("events/<str:public_id>/entries/add/", entries.entry_add, name="entry-add"),
    path("events/<str:public_id>/entries/import/", entries.entries_import, name="entries-import"),
    path("events/<str:public_id>/entries/move-up/", entries.move_up, name="entries-move-up"),
    path("events/<str:public_id>/entries/<int:number>/", own_page.entry, name="entry"),
    path("events/<str:public_id>/entries/<int:number>/edit/", entries.entry_edit, name="entry-edit"),
    path("events/<str:public_id>/entries/<int:number>/act/<str:verb>/", entries.act, name="entry-act"),
    path("events/<str:public_id>/entries/<int:number>/partner/", teams.partner, name="partner"),
    path("events/<str:public_id>/teams/", teams.teams, name="teams"),
    path("events/<str:public_id>/teams/<int:number>/name/", teams.name, name="team-name"),
    path("events/<str:public_id>/teams/<int:number>/split/", teams.split, name="team-split"),
]
