"""Measurements: they print figures and judge nothing."""
