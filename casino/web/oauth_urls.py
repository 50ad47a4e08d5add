"""Tokens for programs: issue, revoke and introspect; the provider's pages are not served."""

from django.urls import path
from oauth2_provider.views import IntrospectTokenView, RevokeTokenView, TokenView

POST = ["post"]
"""Secrets and tokens come in bodies: an address stands in logs."""

app_name = "oauth2_provider"
urlpatterns = [
    path("token/", TokenView.as_view(http_method_names=POST), name="token"),
    path("revoke_token/", RevokeTokenView.as_view(http_method_names=POST), name="revoke-token"),
    path("introspect/", IntrospectTokenView.as_view(http_method_names=POST), name="introspect"),
]
