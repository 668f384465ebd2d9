// Faults as replies, and the clock that interrupts threads.
#ifndef QWENGPU_NATIVE_SIGNALS_H
#define QWENGPU_NATIVE_SIGNALS_H

#include "schedule.h"

namespace {

bool inside(const region &r, const u8 *p) { return r.base && p >= r.base && p < r.base + r.total; }

[[noreturn]] void report_address(u8 *p, int signo) {
    const thread *who = running;
    for (u32 i = 0; i < launch.arguments; ++i)
        if (arguments[i].kind == 0 && inside(buffers[i], p))
            finish(BAD_ADDRESS, i, p - buffers[i].start, (u64)p, 0, who);
    if (inside(shared_memory, p))
        finish(SHARED_ADDRESS, -1, p - shared_memory.page, 0, 0, who);
    if (inside(dynamic_memory, p))
        finish(SHARED_ADDRESS, -1, p - dynamic_memory.start, 1, dynamic_memory.size, who);
    if (stacks && p >= stacks && p < stacks + thread_count * (STACK_BYTES + PAGE) + PAGE)
        finish(STACK_OVERFLOW, -1, 0, STACK_BYTES, 0, who);
    finish(BAD_ADDRESS, -1, 0, (u64)p, (u64)signo, who);
}

#if defined(__x86_64__) && defined(__linux__)
// A division by zero and INT_MIN / -1 stop this processor, but not a GPU, where their value is open. The
// instruction is skipped: all ones and the dividend for zero; INT_MIN and 0 for the overflow.
bool skip_division(void *context) {
    enum { R8 = 0, RDI = 8, RSI, RBP, RBX, RDX, RAX, RCX, RSP, RIP };
    static const u8 place[16] = {RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI, 0, 1, 2, 3, 4, 5, 6, 7};
    i64 *registers = (i64 *)((u8 *)context + 40);
    const u8 *at = (const u8 *)registers[RIP];
    u8 rex = 0;
    if (*at == 0x66)
        return false;
    if ((*at & 0xf0) == 0x40)
        rex = *at++;
    if (*at++ != 0xf7)
        return false;
    const u8 modrm = *at++;
    const u8 mode = modrm >> 6, extension = modrm >> 3 & 7, low = modrm & 7;
    if (extension < 6)
        return false;
    const bool is_signed = extension == 7, wide = rex & 8;
    i64 divisor;
    if (mode == 3) {
        divisor = registers[place[low | (rex & 1) << 3]];
    } else {
        i64 address = 0;
        bool relative = false;
        u8 base = low | (rex & 1) << 3;
        bool has_base = true;
        if (low == 4) {
            const u8 sib = *at++;
            const u8 index = (sib >> 3 & 7) | (rex & 2) << 2;
            base = (sib & 7) | (rex & 1) << 3;
            has_base = !((sib & 7) == 5 && mode == 0);
            if (index != 4)
                address += registers[place[index]] << (sib >> 6);
        } else if (low == 5 && mode == 0) {
            has_base = false;
            relative = true;
        }
        if (has_base)
            address += registers[place[base]];
        if (mode == 1)
            address += (signed char)*at++;
        if (mode == 2 || !has_base) {
            int displacement;
            __builtin_memcpy(&displacement, at, 4);
            at += 4;
            address += displacement;
        }
        if (relative)
            address += (i64)at;
        divisor = 0;
        __builtin_memcpy(&divisor, (const void *)address, wide ? 8 : 4);
    }
    const bool zero = wide ? divisor == 0 : (u32)divisor == 0;
    const u64 dividend = (u64)registers[RAX];
    if (!zero && !is_signed)
        return false;
    const u64 quotient = zero ? ~0ull : dividend, remainder = zero ? dividend : 0;
    registers[RAX] = wide ? (i64)quotient : (i64)(u32)quotient;
    registers[RDX] = wide ? (i64)remainder : (i64)(u32)remainder;
    registers[RIP] = (i64)at;
    ++divisions;
    return true;
}
#else
bool skip_division(void *) { return false; }
#endif

// clang's -fsanitize-trap marks its traps; any other one is __builtin_trap or unreachable code.
bool is_alignment_check(const u8 *at) {
#if defined(__x86_64__)
    return at[0] == 0x67 && at[1] == 0x0f && at[2] == 0xb9; // ud1 with a 32-bit address
#else
    u32 instruction;
    __builtin_memcpy(&instruction, at, 4);
    return (instruction & 0xffe0001fu) == 0xd4200000u && (instruction >> 13 & 0xff) == 0x55; // brk #0x55..
#endif
}

// A 16-byte move at an odd address is reported without the address, as a general protection fault.
bool is_aligned_move(const signal_information *information, void *context) {
#if defined(__x86_64__) && defined(__linux__)
    enum { SI_KERNEL = 0x80 };
    const u8 *at = *(const u8 **)((u8 *)context + 40 + 16 * 8);
    if (information->code != SI_KERNEL)
        return false;
    const bool prefixed = *at == 0x66;
    at += prefixed;
    at += (*at & 0xf0) == 0x40;
    const u8 opcode = at[1];
    return at[0] == 0x0f && (opcode == 0x28 || opcode == 0x29 || (prefixed && (opcode == 0x6f || opcode == 0x7f)));
#else
    (void)information, (void)context;
    return false;
#endif
}

void on_fault(int signo, signal_information *information, void *context) {
    const thread *who = running;
    if (signo == SIGSEGV_ && is_aligned_move(information, context))
        finish(MISALIGNED, -1, 0, 0, 0, who);
    if (signo == SIGFPE_ && skip_division(context))
        return;
    if (signo == SIGSEGV_ || signo == SIGBUS_)
        report_address((u8 *)information->address, signo);
    if (signo == SIGILL_ || signo == SIGTRAP_) {
        if (is_alignment_check((const u8 *)information->address))
            finish(MISALIGNED, -1, 0, 0, 0, who);
        finish(TRAP, -1, 0, 0, 0, who);
    }
    finish(SIGNAL, -1, 0, (u64)signo, 0, who);
}

// A thread that has run for a whole tick gives way, so that one which waits for another does not wait for ever.
void on_tick(int, signal_information *, void *) {
    thread *self = running;
    if (++ticks >= limit_ticks)
        finish(TIMEOUT, -1, 0, 0, 0, self);
    if (in_runtime || !self)
        return;
    in_runtime = true;
    to_scheduler(self);
    in_runtime = false;
}

void start_signals() {
    u8 *stack = (u8 *)sys_map(64 * 1024, PROT_RW_);
    if (!stack)
        finish(NO_MEMORY);
    sys_signal_stack(stack, 64 * 1024);
    static const int faults[] = {SIGSEGV_, SIGBUS_, SIGILL_, SIGTRAP_, SIGFPE_};
    for (int signo : faults)
        sys_handle(signo, on_fault, SA_FAULT_);
    sys_handle(SIGALRM_, on_tick, SA_TICK_);
    sys_timer(TICK_US);
}

} // namespace

#endif
