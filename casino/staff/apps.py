"""Employees, devices, signatures and the audit trail."""

from django.apps import AppConfig


class StaffConfig(AppConfig):
    """Employees, devices, signatures and the audit trail."""

    name = "casino.staff"
    label = "staff"
