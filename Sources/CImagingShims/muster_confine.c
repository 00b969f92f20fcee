#define _GNU_SOURCE
#include "muster_confine.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

bool muster_confine_limits(uint64_t memory) {
    struct rlimit addresses = {memory, memory}, nothing = {0, 0}, descriptors = {16, 16};
    return !setrlimit(RLIMIT_AS, &addresses) && !setrlimit(RLIMIT_CORE, &nothing) && !setrlimit(RLIMIT_FSIZE, &nothing)
        && !setrlimit(RLIMIT_NOFILE, &descriptors) && !prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
}

#if defined(__x86_64__)
#define MUSTER_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define MUSTER_ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

// What is refused fails like a file that one may not read; what is not named stays as it was.
static const unsigned refused_calls[] = {
#ifdef SYS_open
    SYS_open, SYS_creat, SYS_unlink, SYS_rename, SYS_link, SYS_symlink, SYS_mkdir, SYS_rmdir, SYS_mknod, SYS_chmod,
    SYS_chown, SYS_lchown, SYS_fork, SYS_vfork,
#endif
#ifdef SYS_renameat
    SYS_renameat,
#endif
    SYS_openat, SYS_openat2, SYS_open_by_handle_at, SYS_unlinkat, SYS_renameat2, SYS_linkat, SYS_symlinkat, SYS_mkdirat,
    SYS_fchmodat, SYS_fchownat, SYS_truncate, SYS_mknodat, SYS_execve, SYS_execveat, SYS_socket, SYS_connect, SYS_bind,
    SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, SYS_kill, SYS_tkill, SYS_rt_sigqueueinfo,
    SYS_rt_tgsigqueueinfo, SYS_pidfd_open, SYS_mount, SYS_umount2, SYS_bpf, SYS_io_uring_setup, SYS_userfaultfd,
    SYS_unshare, SYS_setns, SYS_keyctl, SYS_shmget, SYS_perf_event_open, SYS_setrlimit,
};

enum {
    arguments = offsetof(struct seccomp_data, args),
    // Both of the machines below have the low half of a word first.
    low = 0,
    high = 4,
    word = 8,
};

#define LOAD(offset) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offset)
#define SKIP(test, value, matching, others) BPF_JUMP(BPF_JMP | test | BPF_K, value, matching, others)
#define RETURN(action) BPF_STMT(BPF_RET | BPF_K, action)
#define REFUSE(error) RETURN(SECCOMP_RET_ERRNO | (error))

void muster_confine_calls(void) {
#ifdef MUSTER_ARCHITECTURE
    enum { calls = sizeof refused_calls / sizeof *refused_calls };
    const struct sock_filter head[] = {
        LOAD(offsetof(struct seccomp_data, arch)),
        SKIP(BPF_JEQ, MUSTER_ARCHITECTURE, 1, 0),
        RETURN(SECCOMP_RET_KILL_PROCESS),
        LOAD(offsetof(struct seccomp_data, nr)),
        // The numbers of another width of x86 (x32) begin here.
        SKIP(BPF_JGE, 0x40000000u, 0, 1),
        RETURN(SECCOMP_RET_KILL_PROCESS),
        // Threads are started while pictures are decoded; processes are not. The C library tries the older call then, whose
        // flags can be seen.
        SKIP(BPF_JEQ, SYS_clone3, 0, 1),
        REFUSE(ENOSYS),
        SKIP(BPF_JEQ, SYS_clone, 0, 4),
        LOAD(arguments + low),
        SKIP(BPF_JSET, CLONE_THREAD, 0, 1),
        RETURN(SECCOMP_RET_ALLOW),
        REFUSE(EACCES),
        // One may end oneself, as `abort` does.
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
    };
    enum { first = sizeof head / sizeof *head };
    struct sock_filter filter[first + 2 * calls + 1];
    memcpy(filter, head, sizeof head);
    unsigned length = first;
    for (unsigned each = 0; each < calls; each++) {
        filter[length++] = (struct sock_filter)SKIP(BPF_JEQ, refused_calls[each], 0, 1);
        filter[length++] = (struct sock_filter)REFUSE(EACCES);
    }
    filter[length++] = (struct sock_filter)RETURN(SECCOMP_RET_ALLOW);
    struct sock_fprog program = {length, filter};
    // Threads that libraries have started are confined too. Where the system has no such filters, the limits remain.
    syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program);
#endif
}
