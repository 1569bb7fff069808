"""URLs of venues."""

from django.urls import path

from events.views import venues

urlpatterns = [
    path("venues/", venues.venues, name="venues"),
    path("venues/register/", venues.venue_register, name="venue-register"),
    path("venues/<int:pk>/", venues.venue, name="venue"),
    path("venues/<int:pk>/edit/", venues.venue_edit, name="venue-edit"),
    path("venues/<int:pk>/managers/", venues.venue_managers, name="venue-managers"),
    path(
        "venues/<int:pk>/managers/<int:manager>/accept-for/",
        venues.venue_manager_accept_for,
        name="venue-manager-accept-for",
    ),
    path("venues/<int:pk>/managers/<int:manager>/confirm/", venues.venue_manager_confirm, name="venue-manager-confirm"),
    path("venues/<int:pk>/managers/<int:manager>/remove/", venues.venue_manager_remove, name="venue-manager-remove"),
    path("venues/<int:pk>/members/", venues.venue_members, name="venue-members"),
    path("venues/<int:pk>/members/<int:member>/remove/", venues.venue_member_remove, name="venue-member-remove"),
    path("venues/<int:pk>/halls/", venues.venue_halls, name="venue-halls"),
    path("venues/<int:pk>/halls/<int:hall>/", venues.venue_halls, name="venue-hall"),
    path("venues/<int:pk>/halls/<int:hall>/remove/", venues.venue_hall_remove, name="venue-hall-remove"),
]
