// Changing from one stack to another, and how a new stack begins.
#ifndef QWENGPU_NATIVE_SWITCH_H
#define QWENGPU_NATIVE_SWITCH_H

#if defined(__APPLE__)
#define QN_SYMBOL(name) "_" #name
#else
#define QN_SYMBOL(name) #name
#endif

// Saves what a call must preserve on the current stack, stores its pointer in *from and goes on where `to` was saved.
extern "C" void qn_switch(void **from, void *to);

#if defined(__x86_64__)
__asm__(".text\n.globl " QN_SYMBOL(qn_switch) "\n" QN_SYMBOL(qn_switch) ":\n"
        "pushq %rbp\npushq %rbx\npushq %r12\npushq %r13\npushq %r14\npushq %r15\n"
        "movq %rsp, (%rdi)\nmovq %rsi, %rsp\n"
        "popq %r15\npopq %r14\npopq %r13\npopq %r12\npopq %rbx\npopq %rbp\nretq\n");
#if defined(__linux__)
__asm__(".globl qn_signal_return\nqn_signal_return:\nmovl $15, %eax\nsyscall\n");
#endif

// Six saved registers, the entry as return address, and a slot that leaves the stack aligned as after a call.
static inline void *new_stack(u8 *top, void (*entry)()) {
    word *sp = (word *)((word)top & ~(word)15);
    *--sp = 0;
    *--sp = (word)entry;
    for (int i = 0; i < 6; ++i)
        *--sp = 0;
    return sp;
}

#elif defined(__aarch64__)
__asm__(".text\n.p2align 2\n.globl " QN_SYMBOL(qn_switch) "\n" QN_SYMBOL(qn_switch) ":\n"
        "sub sp, sp, #160\n"
        "stp x19, x20, [sp]\nstp x21, x22, [sp, #16]\nstp x23, x24, [sp, #32]\nstp x25, x26, [sp, #48]\n"
        "stp x27, x28, [sp, #64]\nstp x29, x30, [sp, #80]\n"
        "stp d8, d9, [sp, #96]\nstp d10, d11, [sp, #112]\nstp d12, d13, [sp, #128]\nstp d14, d15, [sp, #144]\n"
        "mov x9, sp\nstr x9, [x0]\nmov sp, x1\n"
        "ldp x19, x20, [sp]\nldp x21, x22, [sp, #16]\nldp x23, x24, [sp, #32]\nldp x25, x26, [sp, #48]\n"
        "ldp x27, x28, [sp, #64]\nldp x29, x30, [sp, #80]\n"
        "ldp d8, d9, [sp, #96]\nldp d10, d11, [sp, #112]\nldp d12, d13, [sp, #128]\nldp d14, d15, [sp, #144]\n"
        "add sp, sp, #160\nret\n");
#if defined(__linux__)
extern "C" void qn_signal_return() {}
#endif

static inline void *new_stack(u8 *top, void (*entry)()) {
    word *sp = (word *)((word)top & ~(word)15) - 20;
    for (int i = 0; i < 20; ++i)
        sp[i] = 0;
    sp[11] = (word)entry;
    return sp;
}
#endif

#endif
