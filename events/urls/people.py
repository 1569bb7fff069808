"""URLs about people."""

from django.urls import path

from events.views import people, people_office, profiles, push, tokens

urlpatterns = [
    path("me/", people.me, name="me"),
    path("me/account/", people.account, name="account"),
    path("me/profile/", profiles.my_profile, name="my-profile"),
    path("me/push/<str:act>/", push.push, name="push"),
    path("players/<str:key>/", profiles.profile, name="profile"),
    path("me/offers/<str:kind>/<int:pk>/<str:answer>/", people.offer_answer, name="offer-answer"),
    path("e-mails/off/<str:token>/", people.pairing_mails_off, name="pairing-mails-off"),
    path("me/records.json", people.my_records, name="my-records"),
    path("volunteers/register/", people.volunteer_register, name="volunteer-register"),
    path("office/", people_office.office, name="office"),
    path("office/volunteers/", people_office.volunteers, name="office-volunteers"),
    path("office/volunteers/<int:pk>/", people_office.office_volunteer, name="office-volunteer"),
    path("office/venues/", people_office.office_venues, name="office-venues"),
    path("office/venues/<int:pk>/", people_office.office_venue, name="office-venue"),
    path("office/venues/<int:pk>/accept-for/", people_office.office_venue_accept_for, name="office-venue-accept-for"),
    path("office/people/", people_office.office_people, name="office-people"),
    path("office/players/", people_office.office_players, name="office-players"),
    path("office/people/<int:pk>/", people_office.office_person, name="office-person"),
    path(
        "office/people/<int:pk>/lift-suspension/", people_office.lift_suspension, name="office-person-lift-suspension"
    ),
    path("e/<str:token>/", people.entry_link, name="entry-link"),
    path("sign-in-by-code/", people.sign_in_by_code, name="sign-in-by-code"),
    path("events/<str:public_id>/sign-in-code/", people.sign_in_code, name="sign-in-code"),
    path(
        "events/<str:public_id>/sign-in-code/<int:pk>/revoke/", people.sign_in_code_revoke, name="sign-in-code-revoke"
    ),
    path("events/<str:public_id>/api-tokens/", tokens.tokens, name="api-tokens"),
    path("events/<str:public_id>/api-tokens/<int:pk>/revoke/", tokens.token_revoke, name="api-token-revoke"),
    path("events/<str:public_id>/entries/<int:number>/join/", people.entry_join, name="entry-join"),
    path("events/<str:public_id>/not-me/", people.entry_link_forget, name="entry-link-forget"),
    path("events/<str:public_id>/entries/<int:number>/link/", people.entry_qr, name="entry-qr"),
    path("events/<str:public_id>/entries/<int:number>/new-link/", people.entry_link_renew, name="entry-link-renew"),
]
