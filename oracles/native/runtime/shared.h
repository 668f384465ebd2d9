// Shared memory, fresh and filled with a pattern for each block.
#ifndef QWENGPU_NATIVE_SHARED_H
#define QWENGPU_NATIVE_SHARED_H

#include "memory.h"

namespace {

// Emulated thread-local storage is how the compiler asks where a __shared__ variable lies (the ABI of
// -femulated-tls). The stand-in for an `extern __shared__` array has size 0.
struct shared_variable {
    word size, align;
    void *place;
    void *initial;
};
shared_variable *shared_variables[1024];
u32 shared_count;
u64 shared_used;
region shared_memory, dynamic_memory;

void fill_poison(u8 *from, u64 n) {
    for (u64 i = 0; i < n; ++i)
        from[i] = (u8)(poison_word >> (i % 4 * 8));
}

void start_shared_memory() {
    if (!reserve(shared_memory, SHARED_BYTES, NARROW_GUARD) || !reserve(dynamic_memory, launch.shared_bytes, NARROW_GUARD))
        finish(NO_MEMORY);
    dynamic_memory.size = launch.shared_bytes;
    dynamic_memory.start = dynamic_memory.page + dynamic_memory.pages - round_up(launch.shared_bytes, 16);
}

void check_shared_memory() {
    for (u32 i = 0; i < shared_count; ++i) {
        const u8 *end = (const u8 *)shared_variables[i]->place + shared_variables[i]->size;
        for (const u8 *p = end; p < end + GAP; ++p)
            if (*p != CANARY)
                finish(SHARED_OVERWRITTEN, -1, p - (const u8 *)shared_variables[i]->place, shared_variables[i]->size);
    }
    for (const u8 *p = dynamic_memory.start + dynamic_memory.size; p < dynamic_memory.page + dynamic_memory.pages; ++p)
        if (*p != CANARY)
            finish(SHARED_OVERWRITTEN, -1, p - dynamic_memory.start, dynamic_memory.size);
}

void reset_shared_memory() {
    for (u32 i = 0; i < shared_count; ++i)
        shared_variables[i]->place = nullptr;
    shared_count = 0;
    shared_used = 0;
    __builtin_memset(dynamic_memory.page, CANARY, dynamic_memory.pages);
    fill_poison(dynamic_memory.start, dynamic_memory.size);
}

void *place_shared(shared_variable *v) {
    const u64 at = round_up(shared_used, v->align < 16 ? 16 : v->align);
    if (at + v->size + GAP > SHARED_BYTES || shared_count == sizeof shared_variables / sizeof *shared_variables)
        finish(SHARED_EXHAUSTED, -1, 0, at + v->size, SHARED_BYTES);
    u8 *place = shared_memory.page + at;
    fill_poison(place, v->size);
    __builtin_memset(place + v->size, CANARY, GAP);
    shared_used = at + v->size + GAP;
    shared_variables[shared_count++] = v;
    return v->place = place;
}

} // namespace

#endif
