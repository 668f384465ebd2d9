"""Corpus cases as compiled modules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from conformance.cases import Case
from conformance.cli.qwengpu_inputs import InputError, Source, compile_source, entry_of
from oracles.api import Launch, Module


def compiled(cases: Iterable[Case]) -> Iterator[tuple[Module, Launch]]:
    """First launch of each case that compiles, with its module (cached by the compilers' own cache)."""
    for case in cases:
        compiler = (case.compilers or ("clang",))[0]
        try:
            module = compile_source(Source(Path(case.kernel_file).name, case.language, case.text), compiler)
            launch = case.launches[0].launch
            yield module, replace(launch, kernel=entry_of(module, launch.kernel))
        except InputError:
            continue
