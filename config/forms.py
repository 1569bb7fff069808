"""How Django draws forms here: each field with label, help and error in one place."""

from django.forms.renderers import TemplatesSetting


class HeadjudgeForms(TemplatesSetting):
    """`{{ form }}` is drawn by templates/django/forms/headjudge.html."""

    form_template_name = "django/forms/headjudge.html"
