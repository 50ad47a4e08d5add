"""The outbox."""

import casino.events.models
import django.db.models.functions.datetime
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("web", "0001_roles"),
    ]

    operations = [
        migrations.CreateModel(
            name="OutboxEvent",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("property_id", models.BigIntegerField()),
                (
                    "txid",
                    casino.events.models.Xid8Field(
                        db_default=models.Func(function="pg_current_xact_id")
                    ),
                ),
                ("topic", models.CharField(max_length=80)),
                ("subject_type", models.CharField(max_length=40)),
                ("subject_id", models.CharField(max_length=80)),
                ("version", models.PositiveIntegerField()),
                ("key", models.CharField(max_length=200)),
                ("payload", models.JSONField()),
                ("occurred_at", models.DateTimeField()),
                ("gaming_day", models.DateField()),
                (
                    "recorded_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now()),
                ),
                ("sequence", models.BigIntegerField(null=True)),
                ("numbered_at", models.DateTimeField(null=True)),
            ],
            options={
                "db_table": "events_outbox",
                "indexes": [
                    models.Index(
                        condition=models.Q(("sequence__isnull", True)),
                        fields=["property_id", "txid", "id"],
                        name="events_outbox_waiting",
                    ),
                    models.Index(
                        condition=models.Q(("sequence__isnull", True)),
                        fields=["property_id", "subject_type", "subject_id", "version"],
                        name="events_outbox_waiting_subject",
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("property_id", "key"), name="events_outbox_key"
                    ),
                    models.UniqueConstraint(
                        fields=("property_id", "sequence"), name="events_outbox_sequence"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("numbered_at__isnull", True), ("sequence__isnull", True)),
                            models.Q(
                                ("numbered_at__isnull", False),
                                ("sequence__gte", 1),
                                ("sequence__isnull", False),
                            ),
                            _connector="OR",
                        ),
                        name="events_outbox_numbered",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("version__gte", 1)), name="events_outbox_version"
                    ),
                ],
            },
        ),
    ]
