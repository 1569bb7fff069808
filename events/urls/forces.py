"""URLs of forces, the builder, sealed product, the free check and My forces."""

from django.urls import path

from events.views import forces, forces_at_table, forces_check, forces_saved, forces_sheet

urlpatterns = [
    path("forces/check/", forces_check.free_check, name="forces-check"),
    path("forces/check/force.json", forces_check.free_file, name="forces-check-file"),
    path("forces/check/save/", forces_check.free_save, name="forces-check-save"),
    path("me/forces/", forces_saved.my_forces, name="my-forces"),
    path("me/forces/<int:pk>/", forces_saved.my_force_act, name="my-force"),
    path("events/<str:public_id>/entries/<int:number>/force/", forces.force, name="force"),
    path("events/<str:public_id>/entries/<int:number>/force/change/", forces.force_change, name="force-change"),
    path("events/<str:public_id>/entries/<int:number>/force/submit/", forces.force_submit, name="force-submit"),
    path("events/<str:public_id>/entries/<int:number>/force/copy/", forces.force_copy, name="force-copy"),
    path("events/<str:public_id>/entries/<int:number>/force/save/", forces.force_save, name="force-save"),
    path("events/<str:public_id>/entries/<int:number>/force/force.json", forces.force_json, name="force-json"),
    path("events/<str:public_id>/entries/<int:number>/force/sheet.pdf", forces_sheet.sheet, name="force-sheet"),
    path("events/<str:public_id>/entries/<int:number>/pool/", forces.pool, name="pool"),
    path(
        "events/<str:public_id>/rounds/<int:number>/tables/<int:table>/forces/",
        forces_at_table.forces_at_table,
        name="table-forces",
    ),
]
