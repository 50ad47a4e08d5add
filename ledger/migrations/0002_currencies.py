"""The currencies that amounts may be in, with the decimals of their minor unit.

Source: ISO 4217, list one.
"""

from django.db import migrations

ADD = """
INSERT INTO ledger_currency (code, exponent) VALUES
    ('AUD', 2), ('BHD', 3), ('CAD', 2), ('CHF', 2), ('CNY', 2), ('EUR', 2), ('GBP', 2), ('HKD', 2),
    ('JPY', 0), ('KHR', 2), ('KRW', 0), ('KWD', 3), ('LAK', 2), ('MNT', 2), ('MOP', 2), ('MXN', 2),
    ('MYR', 2), ('NZD', 2), ('PHP', 2), ('SGD', 2), ('THB', 2), ('TWD', 2), ('USD', 2), ('VND', 0)
"""


class Migration(migrations.Migration):
    dependencies = [("ledger", "0001_tables")]
    operations = [migrations.RunSQL(ADD, "DELETE FROM ledger_currency")]
