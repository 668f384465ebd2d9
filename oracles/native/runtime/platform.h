// The few calls to the operating system, on Linux without any library, on macOS through libSystem.
#ifndef QWENGPU_NATIVE_PLATFORM_H
#define QWENGPU_NATIVE_PLATFORM_H

typedef unsigned long long u64;
typedef long long i64;
typedef unsigned int u32;
typedef unsigned char u8;
typedef unsigned long word;

enum { SIGILL_ = 4, SIGTRAP_ = 5, SIGFPE_ = 8, SIGSEGV_ = 11, SIGALRM_ = 14 };
enum { PROT_NONE_ = 0, PROT_RW_ = 3 };

#if defined(__linux__)

enum { SIGBUS_ = 7, MAP_FLAGS_ = 0x02 | 0x20 | 0x4000 };
enum { SA_FAULT_ = 0x4 | 0x08000000, SA_TICK_ = 0x4 | 0x40000000 | 0x10000000 };

#if defined(__x86_64__)
enum { SYS_read = 0, SYS_write = 1, SYS_mmap = 9, SYS_mprotect = 10, SYS_sigaction = 13, SYS_setitimer = 38,
       SYS_sigaltstack = 131, SYS_exit_group = 231, SA_RESTORER_ = 0x04000000 };
static inline word system_call(word n, word a, word b, word c, word d = 0, word e = 0, word f = 0) {
    word r;
    register word r10 __asm__("r10") = d;
    register word r8 __asm__("r8") = e;
    register word r9 __asm__("r9") = f;
    __asm__ volatile("syscall" : "=a"(r) : "a"(n), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                     : "rcx", "r11", "memory");
    return r;
}
#elif defined(__aarch64__)
enum { SYS_read = 63, SYS_write = 64, SYS_mmap = 222, SYS_mprotect = 226, SYS_sigaction = 134, SYS_setitimer = 103,
       SYS_sigaltstack = 132, SYS_exit_group = 94, SA_RESTORER_ = 0 };
static inline word system_call(word n, word a, word b, word c, word d = 0, word e = 0, word f = 0) {
    register word x8 __asm__("x8") = n;
    register word x0 __asm__("x0") = a;
    register word x1 __asm__("x1") = b;
    register word x2 __asm__("x2") = c;
    register word x3 __asm__("x3") = d;
    register word x4 __asm__("x4") = e;
    register word x5 __asm__("x5") = f;
    __asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5) : "memory");
    return x0;
}
#else
#error "the native leg runs on x86-64 and aarch64"
#endif

static inline bool failed(word r) { return r > (word)-4096; }
static inline i64 sys_read(void *to, u64 n) { return (i64)system_call(SYS_read, 0, (word)to, n); }
static inline i64 sys_write(const void *from, u64 n) { return (i64)system_call(SYS_write, 1, (word)from, n); }
static inline void *sys_map(u64 n, int protection) {
    word r = system_call(SYS_mmap, 0, n, (word)protection, MAP_FLAGS_, (word)-1, 0);
    return failed(r) ? nullptr : (void *)r;
}
static inline bool sys_protect(void *at, u64 n, int protection) {
    return !failed(system_call(SYS_mprotect, (word)at, n, (word)protection));
}
[[noreturn]] static inline void sys_exit(int code) {
    for (;;)
        system_call(SYS_exit_group, (word)code, 0, 0);
}

struct signal_information {
    int signo, error, code, pad;
    void *address;
};
typedef void (*signal_handler)(int, signal_information *, void *);
extern "C" void qn_signal_return();
static inline void sys_handle(int signo, signal_handler handler, int flags) {
    struct {
        signal_handler handler;
        word flags;
        void (*restorer)();
        word mask;
    } action = {handler, (word)(u32)flags | SA_RESTORER_, qn_signal_return, 0};
    system_call(SYS_sigaction, (word)signo, (word)&action, 0, 8);
}
static inline void sys_signal_stack(void *base, u64 n) {
    struct {
        void *base;
        int flags;
        word size;
    } stack = {base, 0, n};
    system_call(SYS_sigaltstack, (word)&stack, 0, 0);
}
static inline void sys_timer(long microseconds) {
    long every[4] = {0, microseconds, 0, microseconds};
    system_call(SYS_setitimer, 0, (word)every, 0);
}

#elif defined(__APPLE__)

enum { SIGBUS_ = 10, MAP_FLAGS_ = 0x02 | 0x1000 | 0x40 };
enum { SA_FAULT_ = 0x40 | 0x1, SA_TICK_ = 0x40 | 0x10 | 0x2 };

extern "C" {
long read(int, void *, word);
long write(int, const void *, word);
void *mmap(void *, word, int, int, int, i64);
int mprotect(void *, word, int);
int sigaction(int, const void *, void *);
int sigaltstack(const void *, void *);
int setitimer(int, const void *, void *);
[[noreturn]] void _exit(int);
}
static inline i64 sys_read(void *to, u64 n) { return read(0, to, n); }
static inline i64 sys_write(const void *from, u64 n) { return write(1, from, n); }
static inline void *sys_map(u64 n, int protection) {
    void *r = mmap(nullptr, n, protection, MAP_FLAGS_, -1, 0);
    return r == (void *)-1 ? nullptr : r;
}
static inline bool sys_protect(void *at, u64 n, int protection) { return mprotect(at, n, protection) == 0; }
[[noreturn]] static inline void sys_exit(int code) { _exit(code); }

struct signal_information {
    int signo, error, code, pid, uid, status;
    void *address;
};
typedef void (*signal_handler)(int, signal_information *, void *);
static inline void sys_handle(int signo, signal_handler handler, int flags) {
    struct {
        signal_handler handler;
        u32 mask;
        int flags;
    } action = {handler, 0, flags};
    sigaction(signo, &action, nullptr);
}
static inline void sys_signal_stack(void *base, u64 n) {
    struct {
        void *base;
        word size;
        int flags;
    } stack = {base, n, 0};
    sigaltstack(&stack, nullptr);
}
static inline void sys_timer(long microseconds) {
    long every[4] = {0, microseconds, 0, microseconds};
    setitimer(0, every, nullptr);
}

#else
#error "the native leg runs on Linux and macOS"
#endif

#endif
