"""The pydantic schema of docs/cases.md; unknown keys are refused, integers are never coerced."""

from __future__ import annotations

from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, BeforeValidator, ConfigDict, Discriminator, Field, StrictInt, Tag

Fault = Literal["illegal", "out_of_range", "misaligned", "barrier", "convergence", "trap", "timeout"]
Declarable = Literal["ORDER_DEPENDENT", "WARP_SIZE_DEPENDENT", "UNDEFINED"]
ScalarKind = Literal["i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64"]
Positive = Annotated[int, Field(strict=True, ge=1)]
Natural = Annotated[int, Field(strict=True, ge=0)]

ARGUMENT_TAGS = ("buf", "scalar")


def _index(value: Any) -> Any:
    """JSON object keys are text; anything else goes through unchanged and is judged as an int."""
    if isinstance(value, str) and value.isascii() and value.isdecimal():
        return int(value)
    if isinstance(value, bool) or not isinstance(value, int):
        raise ValueError(f"{value!r} is not an argument index")
    return value


ArgumentIndex = Annotated[int, BeforeValidator(_index), Field(ge=0)]


def _words(value: Any) -> Any:
    return [value] if isinstance(value, str) else value


def _dims(value: Any) -> Any:
    """One to three numbers; a bare number is x."""
    return [value] if isinstance(value, int) and not isinstance(value, bool) else value


def _argument_kind(value: Any) -> str | None:
    kind = value.get("kind") if isinstance(value, dict) else getattr(value, "kind", None)
    if kind == "buf":
        return "buf"
    return "scalar" if kind in get_args(ScalarKind) else None


Words = Annotated[list[str], BeforeValidator(_words)]
Dims = Annotated[list[Positive], BeforeValidator(_dims), Field(min_length=1, max_length=3)]


class Strict(BaseModel):
    """A mapping without unknown keys."""

    model_config = ConfigDict(extra="forbid")


class Lcg(Strict):
    """Pseudo-random elements, docs/cases.md."""

    seed: Natural
    count: Natural
    low: StrictInt
    high: StrictInt


class BufferArg(Strict):
    """A buffer argument; exactly one of data, fill, range, lcg gives the elements."""

    kind: Literal["buf"]
    dtype: str
    data: list[StrictInt] | None = None
    fill: StrictInt | None = None
    count: Natural | None = None
    range: Annotated[list[StrictInt], Field(min_length=3, max_length=3)] | None = None
    lcg: Lcg | None = None
    align: Natural = 0


class ScalarArg(Strict):
    """A scalar argument."""

    kind: ScalarKind
    value: StrictInt


Arg = Annotated[
    Annotated[BufferArg, Tag("buf")] | Annotated[ScalarArg, Tag("scalar")],
    Discriminator(
        _argument_kind,
        custom_error_type="argument_kind",
        custom_error_message=f"kind must be buf or one of {', '.join(get_args(ScalarKind))}",
    ),
]


class LaunchModel(Strict):
    """One launch."""

    kernel: str = ""
    grid: Dims = Field(default_factory=lambda: [1, 1, 1])
    block: Dims = Field(default_factory=lambda: [1, 1, 1])
    smem: Natural = 0
    args: list[Arg] = Field(default_factory=list)
    expect: dict[ArgumentIndex, list[StrictInt]] | None = None
    unspecified: dict[ArgumentIndex, list[Natural] | Literal["all"]] = Field(default_factory=dict)
    fault: Fault | None = None
    verdict: Declarable | None = None
    step_limit: Positive | None = None
    needs: Words = Field(default_factory=list)
    can_hang_a_gpu: bool = False


class About(Strict):
    """What a case says of itself."""

    id: Annotated[str, Field(pattern=r"^\w[\w.+-]*(/\w[\w.+-]*)*$", max_length=200)] | None = None
    description: str = ""
    reference: str = ""
    features: Words = Field(default_factory=list)
    tags: Words = Field(default_factory=list)
    covers: Words = Field(default_factory=list)
    compilers: Words = Field(default_factory=list)


class FrontMatter(About):
    """The head of a corpus file."""

    launches: Annotated[list[LaunchModel], Field(min_length=1)]


class JsonCase(LaunchModel, About):
    """One launch beside a kernel, with keys that are kept for information only."""

    source: Any = None
    expect_error: str | None = None
    error_stage: str | None = None
    undefined: bool = False
    memory_words: int | None = None
    may_need_more: Any = None
    compiles: bool = True
    notes: Any = None
