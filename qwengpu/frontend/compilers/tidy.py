"""PTX text as compilers print it, less what says nothing: debug labels, debug sections, comments on lines."""

from __future__ import annotations

import re

LABEL = re.compile(r"^\$L__(?:tmp\d+|func_begin\d+|func_end\d+):\s*$")
LOCATION = re.compile(r"^(\s*\.loc\b[^/]*?)\s*//.*$")
FILE = re.compile(r'^(\s*\.file\s+\d+\s+)"(.*)"(.*)$')
VERSION = re.compile(r"^(\.version\s+)\d+\.\d+", re.MULTILINE)
SECTION = re.compile(r"^\s*\.section\b")


def tidy_clang(ptx: str, name: str) -> str:
    """Drop clang's debug labels and sections; ``.file`` names become plain, ``.loc`` lines stay."""
    out = []
    in_section = False
    for line in ptx.splitlines():
        if in_section or SECTION.match(line):
            in_section = "}" not in line
        elif not LABEL.match(line):
            out.append(_file(LOCATION.sub(r"\1", line), name))
    return "\n".join(out) + "\n"


def tidy_nvrtc(ptx: str, name: str, version: str) -> str:
    """State PTX ``version``, name ``.file`` entries plainly and end with one newline."""
    ptx = VERSION.sub(rf"\g<1>{version}", ptx, count=1)
    lines = (_file(line, name) for line in ptx.rstrip("\0\n").splitlines())
    return "\n".join(lines).rstrip("\n") + "\n"


def _file(line: str, name: str) -> str:
    # Directories of the machine that compiled must not get into texts that are hashed and compared.
    match = FILE.match(line)
    if match is None:
        return line
    path = match[2].replace("\\\\", "/")
    plain = name if path == name or path.endswith("/" + name) else path.rsplit("/", 1)[-1]
    return f'{match[1]}"{plain}"'
