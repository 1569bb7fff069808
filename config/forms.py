"""How Django renders forms: each field with its label, help and errors together."""

from django.forms.renderers import TemplatesSetting


class HeadjudgeForms(TemplatesSetting):
    """Renderer that draws `{{ form }}` with templates/django/forms/headjudge.html."""

    form_template_name = "django/forms/headjudge.html"
