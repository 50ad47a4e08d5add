"""Gathers the tasks of every subject, so that Celery finds them."""

from tables.settlement.tasks import settle_table_session, sweep_settlements

__all__ = ["settle_table_session", "sweep_settlements"]
