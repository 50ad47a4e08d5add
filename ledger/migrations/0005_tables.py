"""Room for what the books lacked: references, closed totals, snapshots, slips, seals."""

import django.contrib.postgres.fields
import django.db.models.deletion
from django.db import migrations, models

from ledger.sql import run


def _key(to: str, *, name: str = "+", **more):
    return models.ForeignKey(
        on_delete=django.db.models.deletion.PROTECT, related_name=name, to=to, **more
    )


def _composite(*columns: str):
    return models.CompositePrimaryKey(
        *columns, blank=True, editable=False, primary_key=True, serialize=False
    )


STATE = [
    migrations.AddField("account", "parent", models.TextField(default=""), preserve_default=False),
    migrations.AddField(
        "entry",
        "restates",
        models.OneToOneField(
            null=True,
            on_delete=django.db.models.deletion.PROTECT,
            related_name="restated_by",
            to="ledger.entry",
        ),
    ),
    migrations.AddField(
        "entry",
        "corrects",
        _key("ledger.entry", name="corrections", null=True, db_index=False),
    ),
    migrations.AddField("entry", "late_day", models.DateField(null=True)),
    migrations.AddField("entry", "rate_sold", models.BigIntegerField(null=True)),
    migrations.AddField("entry", "rate_bought", models.BigIntegerField(null=True)),
    # Django can neither alter nor drop a composite key, in its state either.
    migrations.DeleteModel("period"),
    migrations.CreateModel(
        name="Period",
        fields=[
            ("pk", _composite("property_id", "gaming_day", "shift")),
            ("property_id", models.BigIntegerField()),
            ("gaming_day", models.DateField()),
            ("shift", models.TextField()),
            (
                "status",
                models.TextField(choices=[("open", "Open"), ("closed", "Closed")]),
            ),
            ("opened_at", models.DateTimeField()),
            ("opened_by", models.TextField()),
            ("closed_at", models.DateTimeField(null=True)),
            ("closed_by", models.TextField()),
            ("approved_by", models.TextField()),
            ("recorded_at", models.DateTimeField(null=True)),
            ("last_entry", _key("ledger.entry", null=True, db_index=False)),
            ("totals", models.JSONField(null=True)),
            ("report_hash", models.BinaryField(null=True)),
            ("anchor_seal", models.BigIntegerField(null=True)),
            ("anchor_hash", models.BinaryField(null=True)),
        ],
        options={"db_table": "ledger_period"},
    ),
    migrations.CreateModel(
        name="Snapshot",
        fields=[
            ("pk", _composite("account_id", "shard", "gaming_day")),
            ("account", _key("ledger.account", name="snapshots", db_index=False)),
            ("shard", models.SmallIntegerField()),
            ("gaming_day", models.DateField()),
            ("property_id", models.BigIntegerField()),
            ("debit", models.BigIntegerField()),
            ("credit", models.BigIntegerField()),
            ("held_debit", models.BigIntegerField()),
            ("held_credit", models.BigIntegerField()),
            ("upto_version", models.BigIntegerField()),
            ("taken_at", models.DateTimeField()),
        ],
        options={"db_table": "ledger_snapshot"},
    ),
    migrations.CreateModel(
        name="Series",
        fields=[
            ("pk", _composite("property_id", "series")),
            ("property", _key("properties.property", db_index=False)),
            ("series", models.TextField()),
            ("next", models.BigIntegerField()),
        ],
        options={"db_table": "ledger_series", "verbose_name_plural": "series"},
    ),
    migrations.CreateModel(
        name="Slip",
        fields=[
            ("pk", _composite("property_id", "series", "number")),
            ("property_id", models.BigIntegerField()),
            ("series", models.TextField()),
            ("number", models.BigIntegerField()),
            ("document", models.TextField()),
            ("drawn_at", models.DateTimeField()),
            ("drawn_by", models.TextField()),
        ],
        options={"db_table": "ledger_slip"},
    ),
    migrations.CreateModel(
        name="Epoch",
        fields=[
            ("pk", _composite("property_id", "epoch")),
            ("property", _key("properties.property", db_index=False)),
            ("epoch", models.IntegerField()),
            ("after_entry_id", models.BigIntegerField()),
            ("begun_at", models.DateTimeField()),
            ("begun_by", models.TextField()),
            ("reason", models.TextField()),
        ],
        options={"db_table": "ledger_epoch"},
    ),
    migrations.CreateModel(
        name="Seal",
        fields=[
            ("pk", _composite("property_id", "number")),
            ("property_id", models.BigIntegerField()),
            ("number", models.BigIntegerField()),
            ("epoch", models.IntegerField()),
            ("entries", models.IntegerField()),
            (
                "entry_ids",
                django.contrib.postgres.fields.ArrayField(
                    base_field=models.BigIntegerField(), size=None
                ),
            ),
            ("digests", models.BinaryField()),
            ("prev_hash", models.BinaryField()),
            ("hash", models.BinaryField()),
            ("sealed_at", models.DateTimeField()),
        ],
        options={"db_table": "ledger_seal"},
    ),
    migrations.CreateModel(
        name="Inspection",
        fields=[
            (
                "id",
                models.BigAutoField(
                    auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                ),
            ),
            ("property", _key("properties.property", null=True, db_index=False)),
            (
                "kind",
                models.TextField(
                    choices=[("verify", "Verify"), ("compare", "Compare"), ("doctor", "Doctor")]
                ),
            ),
            ("at", models.DateTimeField()),
            ("actor", models.TextField()),
            ("upto_seal", models.BigIntegerField(null=True)),
            (
                "findings",
                django.contrib.postgres.fields.ArrayField(base_field=models.TextField(), size=None),
            ),
        ],
        options={"db_table": "ledger_inspection"},
    ),
]


class Migration(migrations.Migration):
    dependencies = [("ledger", "0004_functions")]
    operations = [run("0005_tables", state=STATE)]
