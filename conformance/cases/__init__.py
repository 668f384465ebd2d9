"""Cases: kernel files and their launches, read from front matter or from JSON beside a kernel."""

from conformance.cases.corpus import BrokenCase, Discovery, corpus_root, discover, is_case_file
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
    "is_case_file",
    "read_case",
]
