"""Cases: kernel files and their launches, read from front matter or from JSON beside a kernel."""

from conformance.cases.corpus import BrokenCase, Discovery, corpus_root, discover
from conformance.cases.model import Case, CaseError, CaseLaunch
from conformance.cases.read import read_case

__all__ = [
    "BrokenCase",
    "Case",
    "CaseError",
    "CaseLaunch",
    "Discovery",
    "corpus_root",
    "discover",
    "read_case",
]
