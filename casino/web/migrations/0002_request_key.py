"""The keys that callers spent, with their answers."""

from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("web", "0001_roles"),
    ]

    operations = [
        migrations.CreateModel(
            name="RequestKey",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("client", models.CharField(max_length=80)),
                ("key", models.CharField(max_length=64)),
                ("fingerprint", models.BinaryField(max_length=32)),
                ("path", models.CharField(max_length=400)),
                ("status", models.PositiveSmallIntegerField()),
                ("body", models.JSONField(null=True)),
                ("created_at", models.DateTimeField()),
                ("expires_at", models.DateTimeField()),
            ],
            options={
                "indexes": [models.Index(fields=["expires_at"], name="web_requestkey_expires")],
                "constraints": [
                    models.UniqueConstraint(fields=("client", "key"), name="web_requestkey_once"),
                    models.CheckConstraint(
                        condition=models.Q(("expires_at__gt", models.F("created_at"))),
                        name="web_requestkey_lasts",
                    ),
                ],
            },
        ),
    ]
