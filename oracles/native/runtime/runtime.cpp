// Runs one launch of the kernel it is linked with: a fiber a thread, blocks one after the other.
//
// Freestanding: neither a C library nor the C++ one. Compiled once a machine; kernels are linked to it.
#include "signals.h"

namespace {

void check_signature() {
    if (launch.arguments != qn_entry.count)
        finish(ARGUMENT_COUNT, -1, 0, launch.arguments, qn_entry.count);
    for (u32 i = 0; i < launch.arguments; ++i) {
        const qn_parameter &p = qn_entry.parameters[i];
        if (p.kind > QN_INTEGER)
            finish(UNSUPPORTED_PARAMETER, i, 0, p.kind);
        if ((p.kind == QN_POINTER) != (arguments[i].kind == 0))
            finish(ARGUMENT_KIND, i, 0, arguments[i].kind, p.kind);
        if (p.kind == QN_INTEGER && p.size != arguments[i].size)
            finish(ARGUMENT_SIZE, i, 0, arguments[i].size, p.size);
    }
}

void start_stacks() {
    // Each stack lies above a page that nobody may touch.
    const u64 stride = STACK_BYTES + PAGE;
    stacks = (u8 *)sys_map(thread_count * stride + PAGE, PROT_NONE_);
    if (!stacks)
        finish(NO_MEMORY);
    stacks = (u8 *)round_up((u64)stacks, PAGE);
    for (u32 i = 0; i < thread_count; ++i)
        if (!sys_protect(stacks + i * stride + PAGE, STACK_BYTES, PROT_RW_))
            finish(NO_MEMORY);
}

void start_threads() {
    for (u32 i = 0; i < thread_count; ++i) {
        order[i] = i;
        threads[i].tid[0] = i % launch.block[0];
        threads[i].tid[1] = i / launch.block[0] % launch.block[1];
        threads[i].tid[2] = i / launch.block[0] / launch.block[1];
    }
}

void run_grid() {
    const u64 blocks = (u64)launch.grid[0] * launch.grid[1] * launch.grid[2];
    u32 *sequence = (u32 *)sys_map(round_up(blocks * sizeof(u32), PAGE), PROT_RW_);
    if (!sequence)
        finish(NO_MEMORY);
    for (u64 i = 0; i < blocks; ++i)
        sequence[i] = (u32)i;
    if (launch.shuffled)
        shuffle(sequence, (u32)blocks);
    for (u64 i = 0; i < blocks; ++i) {
        block_number = sequence[i];
        qn_block_index[0] = sequence[i] % launch.grid[0];
        qn_block_index[1] = sequence[i] / launch.grid[0] % launch.grid[1];
        qn_block_index[2] = sequence[i] / launch.grid[0] / launch.grid[1];
        run_block();
    }
}

[[noreturn]] void run_launch() {
    read_all(&launch, sizeof launch);
    const u64 wanted = (u64)launch.block[0] * launch.block[1] * launch.block[2];
    if (launch.magic != REQUEST_MAGIC || launch.arguments > MAX_ARGUMENTS || wanted > MAX_THREADS ||
        launch.warp_size == 0 || launch.warp_size > 32)
        finish(BAD_REQUEST);
    read_all(arguments, launch.arguments * sizeof *arguments);
    check_signature();
    thread_count = (u32)wanted;
    qn_warp_size = (int)launch.warp_size;
    for (int d = 0; d < 3; ++d) {
        qn_block_size[d] = launch.block[d];
        qn_grid_size[d] = launch.grid[d];
    }
    random_state = launch.seed * 0x9e3779b97f4a7c15ull + 1;
    if (launch.shuffled)
        poison_word ^= random_below(0x7fffffff);
    for (u32 i = 0; i < launch.arguments; ++i) {
        raw[i] = arguments[i].value;
        if (arguments[i].kind == 0) {
            place_buffer(buffers[i], arguments[i]);
            raw[i] = (u64)buffers[i].start;
        }
    }
    start_shared_memory();
    start_stacks();
    start_threads();
    limit_ticks = launch.limit_ms * 1000 / TICK_US + 1;
    start_signals();
    run_grid();
    check_buffers();
    finish(OK);
}

} // namespace

// -----------------------------------------------------------------------------------------------------------
// What kernels call (abi.h)

extern "C" {

void qn_meet(int operation, unsigned mask, unsigned long long value, qn_lanes *out) {
    in_runtime = true;
    thread *self = running;
    if (!(mask >> lane_of(self) & 1))
        finish(NOT_IN_MASK, operation, 0, mask, lane_of(self), self);
    self->operation = operation;
    self->mask = launch.warp_size == 32 ? mask : mask & ((1u << launch.warp_size) - 1);
    self->value = value;
    self->lanes = out;
    self->state = AT_MEETING;
    if (!try_meeting(self))
        to_scheduler(self);
    in_runtime = false;
}

int qn_barrier(int reduction, int predicate) {
    in_runtime = true;
    thread *self = running;
    self->reduction = reduction;
    self->predicate = predicate != 0;
    self->state = AT_BARRIER;
    ++at_barrier;
    try_barrier();
    if (self->state != READY)
        to_scheduler(self);
    in_runtime = false;
    return self->result;
}

unsigned qn_converged(int site) {
    in_runtime = true;
    thread *self = running;
    self->site = site;
    self->state = AT_CONVERGENCE;
    ++at_convergence;
    to_scheduler(self);
    in_runtime = false;
    return self->converged;
}

void qn_yield() {
    in_runtime = true;
    to_scheduler(running);
    in_runtime = false;
}

void qn_trap() { finish(TRAP, -1, 0, 0, 0, running); }

void qn_misaligned(const volatile void *address) {
    // Which buffer, if it is in one; an address outside is worse and is found by the access itself.
    for (u32 i = 0; i < launch.arguments; ++i)
        if (arguments[i].kind == 0 && inside(buffers[i], (const u8 *)address))
            finish(MISALIGNED, i, (const u8 *)address - buffers[i].start, 0, 0, running);
    finish(MISALIGNED, -1, 0, (u64)address, 0, running);
}

void *__emutls_get_address(shared_variable *v) {
    if (v->size == 0)
        return dynamic_memory.start;
    if (v->place)
        return v->place;
    in_runtime = true;
    void *place = place_shared(v);
    in_runtime = false;
    return place;
}

#if defined(__linux__)
// The compiler may ask for these wherever it likes.
void *memset(void *to, int value, word n) {
    for (word i = 0; i < n; ++i)
        ((volatile u8 *)to)[i] = (u8)value;
    return to;
}
void *memcpy(void *__restrict__ to, const void *__restrict__ from, word n) {
    for (word i = 0; i < n; ++i)
        ((volatile u8 *)to)[i] = ((const u8 *)from)[i];
    return to;
}
void *memmove(void *to, const void *from, word n) {
    if ((word)to < (word)from)
        return memcpy(to, from, n);
    while (n-- > 0)
        ((volatile u8 *)to)[n] = ((const u8 *)from)[n];
    return to;
}
int memcmp(const void *a, const void *b, word n) {
    for (word i = 0; i < n; ++i)
        if (((const u8 *)a)[i] != ((const u8 *)b)[i])
            return ((const u8 *)a)[i] < ((const u8 *)b)[i] ? -1 : 1;
    return 0;
}
#if defined(__x86_64__)
__asm__(".globl _start\n_start:\nxorl %ebp, %ebp\nandq $-16, %rsp\ncall qn_main\n");
#else
__asm__(".globl _start\n_start:\nmov x29, #0\nmov x30, #0\nb qn_main\n");
#endif
[[noreturn]] void qn_main() { run_launch(); }
#else
int main() { run_launch(); }
#endif
}
