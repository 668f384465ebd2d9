// What the runtime knows: the launch, its threads, its memory; and how it answers.
#ifndef QWENGPU_NATIVE_STATE_H
#define QWENGPU_NATIVE_STATE_H

#include "platform.h"

#include "abi.h"
#include "wire.h"

// The kernel sees these as constants (cuda_host.h).
extern "C" {
u32 qn_thread_index[3], qn_block_index[3], qn_block_size[3], qn_grid_size[3];
int qn_warp_size;
}

namespace {

constexpr u64 PAGE = 16384; // a multiple of the page size everywhere
constexpr u64 STACK_BYTES = 256 * 1024;
constexpr u64 WIDE_GUARD = 17ull << 30; // what a 32-bit index of 8-byte elements reaches, both ways
constexpr u64 NARROW_GUARD = 16ull << 20;
constexpr u64 SHARED_BYTES = 512 * 1024;
constexpr u64 GAP = 64; // bytes that must stay as they are, between two shared variables
constexpr long TICK_US = 5000;
constexpr u8 CANARY = 0xb5;

// Uninitialised shared memory holds this, another pattern with each seed.
u32 poison_word = 0xa5c3f18b;

request launch;
argument arguments[MAX_ARGUMENTS];
u64 raw[MAX_ARGUMENTS];

enum thread_state : u8 { READY, AT_BARRIER, AT_MEETING, AT_CONVERGENCE, EXITED };

struct thread {
    void *sp;
    thread_state state;
    u32 tid[3];
    // at a meeting
    int operation;
    u32 mask;
    u64 value;
    qn_lanes *lanes;
    // at a barrier
    int reduction, predicate, result;
    // at a convergence point
    int site;
    u32 converged;
};

thread threads[MAX_THREADS];
u32 order[MAX_THREADS];
u8 *stacks;
void *scheduler_sp;
u32 thread_count, live, at_barrier, at_convergence;
u64 block_number, threads_run, divisions, ticks, limit_ticks;
u64 random_state;
// A fiber runs user code exactly while this is not null; it may be interrupted only then.
thread *volatile running;
volatile bool in_runtime = true;

struct region {
    u8 *base, *page, *start;
    u64 total, pages, size;
};
region buffers[MAX_ARGUMENTS];


u64 thread_number(const thread *t) { return block_number * thread_count + (u64)(t - threads); }

bool write_all(const void *from, u64 n) {
    const u8 *at = (const u8 *)from;
    while (n) {
        const i64 done = sys_write(at, n);
        if (done <= 0)
            return false;
        at += done;
        n -= (u64)done;
    }
    return true;
}

[[noreturn]] void finish(outcome what, i64 argument = -1, i64 offset = 0, u64 detail = 0, u64 expected = 0,
                         const thread *who = nullptr) {
    in_runtime = true;
    sys_timer(0);
    reply r = {};
    r.magic = REPLY_MAGIC;
    r.outcome = what;
    r.argument = argument;
    r.offset = offset;
    r.detail = detail;
    r.expected = expected;
    r.thread = who ? thread_number(who) : ~0ull;
    r.executed = threads_run;
    r.divisions = divisions;
    if (!write_all(&r, sizeof r))
        sys_exit(3);
    if (what == OK)
        for (u32 i = 0; i < launch.arguments; ++i)
            if (arguments[i].kind == 0 && !write_all(buffers[i].start, arguments[i].size))
                sys_exit(3);
    sys_exit(0);
}

void read_all(void *to, u64 n) {
    u8 *at = (u8 *)to;
    while (n) {
        const i64 done = sys_read(at, n);
        if (done <= 0)
            finish(BAD_REQUEST);
        at += done;
        n -= (u64)done;
    }
}

} // namespace

#endif
