"""Typed PTX program -> machine blocks for a spec, as a list of passes."""
