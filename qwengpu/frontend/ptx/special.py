"""Names of PTX special registers (PTX ISA, "Special Registers")."""

from __future__ import annotations

SPECIAL_REGISTERS = frozenset(
    {
        f"%{name}.{axis}"
        for name in ("tid", "ntid", "ctaid", "nctaid", "clusterid", "nclusterid")
        for axis in "xyzw"
    }
    | {f"%cluster_{name}.{axis}" for name in ("ctaid", "nctaid") for axis in "xyzw"}
    | {f"%lanemask_{relation}" for relation in ("eq", "le", "lt", "ge", "gt")}
    | {f"%pm{number}{suffix}" for number in range(8) for suffix in ("", "_64")}
    | {f"%envreg{number}" for number in range(32)}
    | {
        "%laneid",
        "%warpid",
        "%nwarpid",
        "%smid",
        "%nsmid",
        "%gridid",
        "%is_explicit_cluster",
        "%cluster_ctarank",
        "%cluster_nctarank",
        "%clock",
        "%clock_hi",
        "%clock64",
        "%globaltimer",
        "%globaltimer_lo",
        "%globaltimer_hi",
        "%reserved_smem_offset_begin",
        "%reserved_smem_offset_end",
        "%reserved_smem_offset_cap",
        "%total_smem_size",
        "%aggr_smem_size",
        "%dynamic_smem_size",
        "%current_graph_exec",
        "WARP_SZ",
    }
)
