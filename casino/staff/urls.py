"""Addresses of the doors."""

from django.urls import path

from casino.staff import views

app_name = "staff"
urlpatterns = [
    path("", views.start, name="start"),
    path("sign-in/", views.sign_in, name="sign-in"),
    path("sign-in/tablet/", views.sign_in_tablet, name="sign-in-tablet"),
    path("sign-in/role/", views.choose_role, name="choose-role"),
    path("sign-out/", views.sign_out, name="sign-out"),
    path("tablet/enrol/<str:token>", views.enrol, name="enrol"),
]
