// The request on standard input and the reply on standard output; oracles/native/wire.py is the other end.
#ifndef QWENGPU_NATIVE_WIRE_H
#define QWENGPU_NATIVE_WIRE_H

enum { MAX_ARGUMENTS = 64, MAX_THREADS = 1024, REQUEST_MAGIC = 0x31514e51, REPLY_MAGIC = 0x31524e51 };

struct request {
    u32 magic, warp_size, grid[3], block[3];
    u32 shared_bytes, arguments, shuffled, reserved;
    u64 seed, limit_ms;
};

// A buffer: kind 0, `size` bytes at an address that equals `value` modulo `align`; its bytes follow the table.
// A scalar: kind 1, `size` bytes, `value` extended to 64 bits by its signedness.
struct argument {
    u32 kind, align;
    u64 size, value;
};

enum outcome {
    OK, BAD_REQUEST, NO_MEMORY, ARGUMENT_COUNT, ARGUMENT_KIND, ARGUMENT_SIZE, UNSUPPORTED_PARAMETER,
    BAD_ADDRESS, OVERWRITTEN, SHARED_ADDRESS, SHARED_OVERWRITTEN, SHARED_EXHAUSTED, STACK_OVERFLOW, MISALIGNED,
    TRAP, CONVERGENCE, NOT_IN_MASK, STUCK_BARRIER, TIMEOUT, SIGNAL
};

struct reply {
    u32 magic, outcome;
    i64 argument; // which one, or -1
    i64 offset;   // bytes from the start of that buffer
    u64 detail;   // an address, a mask, a signal, a count
    u64 expected; // what would have been right
    u64 thread;   // grid-wide number
    u64 executed; // threads that ran
    u64 divisions; // that this processor cannot do and the runtime filled in
    u64 reserved;
};

#endif
