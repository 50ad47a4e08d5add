from typing import Any

from django.core.management.base import BaseCommand
from django.db import connection


class Command(BaseCommand):
    def handle(self, **_options: Any) -> None:
        with connection.cursor() as cursor:
            cursor.execute("SELECT current_user::text")
            self.stdout.write(f"demo loaded as {cursor.fetchone()[0]}")
