#define _GNU_SOURCE
#include "confinement_attempts.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <stddef.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static int error_of(long result) { return result < 0 ? errno : 0; }

static int read_file(void) { return error_of(open("/etc/passwd", O_RDONLY)); }

static pthread_mutex_t older = PTHREAD_MUTEX_INITIALIZER;
static pthread_t older_thread;

static void *read_file_later(void *nothing) {
    (void)nothing;
    pthread_mutex_lock(&older);
    return (void *)(intptr_t)read_file();
}

void confinement_prepare(void) {
    pthread_mutex_lock(&older);
    pthread_create(&older_thread, NULL, read_file_later, NULL);
}

bool confinement_refuse_filters(void) {
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_seccomp, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
    return !prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) && !prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

static int read_file_on_older_thread(void) {
    void *error;
    pthread_mutex_unlock(&older);
    pthread_join(older_thread, &error);
    return (int)(intptr_t)error;
}

static int find_file(void) {
    struct stat found;
    return error_of(stat("/etc/passwd", &found));
}

static int watch_files(void) { return error_of(inotify_init1(0)); }

static int make_memory_file(void) { return error_of(memfd_create("nothing", 0)); }

static int make_pipe(void) {
    int ends[2];
    return error_of(pipe(ends));
}

static int become_dumpable(void) { return error_of(prctl(PR_SET_DUMPABLE, 1, 0, 0, 0)); }

static int change_user(void) { return error_of(setuid(getuid())); }

static int name_itself(void) { return error_of(prctl(PR_SET_NAME, "child", 0, 0, 0)); }

// Without a name, so that no file remains if the attempt succeeds.
static int make_file(void) { return error_of(open("/tmp", O_TMPFILE | O_WRONLY, 0600)); }

// The file does not exist: a process that may remove files gets that error.
static int remove_file(void) {
    int error = error_of(unlink("/tmp/muster/there/is/none"));
    return error == ENOENT ? 0 : error;
}

static int many_descriptors(void) {
    for (int each = 0; each < 100; each++) {
        if (dup(STDOUT_FILENO) < 0) return errno;
    }
    return 0;
}

static int open_socket(void) { return error_of(socket(AF_INET, SOCK_STREAM, 0)); }

static int connect_out(void) {
    struct sockaddr_in nobody = {.sin_family = AF_INET, .sin_port = htons(9), .sin_addr = {htonl(INADDR_LOOPBACK)}};
    int error = error_of(connect(STDIN_FILENO, (struct sockaddr *)&nobody, sizeof nobody));
    return error == ENOTSOCK ? 0 : error;
}

static int start_program(void) {
    // The program does not exist: a process that may start programs gets that error.
    char *arguments[] = {"none", NULL};
    int error = error_of(execv("/tmp/muster/there/is/none", arguments));
    return error == ENOENT ? 0 : error;
}

static int start_process(void) {
    pid_t child = fork();
    if (child == 0) _exit(0);
    if (child < 0) return errno;
    waitpid(child, NULL, 0);
    return 0;
}

static int start_process_by_older_call(void) {
    long child = syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
    if (child == 0) _exit(0);
    return error_of(child);
}

static int signal_parent(void) { return error_of(kill(getppid(), 0)); }

static int signal_thread_of_parent(void) { return error_of(syscall(SYS_tgkill, getppid(), getppid(), 0)); }

static int read_parent(void) {
    char byte;
    struct iovec here = {&byte, 1}, there = {&byte, 1};
    int error = error_of(syscall(SYS_process_vm_readv, getppid(), &here, 1, &there, 1, 0));
    // The address belongs to this process; `EFAULT` shows that the call itself is allowed.
    return error == EFAULT ? 0 : error;
}

static int raise_limit(void) {
    struct rlimit limit = {RLIM_INFINITY, RLIM_INFINITY};
    return error_of(setrlimit(RLIMIT_AS, &limit));
}

static int read_limit(void) {
    struct rlimit limit;
    return error_of(getrlimit(RLIMIT_AS, &limit));
}

static int allocate(size_t bytes) {
    return mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED ? errno : 0;
}

static int allocate_half(void) { return allocate(1ul << 29); }

static int allocate_all(void) { return allocate(1ul << 30); }

static int allocate_bit_by_bit(void) {
    for (int each = 0; each < 1024; each++) {
        int error = allocate(1ul << 20);
        if (error) return error;
    }
    return 0;
}

static void *do_nothing(void *argument) { return argument; }

static int start_thread(void) {
    pthread_t thread;
    int error = pthread_create(&thread, NULL, do_nothing, NULL);
    return error ? error : pthread_join(thread, NULL);
}

// Standard output is a file here, and files may not grow. The call returns the error because the signal is ignored.
static int grow_file(void) {
    signal(SIGXFSZ, SIG_IGN);
    return error_of(write(STDOUT_FILENO, " ", 1));
}

static int end_itself(void) { abort(); }

static int call_by_another_width(void) {
#if defined(__x86_64__)
    return error_of(syscall(0x40000000 | SYS_getpid));
#else
    raise(SIGSYS);
    return 0;
#endif
}

static const struct {
    const char *name;
    int (*try)(void);
} attempts[] = {
    {"read a file", read_file},
    {"read a file on an older thread", read_file_on_older_thread},
    {"find a file", find_file},
    {"watch files", watch_files},
    {"make a file of memory", make_memory_file},
    {"make a pipe", make_pipe},
    {"become dumpable", become_dumpable},
    {"change the user", change_user},
    {"name itself", name_itself},
    {"make a file", make_file},
    {"remove a file", remove_file},
    {"let a file grow", grow_file},
    {"have many descriptors", many_descriptors},
    {"open a socket", open_socket},
    {"connect", connect_out},
    {"start a program", start_program},
    {"start a process", start_process},
    {"start a process by the older call", start_process_by_older_call},
    {"signal the parent", signal_parent},
    {"signal a thread of the parent", signal_thread_of_parent},
    {"read the parent's memory", read_parent},
    {"raise a limit", raise_limit},
    {"read a limit", read_limit},
    {"allocate half", allocate_half},
    {"allocate all", allocate_all},
    {"allocate bit by bit", allocate_bit_by_bit},
    {"start a thread", start_thread},
    {"end itself", end_itself},
    {"call by another width", call_by_another_width},
};

int confinement_attempt(const char *name) {
    for (size_t each = 0; each < sizeof attempts / sizeof *attempts; each++) {
        if (!strcmp(attempts[each].name, name)) return attempts[each].try();
    }
    return -1;
}
