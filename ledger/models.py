"""The books as Django reads them; every write is one function of the database (ledger/sql).

The tables are made by SQL. Their models can read, and refuse to save or delete.
"""

from __future__ import annotations

from typing import Any, NoReturn

from django.contrib.postgres.fields import ArrayField
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
    parent = models.TextField()
    """The code without its last part; empty above a bare number. The database takes it too."""
    name = models.TextField()
    currency = models.ForeignKey(
        Currency, models.PROTECT, related_name="+", db_column="currency", db_index=False
    )
    side = models.SmallIntegerField()
    """1 where debits increase the balance, -1 where credits do."""
    type = models.TextField()
    instrument = models.TextField()
    """What the value is in: cash, value_chip, plaque, marker."""
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
    restates = models.OneToOneField("self", models.PROTECT, related_name="restated_by", null=True)
    """The reversed entry whose event this one tells anew."""
    corrects = models.ForeignKey(
        "self", models.PROTECT, related_name="corrections", null=True, db_index=False
    )
    """The entry that this one corrects in part."""
    late_day = models.DateField(null=True)
    """The closed gaming day that it belongs to by the calendar, where it came late."""
    rate_sold = models.BigIntegerField(null=True)
    rate_bought = models.BigIntegerField(null=True)
    """An exchange: so many minor units bought for so many sold."""
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
    """A gaming day of a property's books, or a shift of it."""

    class Status(models.TextChoices):
        OPEN = "open"
        CLOSED = "closed"

    pk = models.CompositePrimaryKey("property_id", "gaming_day", "shift")
    property_id = models.BigIntegerField()
    gaming_day = models.DateField()
    shift = models.TextField()
    """Empty for the day itself."""
    status = models.TextField(choices=Status)
    opened_at = models.DateTimeField()
    opened_by = models.TextField()
    closed_at = models.DateTimeField(null=True)
    closed_by = models.TextField()
    approved_by = models.TextField()
    """The second person, who is another one."""
    recorded_at = models.DateTimeField(null=True)
    """The database's clock when it closed."""
    last_entry = models.ForeignKey(
        Entry, models.PROTECT, related_name="+", null=True, db_index=False
    )
    """The period's last entry when it closed."""
    totals = models.JSONField(null=True)
    """The trial balance that it closed with: one object for each number and currency."""
    report_hash = models.BinaryField(null=True)
    """SHA-256 of the totals as text."""
    anchor_seal = models.BigIntegerField(null=True)
    """The newest seal when it closed."""
    anchor_hash = models.BinaryField(null=True)

    class Meta:
        db_table = "ledger_period"

    @override
    def __str__(self) -> str:
        return f"{self.gaming_day}{' ' if self.shift else ''}{self.shift} {self.status}"

    @property
    def report_hash_text(self) -> str:
        """Return the hash of the report in hexadecimal digits; empty while the period is open."""
        return bytes(self.report_hash or b"").hex()

    @property
    def head_text(self) -> str:
        """Return the newest seal when it closed, `12:9f…`; empty where nothing was sealed."""
        if self.anchor_seal is None or self.anchor_hash is None:
            return ""
        return f"{self.anchor_seal}:{bytes(self.anchor_hash).hex()}"


class Snapshot(Book):
    """What an account had come to when a gaming day closed, if it moved on it."""

    pk = models.CompositePrimaryKey("account_id", "shard", "gaming_day")
    account = models.ForeignKey(Account, models.PROTECT, related_name="snapshots", db_index=False)
    shard = models.SmallIntegerField()
    gaming_day = models.DateField()
    property_id = models.BigIntegerField()
    debit = models.BigIntegerField()
    """All debits of this day and those before it, in minor units."""
    credit = models.BigIntegerField()
    held_debit = models.BigIntegerField()
    """All debits that the balance row held then, later days included."""
    held_credit = models.BigIntegerField()
    upto_version = models.BigIntegerField()
    """The last posting that the balance row held then."""
    taken_at = models.DateTimeField()

    class Meta:
        db_table = "ledger_snapshot"

    @override
    def __str__(self) -> str:
        return f"{self.account_id} on {self.gaming_day}: {self.debit - self.credit}"


class Series(Book):
    """A series of slip numbers of a property."""

    pk = models.CompositePrimaryKey("property_id", "series")
    property = models.ForeignKey(
        "properties.Property", models.PROTECT, related_name="+", db_index=False
    )
    series = models.TextField()
    """`fill_slip`"""
    next = models.BigIntegerField()

    class Meta:
        db_table = "ledger_series"
        verbose_name_plural = "series"

    @override
    def __str__(self) -> str:
        return f"{self.series}: next {self.next}"


class Slip(Book):
    """A number of a series, and the document that bears it."""

    pk = models.CompositePrimaryKey("property_id", "series", "number")
    property_id = models.BigIntegerField()
    series = models.TextField()
    number = models.BigIntegerField()
    document = models.TextField()
    drawn_at = models.DateTimeField()
    drawn_by = models.TextField()

    class Meta:
        db_table = "ledger_slip"

    @override
    def __str__(self) -> str:
        return f"{self.series} {self.number}: {self.document}"


class Epoch(Book):
    """A stretch of the books within one database cluster; a restore begins another."""

    pk = models.CompositePrimaryKey("property_id", "epoch")
    property = models.ForeignKey(
        "properties.Property", models.PROTECT, related_name="+", db_index=False
    )
    epoch = models.IntegerField()
    after_entry_id = models.BigIntegerField()
    """Entries above it belong to this epoch."""
    begun_at = models.DateTimeField()
    begun_by = models.TextField()
    reason = models.TextField()

    class Meta:
        db_table = "ledger_epoch"

    @override
    def __str__(self) -> str:
        return f"epoch {self.epoch} after entry {self.after_entry_id}"


class Seal(Book):
    """A link of a property's chain: it fixes entries, and the seal before it."""

    pk = models.CompositePrimaryKey("property_id", "number")
    property_id = models.BigIntegerField()
    number = models.BigIntegerField()
    epoch = models.IntegerField()
    entries = models.IntegerField()
    entry_ids = ArrayField(models.BigIntegerField())
    digests = models.BinaryField()
    """Of each entry three of 16 bytes: head, postings, pieces."""
    prev_hash = models.BinaryField()
    hash = models.BinaryField()
    """SHA-256 over the hash before it and the entries."""
    sealed_at = models.DateTimeField()

    class Meta:
        db_table = "ledger_seal"

    @override
    def __str__(self) -> str:
        return f"seal {self.number}: {self.entries} entries"


class Inspection(Book):
    """What an examination of the books found."""

    class Kind(models.TextChoices):
        VERIFY = "verify"
        COMPARE = "compare"
        DOCTOR = "doctor"

    property = models.ForeignKey(
        "properties.Property", models.PROTECT, related_name="+", null=True, db_index=False
    )
    """None: the whole database."""
    kind = models.TextField(choices=Kind)
    at = models.DateTimeField()
    actor = models.TextField()
    upto_seal = models.BigIntegerField(null=True)
    findings = ArrayField(models.TextField())
    """What must not be, in sentences; empty where all is well."""

    class Meta:
        db_table = "ledger_inspection"

    @override
    def __str__(self) -> str:
        return f"{self.kind} at {self.at:%Y-%m-%d %H:%M}: {len(self.findings)} findings"
