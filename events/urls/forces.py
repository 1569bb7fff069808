"""URLs of forces, the builder, sealed product and the free check."""

from django.urls import path

from events.views import forces, forces_sheet

urlpatterns = [
    path("forces/check/", forces.free_check, name="forces-check"),
    path("forces/check/force.json", forces.free_file, name="forces-check-file"),
    path("events/<str:public_id>/entries/<int:number>/force/", forces.force, name="force"),
    path("events/<str:public_id>/entries/<int:number>/force/change/", forces.force_change, name="force-change"),
    path("events/<str:public_id>/entries/<int:number>/force/submit/", forces.force_submit, name="force-submit"),
    path("events/<str:public_id>/entries/<int:number>/force/copy/", forces.force_copy, name="force-copy"),
    path("events/<str:public_id>/entries/<int:number>/force/force.json", forces.force_json, name="force-json"),
    path("events/<str:public_id>/entries/<int:number>/force/sheet.pdf", forces_sheet.sheet, name="force-sheet"),
    path("events/<str:public_id>/entries/<int:number>/pool/", forces.pool, name="pool"),
]
