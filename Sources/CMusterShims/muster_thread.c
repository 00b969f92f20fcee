#define _GNU_SOURCE
#include "muster_thread.h"

#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

void muster_thread_set_name(const char *name) {
    char shortened[16];
    strncpy(shortened, name, sizeof shortened - 1);
    shortened[sizeof shortened - 1] = '\0';
    pthread_setname_np(pthread_self(), shortened);
}

void muster_thread_prefer(int niceness, uint64_t slice) {
    // The C library has neither a function nor the structure for this: its first version, from sched_setattr(2).
    struct {
        uint32_t size;
        uint32_t policy;
        uint64_t flags;
        int32_t niceness;
        uint32_t priority;
        uint64_t runtime;
        uint64_t deadline;
        uint64_t period;
    } attributes = {.size = sizeof attributes, .policy = SCHED_OTHER, .niceness = niceness, .runtime = slice};
    // SCHED_FLAG_RESET_ON_FORK: threads that this one starts, such as those of Swift's pool, get the default again.
    attributes.flags = 1;
    if (syscall(SYS_sched_setattr, 0, &attributes, 0) != 0) {
        attributes.niceness = getpriority(PRIO_PROCESS, 0);
        syscall(SYS_sched_setattr, 0, &attributes, 0);
    }
}

int muster_thread_bind(const int *processors, size_t count) {
    cpu_set_t set;
    CPU_ZERO(&set);
    for (size_t index = 0; index < count; index++) {
        CPU_SET(processors[index], &set);
    }
    return pthread_setaffinity_np(pthread_self(), sizeof set, &set);
}

size_t muster_usable_processors(int *processors, size_t capacity) {
    cpu_set_t set;
    // The process's first thread is never bound by this program.
    if (sched_getaffinity(getpid(), sizeof set, &set) != 0) {
        return 0;
    }
    size_t count = 0;
    for (int processor = 0; processor < CPU_SETSIZE && count < capacity; processor++) {
        if (CPU_ISSET(processor, &set)) {
            processors[count++] = processor;
        }
    }
    return count;
}
