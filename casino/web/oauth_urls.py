"""Tokens for programs: issue, revoke and introspect; the provider's pages are not served."""

from django.urls import path
from oauth2_provider.views import IntrospectTokenView, RevokeTokenView, TokenView

app_name = "oauth2_provider"
urlpatterns = [
    path("token/", TokenView.as_view(), name="token"),
    path("revoke_token/", RevokeTokenView.as_view(), name="revoke-token"),
    path("introspect/", IntrospectTokenView.as_view(), name="introspect"),
]
