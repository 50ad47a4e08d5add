"""The database refuses what must not be: settled rounds and signed facts never change."""

from django.db import migrations
from django.db.migrations.operations.base import Operation

from casino.web.append_only import append_only, no_emptying

APPEND_ONLY = (
    "tables_ruleprofile",
    "tables_tablelimits",
    "tables_count",
    "tables_countline",
    "tables_seatoutcome",
    "tables_roundvoid",
    "tables_buyin",
    "tables_buyinvoid",
    "tables_settlementstep",
)

ROUND_GUARD = """
CREATE FUNCTION tables_round_guard() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    IF OLD.state <> 'betting' THEN
      RAISE EXCEPTION 'a round that took its bets is never deleted' USING ERRCODE = '55000';
    END IF;
    RETURN OLD;
  END IF;
  IF OLD.state IN ('settled', 'closed', 'voided') AND (
    to_jsonb(NEW) - 'state' - 'revision' <> to_jsonb(OLD) - 'state' - 'revision'
    OR (NEW.state <> OLD.state
        AND (OLD.state, NEW.state) NOT IN
            (('settled', 'closed'), ('settled', 'voided'), ('closed', 'voided')))
  ) THEN
    RAISE EXCEPTION 'a settled round does not change' USING ERRCODE = '55000';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER tables_round_guard BEFORE UPDATE OR DELETE ON tables_round
  FOR EACH ROW EXECUTE FUNCTION tables_round_guard();
ALTER TABLE tables_round ENABLE ALWAYS TRIGGER tables_round_guard;
"""

# A wager moves only while its round takes bets.
WAGER_GUARD = """
CREATE FUNCTION tables_wager_guard() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' AND (SELECT state FROM tables_round WHERE id = OLD.round_id) <> 'betting'
     OR TG_OP <> 'DELETE' AND (SELECT state FROM tables_round WHERE id = NEW.round_id) <> 'betting'
  THEN
    RAISE EXCEPTION 'no more bets on this round' USING ERRCODE = '55000';
  END IF;
  RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
END $$;
CREATE TRIGGER tables_wager_guard BEFORE INSERT OR UPDATE OR DELETE ON tables_wager
  FOR EACH ROW EXECUTE FUNCTION tables_wager_guard();
ALTER TABLE tables_wager ENABLE ALWAYS TRIGGER tables_wager_guard;
"""


def _guards() -> list[Operation]:
    frozen: list[Operation] = []
    for table in APPEND_ONLY:
        frozen += append_only(table)
    return [
        *frozen,
        migrations.RunSQL(
            ROUND_GUARD,
            "DROP TRIGGER tables_round_guard ON tables_round; DROP FUNCTION tables_round_guard();",
        ),
        *no_emptying("tables_round"),
        migrations.RunSQL(
            WAGER_GUARD,
            "DROP TRIGGER tables_wager_guard ON tables_wager; DROP FUNCTION tables_wager_guard();",
        ),
        *no_emptying("tables_wager"),
    ]


class Migration(migrations.Migration):
    dependencies = [("tables", "0001_initial"), ("web", "0001_roles")]
    operations = _guards()
