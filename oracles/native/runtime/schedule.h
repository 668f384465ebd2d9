// Fibers, their order, and where they wait for each other.
#ifndef QWENGPU_NATIVE_SCHEDULE_H
#define QWENGPU_NATIVE_SCHEDULE_H

#include "shared.h"
#include "switch.h"

namespace {

// xorshift64*, G. Marsaglia and S. Vigna.
u32 random_below(u32 n) {
    random_state ^= random_state >> 12;
    random_state ^= random_state << 25;
    random_state ^= random_state >> 27;
    return (u32)((random_state * 2685821657736338717ull) >> 33) % n;
}

void shuffle(u32 *items, u32 n) {
    for (u32 i = n; i > 1; --i) {
        const u32 j = random_below(i);
        const u32 kept = items[i - 1];
        items[i - 1] = items[j];
        items[j] = kept;
    }
}

void to_scheduler(thread *t) { qn_switch(&t->sp, scheduler_sp); }

u32 lane_of(const thread *t) { return (u32)(t - threads) % launch.warp_size; }
thread *warp_of(const thread *t) { return threads + (t - threads) / launch.warp_size * launch.warp_size; }
u32 warp_lanes(const thread *warp) {
    const u32 left = thread_count - (u32)(warp - threads);
    return left < launch.warp_size ? left : launch.warp_size;
}

// If every live lane that `leader`'s mask names is at the same operation with the same mask, all go on.
bool try_meeting(thread *leader) {
    thread *warp = warp_of(leader);
    const u32 lanes = warp_lanes(warp);
    u32 members = 0;
    for (u32 i = 0; i < lanes; ++i) {
        const thread &t = warp[i];
        if (!(leader->mask >> i & 1) || t.state == EXITED)
            continue;
        if (t.state != AT_MEETING || t.operation != leader->operation || t.mask != leader->mask)
            return false;
        members |= 1u << i;
    }
    for (u32 i = 0; i < lanes; ++i) {
        if (!(members >> i & 1))
            continue;
        qn_lanes *out = warp[i].lanes;
        out->members = members;
        out->self = i;
        for (u32 j = 0; j < lanes; ++j)
            out->value[j] = members >> j & 1 ? warp[j].value : 0;
        warp[i].state = READY;
    }
    return true;
}

void try_barrier() {
    if (at_barrier == 0 || at_barrier < live)
        return;
    int count = 0;
    for (u32 i = 0; i < thread_count; ++i)
        count += threads[i].state == AT_BARRIER && threads[i].predicate;
    for (u32 i = 0; i < thread_count; ++i) {
        thread &t = threads[i];
        if (t.state != AT_BARRIER)
            continue;
        t.result = t.reduction == QN_COUNT ? count : t.reduction == QN_AND ? count == (int)at_barrier : count > 0;
        t.state = READY;
    }
    at_barrier = 0;
}

// In each warp where nothing can run, the lanes that reached the same __activemask as its lowest one go on.
bool try_convergence() {
    bool released = false;
    if (at_convergence == 0)
        return false;
    for (u32 first = 0; first < thread_count; first += launch.warp_size) {
        thread *warp = threads + first;
        const u32 lanes = warp_lanes(warp);
        bool busy = false;
        int site = 0;
        for (u32 i = lanes; i-- > 0;) {
            busy |= warp[i].state == READY;
            if (warp[i].state == AT_CONVERGENCE)
                site = warp[i].site;
        }
        if (busy || !site)
            continue;
        u32 together = 0;
        for (u32 i = 0; i < lanes; ++i)
            if (warp[i].state == AT_CONVERGENCE && warp[i].site == site)
                together |= 1u << i;
        for (u32 i = 0; i < lanes; ++i)
            if (together >> i & 1) {
                warp[i].converged = together;
                warp[i].state = READY;
                --at_convergence;
                released = true;
            }
    }
    return released;
}

void thread_body() {
    thread *self = running;
    in_runtime = false;
    qn_entry.call(raw);
    in_runtime = true;
    self->state = EXITED;
    --live;
    ++threads_run;
    // Those who wait for this one alone need not wait any longer.
    thread *warp = warp_of(self);
    for (u32 i = 0; i < warp_lanes(warp); ++i)
        if (warp[i].state == AT_MEETING)
            try_meeting(warp + i);
    try_barrier();
    for (;;)
        to_scheduler(self);
}

[[noreturn]] void report_stuck() {
    const thread *waiting = nullptr;
    for (u32 i = thread_count; i-- > 0;)
        if (threads[i].state == AT_MEETING)
            waiting = threads + i;
    if (!waiting)
        finish(STUCK_BARRIER);
    u32 present = 0;
    const thread *warp = warp_of(waiting);
    for (u32 i = 0; i < warp_lanes(warp); ++i)
        if (warp[i].state == AT_MEETING && warp[i].operation == waiting->operation && warp[i].mask == waiting->mask)
            present |= 1u << i;
    finish(CONVERGENCE, waiting->operation, 0, waiting->mask, present, waiting);
}

void run_block() {
    reset_shared_memory();
    live = thread_count;
    at_barrier = at_convergence = 0;
    for (u32 i = 0; i < thread_count; ++i) {
        threads[i].state = READY;
        threads[i].sp = new_stack(stacks + (i + 1) * (STACK_BYTES + PAGE), thread_body);
    }
    while (live) {
        bool progress = false;
        if (launch.shuffled)
            shuffle(order, thread_count);
        for (u32 k = 0; k < thread_count; ++k) {
            thread *t = threads + order[k];
            if (t->state != READY)
                continue;
            progress = true;
            for (int d = 0; d < 3; ++d)
                qn_thread_index[d] = t->tid[d];
            running = t;
            qn_switch(&scheduler_sp, t->sp);
            running = nullptr;
        }
        const bool released = try_convergence();
        if (!progress && !released)
            report_stuck();
    }
    check_shared_memory();
}

} // namespace

#endif
