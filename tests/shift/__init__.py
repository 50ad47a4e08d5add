"""Whole shifts on the real site, started by the real launcher and reached by HTTP alone."""
