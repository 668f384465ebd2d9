"""Compiles circuits into the weights of a stock `Qwen3_5ForCausalLM`."""

from qwengpu.weights.certificate import Certificate, certify
from qwengpu.weights.compiler import Compiled, compile_circuit
from qwengpu.weights.errors import CompileError, PassError
from qwengpu.weights.shape import QWEN35_2B, STANDALONE, TARGETS, Shape, Target

__all__ = [
    "QWEN35_2B",
    "STANDALONE",
    "TARGETS",
    "Certificate",
    "CompileError",
    "Compiled",
    "PassError",
    "Shape",
    "Target",
    "certify",
    "compile_circuit",
]
