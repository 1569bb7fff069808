"""URLs of an event's papers."""

from django.urls import path

from events.views import papers

urlpatterns = [
    path("events/<str:public_id>/rounds/<int:number>/pairings.pdf", papers.pairings_pdf, name="pairings-pdf"),
    path("events/<str:public_id>/rounds/<int:number>/slips.pdf", papers.slips_pdf, name="slips-pdf"),
    path("events/<str:public_id>/player-cards.pdf", papers.player_cards_pdf, name="player-cards-pdf"),
    path("events/<str:public_id>/badges.pdf", papers.badges_pdf, name="badges-pdf"),
    path("events/<str:public_id>/table-signs.pdf", papers.table_signs_pdf, name="table-signs-pdf"),
    path("events/<str:public_id>/bracket.pdf", papers.bracket_pdf, name="bracket-pdf"),
    path("events/<str:public_id>/standings.pdf", papers.standings_pdf, name="standings-pdf"),
]
