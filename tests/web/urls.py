"""A small API on the real base views: notes, kept in the table of request keys' own database."""

from __future__ import annotations

from django.db import IntegrityError, OperationalError, connection
from django.urls import include, path
from rest_framework import serializers

from casino.urls import handler400, handler403, handler404, handler500
from casino.web.api import ListView, PageParameters, ReadView, WriteView, request_property_id
from casino.web.errors import NotFoundError, Refusal
from casino.web.ids import public_id, read_id
from casino.web.inputs import Input
from casino.web.money import MoneySerializer, money

__all__ = ["handler400", "handler403", "handler404", "handler500", "urlpatterns"]


class DrawerEmptyError(Refusal):
    code = "drawer_empty"
    status = 409
    title = "The drawer is empty"


class StaleError(Refusal):
    code = "version_conflict"
    status = 412
    title = "The document has changed since"


class NoteInput(Input):
    text = serializers.CharField(max_length=20)
    price = MoneySerializer(required=False)
    fault = serializers.CharField(required=False)


class NoteOutput(serializers.Serializer):
    id = serializers.CharField()
    text = serializers.CharField()
    price = MoneySerializer()


def fail(name: str) -> None:
    if name == "refused":
        raise DrawerEmptyError("Nothing is left.", pointer="/text", left=0)
    if name == "stale":
        raise StaleError("Version 3 is current.", version=3)
    if name == "database away":
        raise OperationalError("gone")
    if name == "constraint":
        with connection.cursor() as cursor:
            cursor.execute("INSERT INTO notes (text) VALUES ('first'), ('first')")
    if name == "bug":
        raise ZeroDivisionError("a secret of the house")
    if name == "integrity without a name":
        raise IntegrityError


class NotesView(ListView, WriteView):
    required_scopes = {"GET": ["tables:read"], "POST": ["rounds:write"]}
    output = NoteOutput
    input = NoteInput

    class parameters(PageParameters):  # noqa: N801
        starts_with = serializers.CharField(required=False)

    def page(self, request, asked, *, after, limit, **path):
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT id, text FROM notes WHERE id > %s AND starts_with(text, %s)"
                " ORDER BY id LIMIT %s",
                [after or 0, asked.get("starts_with", ""), limit],
            )
            return [note(*row) for row in cursor.fetchall()]

    def place(self, row):
        return read_id("not", row["id"])

    def act(self, request, data, *, at, **path):
        with connection.cursor() as cursor:
            cursor.execute("INSERT INTO notes (text) VALUES (%s) RETURNING id", [data["text"]])
            (number,) = cursor.fetchone()
        fail(data.get("fault", ""))
        return self.answer(note(number, data["text"]))


class NoteView(ReadView):
    required_scopes = {"GET": ["tables:read"]}
    output = NoteOutput

    def read(self, request, asked, *, note_id):
        number = read_id("not", note_id)
        if number == 5:
            fail("bug")
        if number > 10:
            raise NotFoundError(f"There is no note {note_id!r}.")
        return note(number, f"of property {request_property_id(request)}")


def note(number, text):
    return {"id": public_id("not", number), "text": text, "price": money(100, "USD")}


urlpatterns = [
    path("", include("casino.urls")),
    path("api/v1/notes", NotesView.as_view()),
    path("api/v1/notes/<str:note_id>", NoteView.as_view()),
]
