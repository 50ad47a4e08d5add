from django.db import connection
from django.http import HttpRequest, JsonResponse
from django.urls import path


def healthz(_request: HttpRequest) -> JsonResponse:
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_user::text")
        return JsonResponse({"works_as": cursor.fetchone()[0]})


urlpatterns = [path("healthz", healthz)]
