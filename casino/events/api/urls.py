"""The API's description of itself, for programs and for people."""

urlpatterns = []
