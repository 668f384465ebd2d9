// What a compiled kernel and the runtime know of each other. No C library on either side.
#ifndef QWENGPU_NATIVE_ABI_H
#define QWENGPU_NATIVE_ABI_H

enum qn_parameter_kind { QN_POINTER = 0, QN_INTEGER = 1, QN_FLOATING = 2, QN_OTHER = 3 };

struct qn_parameter {
    unsigned kind;
    unsigned size;
};

struct qn_kernel {
    void (*call)(const unsigned long long *raw);
    unsigned count;
    const qn_parameter *parameters;
};

// The values that the lanes of a warp brought to one operation, and which lanes took part.
struct qn_lanes {
    unsigned long long value[32];
    unsigned members;
    unsigned self;
};

enum qn_operation { QN_SYNC, QN_SHUFFLE_IDX, QN_SHUFFLE_UP, QN_SHUFFLE_DOWN, QN_SHUFFLE_XOR, QN_BALLOT, QN_ANY,
                    QN_ALL, QN_UNI, QN_MATCH_ANY, QN_MATCH_ALL };

enum qn_reduction { QN_PLAIN, QN_COUNT, QN_AND, QN_OR };

extern "C" {
// The one kernel of the program, defined behind the user's source.
extern const qn_kernel qn_entry;

// Waits until every live lane of `mask` is here with the same operation and mask.
void qn_meet(int operation, unsigned mask, unsigned long long value, qn_lanes *out);
// Waits until every live thread of the block is here.
int qn_barrier(int reduction, int predicate);
// Lanes of the warp that reach the same place, numbered from 1, while nothing else in the warp can run.
unsigned qn_converged(int site);
// Lets other threads run.
void qn_yield();
[[noreturn]] void qn_trap();
[[noreturn]] void qn_misaligned(const volatile void *address);
}

#endif
