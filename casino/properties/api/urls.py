"""Address of the property, below `/api/v1/`."""

from django.urls import path

from casino.properties.api.views import PropertyView

app_name = "properties"
urlpatterns = [path("property", PropertyView.as_view(), name="property")]
