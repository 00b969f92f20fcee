#define _GNU_SOURCE
#include "muster_thread.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

static _Atomic uint64_t next_id = 1;
static _Thread_local uint64_t own_id = 0;

uint64_t muster_thread_id(void) {
    if (own_id == 0) {
        own_id = atomic_fetch_add_explicit(&next_id, 1, memory_order_relaxed);
    }
    return own_id;
}

void muster_thread_set_name(const char *name) {
    char shortened[16];
    strncpy(shortened, name, sizeof shortened - 1);
    shortened[sizeof shortened - 1] = '\0';
    pthread_setname_np(pthread_self(), shortened);
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
    // The first thread of the process is bound to nothing of ours.
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
