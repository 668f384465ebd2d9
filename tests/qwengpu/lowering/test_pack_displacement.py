"""Nodes that make room for one another in a block keep their operands in earlier slots."""

from __future__ import annotations

import pytest

from qwengpu.lowering.check_pack import check_pack
from qwengpu.lowering.pack.pack import pack
from qwengpu.lowering.select import select
from qwengpu.spec import SEED, WIDE, Spec

CROWDED = """.version 8.0
.target sm_80
.address_size 64
.visible .entry crowded()
{
.reg .pred %p<4>;
.reg .b32 %r<54>;
.reg .b64 %rd<10>;
and.b32 %r22, %r11, 32;
add.s32 %r23, %r21, %r22;
sad.s32 %r25, %r1, %r23, %r24;
ld.global.u32 %r26, [%rd6];
shr.s32 %r28, %r27, 1;
shl.b32 %r29, %r26, 31;
or.b32 %r30, %r29, 1;
rem.s32 %r31, %r28, %r30;
rem.s32 %r34, %r32, %r33;
not.b32 %r35, %r34;
neg.s32 %r8, %r26;
shf.r.clamp.b32 %r7, %r8, %r9, %r10;
cvt.s32.s16 %r40, %r26;
mov.u32 %r42, 255;
div.u32 %r43, %r42, %r41;
setp.le.u32 %p1, %r40, %r43;
selp.u32 %r53, 1, 0, %p1;
setp.gt.u32 %p2, %r7, %r53;
@%p2 bra DONE;
shf.r.clamp.b32 %r44, %r8, %r9, %r10;
DONE:
}
"""
"""Packing this moves a chain of three nodes, the last of which reads the node that the first makes room for."""


@pytest.mark.parametrize("spec", [SEED, WIDE], ids=lambda spec: spec.name)
def test_a_node_that_is_moved_stays_behind_its_operands(spec: Spec) -> None:
    check_pack(pack(select(CROWDED, None, spec), spec), spec)
