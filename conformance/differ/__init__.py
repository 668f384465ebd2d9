"""Compares what two legs say of one launch and names the first difference."""

from conformance.differ.difference import Difference
from conformance.differ.events import EventComparison, Exclusions, compare_events, unstable
from conformance.differ.outcome import MemoryComparison, compare_outcome, same_outcome
from conformance.differ.ptxlines import PtxLines

__all__ = [
    "Difference",
    "EventComparison",
    "Exclusions",
    "MemoryComparison",
    "PtxLines",
    "compare_events",
    "compare_outcome",
    "same_outcome",
    "unstable",
]
