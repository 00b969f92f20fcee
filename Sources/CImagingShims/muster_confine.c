#define _GNU_SOURCE
#include "muster_confine.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

/// Drops every capability of this thread, and of the threads that it starts, permanently.
static bool drop_capabilities(void) {
    struct __user_cap_header_struct head = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {{0, 0, 0}};
    // Only a process with CAP_SETPCAP can empty its bounding set; no_new_privs keeps the others from gaining any.
    for (int each = 0; prctl(PR_CAPBSET_READ, each, 0, 0, 0) >= 0; each++) prctl(PR_CAPBSET_DROP, each, 0, 0, 0);
    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
    return !syscall(SYS_capset, &head, none);
}

bool muster_confine_privileges(uint64_t memory) {
    struct rlimit addresses = {memory, memory}, nothing = {0, 0}, descriptors = {16, 16};
    return !setrlimit(RLIMIT_AS, &addresses) && !setrlimit(RLIMIT_CORE, &nothing) && !setrlimit(RLIMIT_FSIZE, &nothing)
        && !setrlimit(RLIMIT_NOFILE, &descriptors) && !prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) && drop_capabilities();
}

#if defined(__x86_64__)
#define MUSTER_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define MUSTER_ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

// Needed for decoding and drawing, on threads that start and end. Every other call fails as for a file without
// permission.
static const unsigned allowed_calls[] = {
    // The socket, and standard output and error.
    SYS_read, SYS_write, SYS_readv, SYS_writev, SYS_recvfrom, SYS_sendto, SYS_recvmsg, SYS_sendmsg, SYS_close, SYS_dup,
    SYS_lseek, SYS_fstat, SYS_ppoll,
    // Memory.
    SYS_brk, SYS_mmap, SYS_munmap, SYS_mremap, SYS_mprotect, SYS_madvise,
    // Threads.
    SYS_futex, SYS_set_robust_list, SYS_rseq, SYS_sched_yield, SYS_sched_getaffinity, SYS_getpid, SYS_gettid,
    SYS_getcpu, SYS_exit, SYS_exit_group, SYS_membarrier,
    // Signals to itself, and the time limit of an operation.
    SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_sigaltstack, SYS_restart_syscall, SYS_setitimer,
    // Time and chance.
    SYS_clock_gettime, SYS_clock_getres, SYS_clock_nanosleep, SYS_nanosleep, SYS_gettimeofday, SYS_getrandom,
    SYS_sysinfo,
#ifdef SYS_alarm
    SYS_alarm, SYS_poll, SYS_getrlimit, SYS_time,
#endif
};

enum {
    arguments = offsetof(struct seccomp_data, args),
    // Both supported architectures are little-endian.
    low = 0,
    high = 4,
    word = 8,
};

#define LOAD(offset) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offset)
#define SKIP(test, value, matching, others) BPF_JUMP(BPF_JMP | test | BPF_K, value, matching, others)
#define RETURN(action) BPF_STMT(BPF_RET | BPF_K, action)
#define REFUSE(error) RETURN(SECCOMP_RET_ERRNO | (error))

bool muster_confine_calls(void) {
#ifdef MUSTER_ARCHITECTURE
    enum { calls = sizeof allowed_calls / sizeof *allowed_calls };
    const struct sock_filter head[] = {
        LOAD(offsetof(struct seccomp_data, arch)),
        SKIP(BPF_JEQ, MUSTER_ARCHITECTURE, 1, 0),
        RETURN(SECCOMP_RET_KILL_PROCESS),
        LOAD(offsetof(struct seccomp_data, nr)),
        // The call numbers of the x32 ABI start here.
        SKIP(BPF_JGE, 0x40000000u, 0, 1),
        RETURN(SECCOMP_RET_KILL_PROCESS),
        // Threads may start while pictures are decoded; processes may not. After ENOSYS the C library tries the older
        // call, whose flags the filter can read.
        SKIP(BPF_JEQ, SYS_clone3, 0, 1),
        REFUSE(ENOSYS),
        SKIP(BPF_JEQ, SYS_clone, 0, 4),
        LOAD(arguments + low),
        SKIP(BPF_JSET, CLONE_THREAD, 0, 1),
        RETURN(SECCOMP_RET_ALLOW),
        REFUSE(EACCES),
        // A process may end itself, as `abort` does.
        SKIP(BPF_JEQ, SYS_tgkill, 0, 4),
        LOAD(arguments + low),
        SKIP(BPF_JEQ, (unsigned)getpid(), 0, 1),
        RETURN(SECCOMP_RET_ALLOW),
        REFUSE(EACCES),
        // Limits may be read, but not set: the third argument is null.
        SKIP(BPF_JEQ, SYS_prlimit64, 0, 6),
        LOAD(arguments + 2 * word + low),
        SKIP(BPF_JEQ, 0, 0, 3),
        LOAD(arguments + 2 * word + high),
        SKIP(BPF_JEQ, 0, 0, 1),
        RETURN(SECCOMP_RET_ALLOW),
        REFUSE(EACCES),
        // Before each use, fontconfig asks whether an open font is readable. The call returns success without accessing
        // a file.
#ifdef SYS_access
        SKIP(BPF_JEQ, SYS_access, 0, 1),
        REFUSE(0),
#endif
        SKIP(BPF_JEQ, SYS_faccessat, 0, 1),
        REFUSE(0),
        // Threads may be named. All other changes of a process are refused.
        SKIP(BPF_JEQ, SYS_prctl, 0, 4),
        LOAD(arguments + low),
        SKIP(BPF_JEQ, PR_SET_NAME, 0, 1),
        RETURN(SECCOMP_RET_ALLOW),
        REFUSE(EACCES),
    };
    enum { first = sizeof head / sizeof *head };
    struct sock_filter filter[first + 2 * calls + 1];
    memcpy(filter, head, sizeof head);
    unsigned length = first;
    for (unsigned each = 0; each < calls; each++) {
        filter[length++] = (struct sock_filter)SKIP(BPF_JEQ, allowed_calls[each], 0, 1);
        filter[length++] = (struct sock_filter)RETURN(SECCOMP_RET_ALLOW);
    }
    filter[length++] = (struct sock_filter)REFUSE(EACCES);
    struct sock_fprog program = {length, filter};
    // TSYNC also confines the threads that libraries have started.
    return !syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program);
#else
    errno = ENOSYS;
    return false;
#endif
}
