"""Addresses of the rules app: the rulebooks, the catalogue, positions."""

from django.urls import path

from .views import board, catalogue, editions, rulebook

app_name = "rules"
urlpatterns = [
    path("", editions.home, name="home"),
    path("editions/", editions.compare, name="editions"),
    path("rulebook/", rulebook.front, name="rulebooks"),
    path("rulebook/search/", rulebook.search, name="search"),
    path("rulebook/citation/", rulebook.citation, name="citation"),
    path("rulebook/<slug:edition>/", rulebook.book, name="rulebook"),
    path("rulebook/<slug:edition>/rulings/", rulebook.all_rulings, name="rulings"),
    path("rulebook/<slug:edition>/rulings/<slug:name>/", rulebook.one_ruling, name="ruling"),
    path("rulebook/<slug:edition>/topics/<slug:name>/", rulebook.topic, name="topic"),
    path("rulebook/<slug:edition>/kinds/<slug:name>/", rulebook.kind, name="kind"),
    path("rulebook/<slug:edition>/sections/<path:slug>/", rulebook.section, name="section"),
    path("board/", board.front, name="board"),
    path("board/new/", board.new, name="board-new"),
    path("board/change/", board.change, name="board-change"),
    path("board/file/", board.read_file, name="board-file"),
    path("board/maps/<slug:slug>/", board.on_map, name="board-map"),
    path("board/examples/<slug:slug>/", board.example, name="board-example"),
    path("board/<str:public_id>/", board.saved, name="board-saved"),
    path("board/<str:public_id>/position.json", board.saved_file, name="board-saved-file"),
    path("catalogue/", catalogue.catalogue, name="catalogue"),
    path("catalogue/sheet.csv", catalogue.catalogue_sheet, name="catalogue-sheet"),
    path("catalogue/sets/", catalogue.sets, name="sets"),
    path("catalogue/sets/<slug:code>/", catalogue.set_page, name="set"),
    path("catalogue/corrections/", catalogue.corrections, name="corrections"),
    path("catalogue/corrections/<int:pk>/withdraw/", catalogue.withdraw, name="correction-withdraw"),
    path("catalogue/imports/", catalogue.import_list, name="imports"),
    path("catalogue/imports/<int:pk>/", catalogue.import_page, name="import"),
    path("catalogue/imports/<int:pk>/apply/", catalogue.import_apply, name="import-apply"),
    path("catalogue/imports/<int:pk>/put-away/", catalogue.import_put_away, name="import-put-away"),
    path("catalogue/elements/<slug:set_code>/<slug:own_code>/", catalogue.element, name="element"),
    path("catalogue/elements/<slug:set_code>/<slug:own_code>/correct/", catalogue.correct, name="element-correct"),
]
