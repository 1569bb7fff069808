"""URLs of results: of one table, of all tables, and of the open ones."""

from django.urls import path

from events.views import own_page, results

urlpatterns = [
    path("events/<str:public_id>/rounds/<int:number>/tables/<int:table>/", results.table, name="table"),
    path("events/<str:public_id>/rounds/<int:number>/tables/<int:table>/claim/", results.claim, name="claim"),
    path("events/<str:public_id>/rounds/<int:number>/tables/<int:table>/receipt/", own_page.receipt, name="receipt"),
    path("events/<str:public_id>/rounds/<int:number>/tables/<int:table>/score/", results.score, name="score"),
    path(
        "events/<str:public_id>/rounds/<int:number>/tables/<int:table>/withdraw/",
        results.withdraw_claim,
        name="claim-withdraw",
    ),
    path("events/<str:public_id>/rounds/<int:number>/tables/<int:table>/enter/", results.enter, name="enter-result"),
    path(
        "events/<str:public_id>/rounds/<int:number>/tables/<int:table>/abandon/", results.abandon, name="abandon-match"
    ),
    path("events/<str:public_id>/rounds/<int:number>/results/", results.keyboard, name="results"),
    path("events/<str:public_id>/rounds/<int:number>/open/", results.open_tables, name="open-tables"),
]
