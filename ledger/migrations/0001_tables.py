"""The tables of the books, made by SQL that a reviewer reads; Django only learns their shape."""

import django.db.models.deletion
from django.db import migrations, models

from ledger.sql import run


def _key(to: str, *, name: str = "+", **more):
    return models.ForeignKey(
        on_delete=django.db.models.deletion.PROTECT, related_name=name, to=to, **more
    )


def _id():
    return models.BigAutoField(
        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
    )


def _composite(*columns: str):
    return models.CompositePrimaryKey(
        *columns, blank=True, editable=False, primary_key=True, serialize=False
    )


STATE = [
    migrations.CreateModel(
        name="Currency",
        fields=[
            ("code", models.TextField(primary_key=True, serialize=False)),
            ("exponent", models.SmallIntegerField()),
        ],
        options={"db_table": "ledger_currency", "verbose_name_plural": "currencies"},
    ),
    migrations.CreateModel(
        name="Account",
        fields=[
            ("id", _id()),
            ("property", _key("properties.property")),
            ("code", models.TextField()),
            ("number", models.TextField()),
            ("name", models.TextField()),
            ("currency", _key("ledger.currency", db_column="currency", db_index=False)),
            ("side", models.SmallIntegerField()),
            ("type", models.TextField()),
            ("instrument", models.TextField()),
            ("shards", models.SmallIntegerField()),
            ("opened_at", models.DateTimeField()),
            ("closed_at", models.DateTimeField(null=True)),
        ],
        options={"db_table": "ledger_account"},
    ),
    migrations.CreateModel(
        name="Balance",
        fields=[
            ("pk", _composite("account_id", "shard")),
            ("account", _key("ledger.account", name="balances", db_index=False)),
            ("shard", models.SmallIntegerField()),
            ("property_id", models.BigIntegerField()),
            ("currency", models.TextField()),
            ("side", models.SmallIntegerField()),
            ("shards", models.SmallIntegerField()),
            ("is_open", models.BooleanField()),
            ("floor", models.BigIntegerField(null=True)),
            ("ceiling", models.BigIntegerField(null=True)),
            ("debit", models.BigIntegerField()),
            ("credit", models.BigIntegerField()),
            ("version", models.BigIntegerField()),
        ],
        options={"db_table": "ledger_balance"},
    ),
    migrations.CreateModel(
        name="Entry",
        fields=[
            ("id", _id()),
            ("public_id", models.UUIDField(unique=True)),
            ("property_id", models.BigIntegerField()),
            ("gaming_day", models.DateField()),
            ("effective_at", models.DateTimeField()),
            ("recorded_at", models.DateTimeField()),
            (
                "reverses",
                models.OneToOneField(
                    null=True,
                    on_delete=django.db.models.deletion.PROTECT,
                    related_name="reversed_by",
                    to="ledger.entry",
                ),
            ),
            ("legs", models.SmallIntegerField()),
            ("kind", models.TextField()),
            ("source", models.TextField()),
            ("actor", models.TextField()),
            ("approver", models.TextField()),
            ("table_ref", models.TextField()),
            ("session_ref", models.TextField()),
            ("shift", models.TextField()),
            ("memo", models.TextField()),
        ],
        options={"db_table": "ledger_entry", "verbose_name_plural": "entries"},
    ),
    migrations.CreateModel(
        name="Posting",
        fields=[
            ("id", _id()),
            ("entry", _key("ledger.entry", name="postings", db_index=False)),
            ("account", _key("ledger.account", name="postings", db_index=False)),
            ("property_id", models.BigIntegerField()),
            ("amount", models.BigIntegerField()),
            ("balance_after", models.BigIntegerField(null=True)),
            ("account_version", models.BigIntegerField()),
            ("gaming_day", models.DateField()),
            ("line", models.SmallIntegerField()),
            ("shard", models.SmallIntegerField()),
            ("currency", models.TextField()),
            ("event", models.TextField()),
        ],
        options={"db_table": "ledger_posting"},
    ),
    migrations.CreateModel(
        name="Denomination",
        fields=[
            ("pk", _composite("posting_id", "denomination")),
            ("posting", _key("ledger.posting", name="denominations", db_index=False)),
            ("denomination", models.BigIntegerField()),
            ("property_id", models.BigIntegerField()),
            ("pieces", models.BigIntegerField()),
        ],
        options={"db_table": "ledger_denom"},
    ),
    migrations.CreateModel(
        name="Key",
        fields=[
            ("pk", _composite("property_id", "key")),
            ("property_id", models.BigIntegerField()),
            ("key", models.TextField()),
            ("entry", _key("ledger.entry", name="keys", db_index=False)),
        ],
        options={"db_table": "ledger_key"},
    ),
    migrations.CreateModel(
        name="Period",
        fields=[
            ("pk", _composite("property_id", "gaming_day")),
            ("property_id", models.BigIntegerField()),
            ("gaming_day", models.DateField()),
            (
                "status",
                models.TextField(choices=[("open", "Open"), ("closed", "Closed")]),
            ),
            ("opened_at", models.DateTimeField()),
            ("opened_by", models.TextField()),
            ("closed_at", models.DateTimeField(null=True)),
            ("closed_by", models.TextField()),
            ("last_entry", _key("ledger.entry", null=True, db_index=False)),
        ],
        options={"db_table": "ledger_period"},
    ),
]


class Migration(migrations.Migration):
    initial = True
    dependencies = [("web", "0001_roles"), ("properties", "0001_initial")]
    operations = [run("0001_tables", state=STATE)]
