// Global buffers between guard pages and canaries.
#ifndef QWENGPU_NATIVE_MEMORY_H
#define QWENGPU_NATIVE_MEMORY_H

#include "state.h"

namespace {

u64 round_up(u64 n, u64 to) { return (n + to - 1) / to * to; }

// Pages that may be used between pages that may not.
bool reserve(region &r, u64 bytes, u64 guard) {
    r.pages = round_up(bytes, PAGE);
    r.total = r.pages + 2 * guard;
    r.base = (u8 *)sys_map(r.total, PROT_NONE_);
    if (!r.base)
        return false;
    r.page = (u8 *)round_up((u64)r.base + guard - PAGE, PAGE);
    return r.pages == 0 || sys_protect(r.page, r.pages, PROT_RW_);
}

// The buffer ends as near to the upper guard as its alignment allows, and what is left around it is canaries.
void place_buffer(region &r, const argument &a) {
    if (!reserve(r, a.size + a.align, WIDE_GUARD) && !reserve(r, a.size + a.align, NARROW_GUARD))
        finish(NO_MEMORY);
    u64 start = (u64)r.page + r.pages - a.size;
    start -= (start - a.value) % a.align;
    r.start = (u8 *)start;
    r.size = a.size;
    __builtin_memset(r.page, CANARY, r.pages);
    read_all(r.start, a.size);
}

void check_buffers() {
    for (u32 i = 0; i < launch.arguments; ++i) {
        if (arguments[i].kind != 0)
            continue;
        const region &r = buffers[i];
        for (const u8 *p = r.start + r.size; p < r.page + r.pages; ++p)
            if (*p != CANARY)
                finish(OVERWRITTEN, i, p - r.start);
        for (const u8 *p = r.start; p-- > r.page;)
            if (*p != CANARY)
                finish(OVERWRITTEN, i, p - r.start);
    }
}

} // namespace

#endif
