#define _GNU_SOURCE
#include "muster_confine.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>

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
    SYS_open, SYS_creat, SYS_unlink, SYS_rename, SYS_link, SYS_symlink, SYS_mkdir, SYS_rmdir, SYS_chmod, SYS_chown,
    SYS_fork, SYS_vfork,
#endif
    SYS_openat, SYS_openat2, SYS_open_by_handle_at, SYS_unlinkat, SYS_renameat2, SYS_linkat, SYS_symlinkat, SYS_mkdirat,
    SYS_fchmodat, SYS_fchownat, SYS_truncate, SYS_mknodat, SYS_execve, SYS_execveat, SYS_socket, SYS_connect, SYS_bind,
    SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, SYS_kill, SYS_pidfd_open, SYS_mount, SYS_umount2, SYS_bpf,
    SYS_io_uring_setup, SYS_userfaultfd, SYS_unshare, SYS_setns, SYS_keyctl, SYS_shmget, SYS_perf_event_open,
};

void muster_confine_calls(void) {
#ifdef MUSTER_ARCHITECTURE
    enum { calls = sizeof refused_calls / sizeof *refused_calls };
    struct sock_filter filter[6 + calls + 2] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, MUSTER_ARCHITECTURE, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        // The numbers of another width of x86 (x32) begin here.
        BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000u, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
    };
    unsigned length = 6;
    for (unsigned each = 0; each < calls; each++) {
        // To the refusal, which stands behind the last comparison and the permission.
        filter[length++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, refused_calls[each], calls - each, 0);
    }
    filter[length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    filter[length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EACCES);
    struct sock_fprog program = {length, filter};
    // Where the system has no such filters, the limits remain.
    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
#endif
}
