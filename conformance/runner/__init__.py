"""Runs cases on legs: plan, compile, survey, compare, vote, record."""
