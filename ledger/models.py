"""The books as Django reads them; every write is one function of the database (ledger/sql).

The tables are made by SQL. Their models can read, and refuse to save or delete.
"""

from __future__ import annotations

from typing import Any, NoReturn

from django.db import models
from typing_extensions import override


class BooksAreReadOnlyError(TypeError):
    """A row of the books was to be written past the ledger's services."""

    def __init__(self, model: type[models.Model]) -> None:
        super().__init__(f"{model.__name__} is written by the ledger's functions alone")


class ReadQuerySet(models.QuerySet[Any, Any]):
    """Rows to read; PostgreSQL refuses the rest, and this says so sooner."""

    def _refuse(self, *_args: Any, **_values: Any) -> NoReturn:
        raise BooksAreReadOnlyError(self.model)

    create = update = delete = bulk_create = bulk_update = _refuse
    get_or_create = update_or_create = _refuse


class Book(models.Model):
    """A table of the books."""

    objects = ReadQuerySet.as_manager()

    class Meta:
        abstract = True

    @override
    def save(self, *_args: Any, **_options: Any) -> NoReturn:
        raise BooksAreReadOnlyError(type(self))

    @override
    def delete(self, *_args: Any, **_options: Any) -> NoReturn:
        raise BooksAreReadOnlyError(type(self))


class Currency(Book):
    """A currency that amounts may be in."""

    code = models.TextField(primary_key=True)
    """ISO 4217"""
    exponent = models.SmallIntegerField()
    """How many decimals its minor unit stands for: USD 2, JPY 0."""

    class Meta:
        db_table = "ledger_currency"
        verbose_name_plural = "currencies"

    @override
    def __str__(self) -> str:
        return self.code


class Account(Book):
    """Where a posting lands: an account of the chart with its sub-ledger."""

    property = models.ForeignKey("properties.Property", models.PROTECT, related_name="+")
    code = models.TextField()
    """`1120/table:3`, unique in its property."""
    number = models.TextField()
    """The account of the chart; the database takes it from the code."""
    name = models.TextField()
    currency = models.ForeignKey(
        Currency, models.PROTECT, related_name="+", db_column="currency", db_index=False
    )
    side = models.SmallIntegerField()
    """1 where debits increase the balance, -1 where credits do."""
    type = models.TextField()
    instrument = models.TextField()
    """What the value is in: cash, chips, lammers."""
    shards = models.SmallIntegerField()
    """How many balance rows share the load."""
    opened_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True)

    class Meta:
        db_table = "ledger_account"

    @override
    def __str__(self) -> str:
        return self.code


class Balance(Book):
    """What an account holds now; moved by each posting, in the same transaction."""

    pk = models.CompositePrimaryKey("account_id", "shard")
    account = models.ForeignKey(Account, models.PROTECT, related_name="balances", db_index=False)
    shard = models.SmallIntegerField()
    property_id = models.BigIntegerField()
    currency = models.TextField()
    side = models.SmallIntegerField()
    shards = models.SmallIntegerField()
    is_open = models.BooleanField()
    floor = models.BigIntegerField(null=True)
    """The least balance on the account's own side, in minor units; null is without limit."""
    ceiling = models.BigIntegerField(null=True)
    debit = models.BigIntegerField()
    """All debits ever, in minor units."""
    credit = models.BigIntegerField()
    version = models.BigIntegerField()
    """How many postings it has taken."""

    class Meta:
        db_table = "ledger_balance"

    @override
    def __str__(self) -> str:
        return f"{self.account_id}/{self.shard}: {self.debit - self.credit}"


class Entry(Book):
    """A balanced movement that is never changed; a correction is a new one that points here."""

    public_id = models.UUIDField(unique=True)
    property_id = models.BigIntegerField()
    gaming_day = models.DateField()
    effective_at = models.DateTimeField()
    """When it happened on the floor."""
    recorded_at = models.DateTimeField()
    """The database's clock; at a sandbox property, the effective time."""
    reverses = models.OneToOneField("self", models.PROTECT, related_name="reversed_by", null=True)
    legs = models.SmallIntegerField()
    kind = models.TextField()
    source = models.TextField()
    """What caused it, by name: `round:812`."""
    actor = models.TextField()
    approver = models.TextField()
    table_ref = models.TextField()
    session_ref = models.TextField()
    shift = models.TextField()
    memo = models.TextField()

    class Meta:
        db_table = "ledger_entry"
        verbose_name_plural = "entries"

    @override
    def __str__(self) -> str:
        return f"entry {self.pk}: {self.kind} of {self.source}"


class Posting(Book):
    """One side of an entry: debit above zero, credit below."""

    entry = models.ForeignKey(Entry, models.PROTECT, related_name="postings", db_index=False)
    account = models.ForeignKey(Account, models.PROTECT, related_name="postings", db_index=False)
    property_id = models.BigIntegerField()
    amount = models.BigIntegerField()
    """In minor units."""
    balance_after = models.BigIntegerField(null=True)
    """Debit less credit of the account after this line; null where shards share the load."""
    account_version = models.BigIntegerField()
    gaming_day = models.DateField()
    line = models.SmallIntegerField()
    shard = models.SmallIntegerField()
    currency = models.TextField()
    event = models.TextField()
    """Which posting of the chart it is: `main_wager_lost`."""

    class Meta:
        db_table = "ledger_posting"

    @override
    def __str__(self) -> str:
        return f"line {self.line} of entry {self.entry_id}: {self.amount}"


class Denomination(Book):
    """Counted chips beside a posting; all of them add up to its amount."""

    pk = models.CompositePrimaryKey("posting_id", "denomination")
    posting = models.ForeignKey(
        Posting, models.PROTECT, related_name="denominations", db_index=False
    )
    denomination = models.BigIntegerField()
    """Face value in minor units."""
    property_id = models.BigIntegerField()
    pieces = models.BigIntegerField()

    class Meta:
        db_table = "ledger_denom"

    @override
    def __str__(self) -> str:
        return f"{self.pieces} of {self.denomination}"


class Key(Book):
    """The natural key of an event in its property, for ever."""

    pk = models.CompositePrimaryKey("property_id", "key")
    property_id = models.BigIntegerField()
    key = models.TextField()
    """`round:812:settled:1`"""
    entry = models.ForeignKey(Entry, models.PROTECT, related_name="keys", db_index=False)

    class Meta:
        db_table = "ledger_key"

    @override
    def __str__(self) -> str:
        return self.key


class Period(Book):
    """A gaming day of a property's books."""

    class Status(models.TextChoices):
        OPEN = "open"
        CLOSED = "closed"

    pk = models.CompositePrimaryKey("property_id", "gaming_day")
    property_id = models.BigIntegerField()
    gaming_day = models.DateField()
    status = models.TextField(choices=Status)
    opened_at = models.DateTimeField()
    opened_by = models.TextField()
    closed_at = models.DateTimeField(null=True)
    closed_by = models.TextField()
    last_entry = models.ForeignKey(
        Entry, models.PROTECT, related_name="+", null=True, db_index=False
    )
    """The day's last entry when it closed."""

    class Meta:
        db_table = "ledger_period"

    @override
    def __str__(self) -> str:
        return f"{self.gaming_day} {self.status}"
